/// How a query is run, as text for people and as JSON for programs.
package struct Explanation: Hashable, Sendable {
  /// One line a node, columns aligned.
  package let text: String
  /// A JSON object with a `version`.
  package let json: String

  package init(text: String, json: String) {
    self.text = text
    self.json = json
  }
}
