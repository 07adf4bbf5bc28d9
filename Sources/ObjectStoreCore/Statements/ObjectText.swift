internal import Diagnostics
internal import PredicateLanguage

/// An object as it is written in a statement: where in the text its parts are, for what is wrong with them.
struct ObjectText {
  /// A value in JSON that stands in the statement itself.
  struct Part {
    /// Where it stands in the object.
    let path: JSONPath
    let range: SourceRange
    /// Where its property is named.
    let name: SourceRange
  }

  let source: String
  /// What stands for the whole object.
  let whole: SourceRange
  let parts: [Part]

  /// The object of an INSERT; `entity` is where that is named.
  init(_ fields: [ObjectFieldSyntax], entity: SourceRange, source: String) {
    self.source = source
    whole = entity
    parts = fields.map { Part(path: JSONPath([.property($0.name.text)]), range: $0.valueRange, name: $0.name.range) }
  }

  /// What properties become in an UPDATE.
  init(_ assignments: [AssignmentSyntax], source: String) {
    self.source = source
    whole = assignments.first?.range ?? SourceRange(0, 0)
    parts = assignments.map {
      Part(path: JSONPath().property($0.path.description), range: $0.value.range, name: $0.range)
    }
  }

  /// Where something stands; where it is missing, what it is missing in.
  func range(of path: JSONPath, isName: Bool = false) -> SourceRange {
    guard let part = parts.last(where: { path.steps.starts(with: $0.path.steps) }) else { return whole }
    let below = JSONPath(Array(path.steps.dropFirst(part.path.steps.count)))
    if isName, below.steps.isEmpty { return part.name }
    return below.range(in: source, from: part.range)
  }

  /// What is wrong with a part, whose name the message goes on after.
  func diagnostic(
    _ code: DiagnosticCode, _ path: JSONPath, _ message: String, notes: [String] = []
  ) -> Diagnostic {
    Diagnostic(code: code, message: "'\(path)' \(message)", range: range(of: path), notes: notes)
  }

  /// The same, to be thrown.
  func error(_ code: DiagnosticCode, _ path: JSONPath, _ message: String, notes: [String] = []) -> QueryError {
    QueryError(source: source, diagnostic(code, path, message, notes: notes))
  }
}
