internal import Diagnostics
internal import QueryEngine
internal import Schema
internal import Storage
internal import Values

extension StoredColumn {
  /// The error for a value that can't be kept.
  func mismatch(_ value: Value, source: String, range: SourceRange) -> DiagnosticError {
    let message =
      value.isNull ? "'\(path)' needs a value" : "'\(path)' is of type \(column.typeName), which this is not"
    return DiagnosticError(
      source: source,
      Diagnostic(code: value.isNull ? .missingValue : .typeMismatch, message: message, range: range))
  }
}
