internal import Values

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

extension Explanation {
  /// The plan of an INSERT, which has no other nodes.
  package static func insert(into entity: String) -> Explanation {
    let plan = "{\"node\":\"Insert\",\"detail\":\(JSONText.quoted(entity))}"
    return Explanation(
      text: "Insert  \(entity)", json: "{\"version\":1,\"entity\":\(JSONText.quoted(entity)),\"plan\":\(plan)}")
  }
}
