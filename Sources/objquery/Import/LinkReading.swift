import CSimdjson
import ObjectStoreCore

/// Converts one field of the data to the targets of a link or links: an object by its unique property, by its number as
/// `{"@id": 17}`, or a nested object.
///
/// It keeps no reference to the record's memory; nested objects are read later, with the record around them.
struct LinkReading {
  /// The entity that the links lead to.
  let target: String
  let isMany: Bool
  /// How the unique property is read; nil without one.
  let key: ValueReading?
  /// The unique property, for messages.
  let keyPath: String?
  let elements: ElementReader

  /// The target of a link, as read: a nested object is still text.
  enum End {
    case key(Value)
    case object([UInt8])
  }

  enum Outcome {
    case ends([End])
    /// The position of the invalid element, such as `[2]`, or an empty text; and the reason.
    case unfit(String, String)
  }

  func read(_ field: Field) -> Outcome {
    if field.kind == csj_null { return .ends([]) }
    guard isMany else { return end(field).map { .ends([$0]) } ?? .unfit("", reason(field)) }
    switch elements.read(field, keyed: false) {
    case .unfit(let reason): return .unfit("", reason)
    case .elements(let fields):
      var ends: [End] = []
      ends.reserveCapacity(fields.count)
      for field in fields {
        guard let end = end(field) else { return .unfit("[\(ends.count)]", reason(field)) }
        ends.append(end)
      }
      return .ends(ends)
    }
  }

  private func end(_ field: Field) -> End? {
    switch field.kind {
    case csj_object: return .object(Array(field.bytes))
    case csj_array, csj_null: return nil
    // Within a cell, a number is written as in JSON. Text that begins this way is a number only if there is no other
    // way to name an object.
    case csj_untyped, csj_quoted:
      if field.bytes.starts(with: Array("{\"@id\"".utf8)) || key == nil { return .object(Array(field.bytes)) }
    default: break
    }
    guard case .value(let value)? = key?.read(field), !value.isNull else { return nil }
    return .key(value)
  }

  private func reason(_ field: Field) -> String {
    if field.kind == csj_array { return "a list where one \(target) is wanted" }
    if field.kind == csj_null { return "nil, which no link in a list may be" }
    guard let key, let keyPath else {
      return "\(target) has no unique property: its objects are named by their number, {\"@id\": 17}"
    }
    if case .unfit(let reason) = key.read(field) { return "\(target).\(keyPath): \(reason)" }
    return "this names no \(target)"
  }
}
