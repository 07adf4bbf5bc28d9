internal import QueryEngine
internal import Storage
internal import Values

/// How a query was, or would be, answered.
public struct QueryExplanation: Hashable, Sendable, CustomStringConvertible {
  /// The plan as a tree, a line a node.
  public var text: String
  /// The plan as versioned JSON.
  public var json: String

  /// An explanation in both forms.
  public init(text: String, json: String) {
    self.text = text
    self.json = json
  }

  /// The plan as a tree.
  public var description: String { text }
}

extension QueryExplanation {
  /// How a plan would be run in a snapshot; with `analyze`, how it was.
  init(_ plan: Plan, analyze: Bool, in snapshot: Snapshot) throws {
    let explanation = try analyze ? plan.analyze(in: snapshot) : plan.explanation
    self.init(text: explanation.text, json: explanation.json)
  }
}

extension QueryExplanation {
  /// What a statement that changes the schema would do.
  init(_ preview: MigrationPreview) {
    func quoted(_ lines: [String]) -> String { "[" + lines.map(JSONText.quoted).joined(separator: ",") + "]" }
    let lines = preview.changes.map(\.line)
    let all = lines + preview.problems.map { "refused: \($0)" }
    self.init(
      text: all.isEmpty ? "nothing changes" : all.joined(separator: "\n"),
      json: #"{"version":1,"schema":\#(quoted(lines)),"refused":\#(quoted(preview.problems))}"#)
  }
}
