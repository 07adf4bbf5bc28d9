internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// The targets of links in an INSERT: an object by its unique property or its ID, or a nested object.
extension InsertRow {
  /// The target objects in `value`; at most one for a to-one link.
  func links(of column: StoredColumn, to target: String, _ value: Value) throws(QueryError) -> [LinkTarget] {
    let place = place.property(column.path)
    guard case .links = column.column.kind else { return try link(place, target, value).map { [$0] } ?? [] }
    guard case .list(let elements) = value else {
      throw text.error(.typeMismatch, place, "holds links to many objects", notes: ["write them as a list, such as []"])
    }
    var targets: [LinkTarget] = []
    for (number, element) in elements.enumerated() {
      guard let found = try link(place.element(number), target, element) else {
        throw text.error(.typeMismatch, place.element(number), "is nil, which no link in a list may be")
      }
      targets.append(found)
    }
    return targets
  }

  /// The object that a value names; nil for nil.
  private func link(_ place: JSONPath, _ name: String, _ value: Value) throws(QueryError) -> LinkTarget? {
    guard let target = schema.entity(named: name) else { return nil }
    switch value {
    case .null: return nil
    case .embedded(let fields):
      guard fields.contains(where: { $0.name == "@id" }) else {
        var row = InsertRow(target, schema: schema, text: text, at: place)
        return .row(try row.row(of: fields))
      }
      guard fields.count == 1, case .int(let number)? = fields.first?.value, number > 0 else {
        throw text.error(
          .typeMismatch, place, "names no object: its number is written {\"@id\": 17}, with nothing else")
      }
      return .number(ObjectNumber(UInt64(number)))
    case .list: throw text.error(.typeMismatch, place, "leads to \(name), which a list is not")
    default:
      guard let key = target.keyColumn else {
        throw text.error(
          .typeMismatch, place, "leads to \(name), which has no unique property",
          notes: ["write an object, or the number of one as {\"@id\": 17}"])
      }
      let column = target.columns[key]
      guard let kept = column.converted(value), !kept.isNull else {
        throw text.error(
          .typeMismatch, place, "leads to \(name), whose '\(column.path)' is of type \(column.column.typeName)",
          notes: ["write its '\(column.path)', an object, or the number of one as {\"@id\": 17}"])
      }
      return .key(kept)
    }
  }
}
