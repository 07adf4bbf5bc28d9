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

  /// The first number in a part that a Decimal cannot represent. Takes time proportional to the length of the part.
  func numberBeyondDecimals(in path: JSONPath) -> SourceRange? {
    let range = range(of: path)
    let bytes = Array(source.utf8.dropFirst(range.lowerBound).prefix(range.upperBound - range.lowerBound))
    var place = 0
    /// Goes on while bytes belong to what began.
    func pass(while belongs: (UInt8) -> Bool) {
      while place < bytes.count, belongs(bytes[place]) { place += 1 }
    }
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        place += 1
        while place < bytes.count, bytes[place] != bytes[start] { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        place += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
        pass { Self.isInWord($0) || [UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0) }
        let number = String(decoding: bytes[start..<place].filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        // What the Parser took for no number is an error already.
        if Double(number) != nil, DecimalValue(number) == nil {
          return SourceRange(range.lowerBound + start, range.lowerBound + place)
        }
      case let byte where Self.isInWord(byte): pass(while: Self.isInWord)
      default: place += 1
      }
    }
    return nil
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || 48...57 ~= byte || 97...122 ~= byte | 0x20
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
