internal import Diagnostics
internal import QueryEngine
internal import Schema
internal import Storage
internal import Values

extension StoredColumn {
  /// What is wrong with a value that can't be kept; the message goes on after the name of the property.
  func mismatch(_ value: Value) -> (code: DiagnosticCode, message: String, notes: [String]) {
    if value.isNull { return (.missingValue, "needs a value", []) }
    return (.typeMismatch, "is of type \(column.typeName), which \(culprit(of: value))", example.map { [$0] } ?? [])
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
