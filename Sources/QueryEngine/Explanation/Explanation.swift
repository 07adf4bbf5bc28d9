/// The plan of a query, as text and as JSON.
package struct Explanation: Hashable, Sendable {
  /// One line for each node, in aligned columns.
  package let text: String
  /// A JSON object with a `version`.
  package let json: String

  package init(text: String, json: String) {
    self.text = text
    self.json = json
  }
}
