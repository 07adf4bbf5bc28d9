import CSimdjson
import ObjectStoreCore

/// Turns one field of the data into what a link, or links, lead to: an object by its unique property, by its number as
/// `{"@id": 17}`, or one that stands there.
///
/// It keeps nothing of the record's memory; objects are read later, when the record around them is.
struct LinkReading {
  /// The entity that the links lead to.
  let target: String
  let isMany: Bool
  /// How its unique property is read; nil without one.
  let key: ValueReading?
  /// The unique property, for messages.
  let keyPath: String?
  let elements: ElementReader

  /// What a link leads to, as read: an object is text yet.
  enum End {
    case key(Value)
    case object([UInt8])
  }

  enum Outcome {
    case ends([End])
    /// The element at fault, as `[2]`, or nothing; and why.
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
    // Within a cell a number is written as in JSON. A text that begins so is one only where there is no other name.
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
