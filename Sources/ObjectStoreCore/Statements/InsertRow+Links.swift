internal import Diagnostics
internal import Schema
internal import Storage
internal import Values

/// What the links of an INSERT lead to: an object by its unique property or its number, or one that stands there.
extension InsertRow {
  /// The objects that `value` names; at most one for a single link.
  func links(
    of column: StoredColumn, to target: String, _ value: Value, _ range: SourceRange
  ) throws(QueryError) -> [LinkTarget] {
    guard case .links = column.column.kind else {
      return try link(column.path, target, value, range).map { [$0] } ?? []
    }
    guard case .list(let elements) = value else {
      throw error(
        .typeMismatch, "'\(column.path)' holds links to many objects", range,
        notes: ["write them as a list, such as []"])
    }
    var targets: [LinkTarget] = []
    for element in elements {
      guard let found = try link(column.path, target, element, range) else {
        throw error(.typeMismatch, "'\(column.path)' has nil among its links", range)
      }
      targets.append(found)
    }
    return targets
  }

  /// The object that a value names; nil for nil.
  private func link(
    _ path: String, _ name: String, _ value: Value, _ range: SourceRange
  ) throws(QueryError) -> LinkTarget? {
    guard let target = schema.entity(named: name) else { return nil }
    switch value {
    case .null: return nil
    case .embedded(let fields):
      guard fields.contains(where: { $0.name == "@id" }) else {
        var row = InsertRow(target, schema: schema, source: source, isWithin: true)
        return .row(try row.row(of: fields, at: range))
      }
      guard fields.count == 1, case .int(let number)? = fields.first?.value, number > 0 else {
        throw error(.typeMismatch, "'\(path)': an object's number is written {\"@id\": 17}, with nothing else", range)
      }
      return .number(ObjectNumber(UInt64(number)))
    case .list: throw error(.typeMismatch, "'\(path)' leads to \(name), which a list is not", range)
    default:
      guard let key = target.keyColumn else {
        throw error(
          .typeMismatch, "'\(path)' leads to \(name), which has no unique property", range,
          notes: ["write an object, or the number of one as {\"@id\": 17}"])
      }
      let column = target.columns[key]
      guard let kept = column.converted(value), !kept.isNull else {
        throw error(
          .typeMismatch, "'\(path)' leads to \(name), whose '\(column.path)' is of type \(column.column.typeName)",
          range, notes: ["write its '\(column.path)', an object, or the number of one as {\"@id\": 17}"])
      }
      return .key(kept)
    }
  }
}
