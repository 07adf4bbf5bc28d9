internal import Diagnostics
internal import PredicateLanguage
internal import Values

/// An object as written in a statement, with the ranges of its parts for error messages.
struct ObjectText {
  /// A JSON value in the statement.
  struct Part {
    /// The path of the part in the object.
    let path: JSONPath
    let range: SourceRange
    /// The range of its property's name.
    let name: SourceRange
  }

  let source: String
  /// The range that represents the whole object.
  let whole: SourceRange
  let parts: [Part]

  /// The object of an INSERT; `entity` is the range of the entity's name.
  init(_ fields: [ObjectFieldSyntax], entity: SourceRange, source: String) {
    self.source = source
    whole = entity
    parts = fields.map { Part(path: JSONPath([.property($0.name.text)]), range: $0.valueRange, name: $0.name.range) }
  }

  /// The assignments of an UPDATE.
  init(_ assignments: [AssignmentSyntax], source: String) {
    self.source = source
    whole = assignments.first?.range ?? SourceRange(0, 0)
    parts = assignments.map {
      Part(path: JSONPath().property($0.path.description), range: $0.value.range, name: $0.range)
    }
  }

  /// The range of a path; for a missing part that of the enclosing one.
  func range(of path: JSONPath, isName: Bool = false) -> SourceRange {
    guard let part = parts.last(where: { path.steps.starts(with: $0.path.steps) }) else { return whole }
    let below = JSONPath(Array(path.steps.dropFirst(part.path.steps.count)))
    if below.steps.isEmpty { return isName ? part.name : part.range }
    return below.range(in: source, from: part.range, isName: isName)
  }

  /// The first number in a part that a Decimal cannot represent.
  func numberBeyondDecimals(in path: JSONPath) -> SourceRange? {
    JSONPath().numberBeyondDecimals(in: source, from: range(of: path))
  }

  /// The diagnostic for a part, whose name precedes the message.
  func diagnostic(
    _ code: DiagnosticCode, _ path: JSONPath, _ message: String, notes: [String] = []
  ) -> Diagnostic {
    Diagnostic(code: code, message: "'\(path)' \(message)", range: range(of: path), notes: notes)
  }

  /// The error for a part.
  func error(_ code: DiagnosticCode, _ path: JSONPath, _ message: String, notes: [String] = []) -> QueryError {
    QueryError(source: source, diagnostic(code, path, message, notes: notes))
  }
}
