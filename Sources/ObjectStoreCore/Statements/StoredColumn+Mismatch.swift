internal import Diagnostics
internal import QueryEngine
internal import Schema
internal import Storage
internal import Values

extension StoredColumn {
  /// The error for a value that can't be kept.
  func mismatch(_ value: Value, source: String, range: SourceRange) -> DiagnosticError {
    let message =
      value.isNull ? "'\(path)' needs a value" : "'\(path)' is of type \(column.typeName), which \(culprit(of: value))"
    return DiagnosticError(
      source: source,
      Diagnostic(
        code: value.isNull ? .missingValue : .typeMismatch, message: message, range: range,
        notes: value.isNull ? [] : example.map { [$0] } ?? []))
  }

  /// What is wrong with a value: itself, or one of its elements.
  private func culprit(of value: Value) -> String {
    switch (collectionKind, value) {
    case (.array, .list(let elements)), (.set, .list(let elements)):
      elements.firstIndex { converted(.list([$0])) == nil }.map { "element \($0 + 1) does not fit" } ?? "this is not"
    case (.dictionary, .embedded(let fields)):
      fields.first { converted(.embedded([$0])) == nil }.map { "the value of \"\($0.name.prefix(40))\" does not fit" }
        ?? "this is not"
    default: "this is not"
    }
  }

  private var example: String? {
    switch collectionKind {
    case .array? where column.kind.isPart: nil
    case .array?, .set?: "write its elements as a list, such as [] in JSON; none of them is nil"
    case .dictionary?: "write it as an object, such as {\"a\": …}; no value in it is nil"
    case nil: nil
    }
  }
}
