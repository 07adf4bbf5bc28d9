internal import Values

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

extension Explanation {
  /// The plan of an INSERT, which finds nothing.
  package static func insert(into entity: String) -> Explanation {
    let plan = "{\"node\":\"Insert\",\"detail\":\(JSONText.quoted(entity))}"
    return Explanation(
      text: "Insert  \(entity)", json: "{\"version\":1,\"entity\":\(JSONText.quoted(entity)),\"plan\":\(plan)}")
  }
}
