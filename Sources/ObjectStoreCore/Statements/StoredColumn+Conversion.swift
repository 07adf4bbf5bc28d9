internal import Diagnostics
internal import Schema
internal import Storage
internal import Values

extension StoredColumn {
  /// A value as written in a statement or in JSON, as the column keeps it; nil when it can't be that.
  ///
  /// Text is read as a date, UUID, base64 data or `nan`, `inf`, `-inf` where the column wants one of those.
  func converted(_ value: Value) -> Value? {
    if value.isNull { return column.isOptional ? .null : nil }
    if let kept = scalarType.kept(value) { return kept }
    switch (scalarType, value) {
    case (.int8, .double(let number)), (.int16, .double(let number)), (.int32, .double(let number)),
      (.int, .double(let number)):
      return Int64(exactly: number).flatMap { scalarType.kept(.int($0)) }
    case (.date, .string(let text)): return ISO8601.instant(text).map { .date($0) }
    case (.uuid, .string(let text)): return UUIDBytes(text).map { .uuid($0) }
    case (.data, .string(let text)): return Base64.bytes(text).map { .data($0) }
    case (.double, .string(let text)): return Self.special[text].map { .double($0) }
    case (.float, .string(let text)): return Self.special[text].map { .float(Float($0)) }
    default: return nil
    }
  }

  /// Numbers that JSON has no literals for.
  private static let special: [String: Double] = ["nan": .nan, "inf": .infinity, "-inf": -.infinity]

  /// The error for a value that can't be kept.
  func mismatch(_ value: Value, source: String, range: SourceRange) -> DiagnosticError {
    let message =
      value.isNull ? "'\(path)' needs a value" : "'\(path)' is of type \(scalarType.rawValue), which this is not"
    return DiagnosticError(
      source: source,
      Diagnostic(code: value.isNull ? .missingValue : .typeMismatch, message: message, range: range))
  }
}
