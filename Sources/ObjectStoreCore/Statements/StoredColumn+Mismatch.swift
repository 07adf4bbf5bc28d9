internal import Diagnostics
internal import QueryEngine
internal import Schema
internal import Storage
internal import Values

extension StoredColumn {
  /// The reason a value can't be stored in the column; the message continues after the name of the property.
  func mismatch(_ value: Value) -> (code: DiagnosticCode, message: String, notes: [String]) {
    if value.isNull { return (.missingValue, "needs a value", []) }
    guard misfit(in: value) == nil else {
      return (.typeMismatch, "is of type \(scalarType.rawValue), which this is not", [])
    }
    return (.typeMismatch, "is of type \(column.typeName), which this is not", example.map { [$0] } ?? [])
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
