internal import Storage

/// A property of a `Codable` type that is stored encoded, as declared with `@Attribute(.codable)`.
///
/// The stored JSON may contain entries of an object that this program's type does not know, written by another program.
/// Writing the value back keeps them; in an array, only those of unchanged elements.
struct EncodedProperty: Sendable {
  /// Decodes the stored bytes and encodes them again, which leaves the part that the type knows.
  let known: @Sendable ([UInt8]) throws -> [UInt8]

  init<Value: Codable & Hashable & Sendable>(_ type: Value.Type) {
    known = { try CodableJSON.bytes(try CodableJSON.value(type, $0)) }
  }

  /// The value for the column, with the stored entries that the type does not know.
  ///
  /// - Parameters:
  ///   - new: A value of the type; for an array of structs, one for each element.
  ///   - stored: The current value of the column.
  func keeping(_ stored: Value, in new: Value) -> Value {
    if new.isIdentical(to: stored) { return new }
    switch (new, stored) {
    case (.data(let new), .data(let stored)): return .data(keeping(stored, in: new))
    case (.list(let new), .list(let stored)) where new.count == stored.count:
      return .list(zip(new, stored).map { keeping($1, in: $0) })
    default: return new
    }
  }

  private func keeping(_ stored: [UInt8], in new: [UInt8]) -> [UInt8] {
    // An unreadable value can't have been the one that was changed: it is replaced.
    guard let known = try? known(stored) else { return new }
    if new == known { return stored }
    guard let tree = JSONTree(new), let storedTree = JSONTree(stored), let knownTree = JSONTree(known) else {
      return new
    }
    let merged = tree.keeping(storedTree, beyond: knownTree)
    return merged == tree ? new : merged.bytes
  }
}
