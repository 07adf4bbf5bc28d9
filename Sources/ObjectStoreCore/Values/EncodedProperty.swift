internal import Storage

/// A property of a `Codable` type that is kept encoded, as `@Attribute(.codable)` says.
///
/// Another program may have stored more than this program's type has: entries of an object that the type does not know.
/// Writing the type's value back keeps them; in an array, those of elements that are unchanged.
struct EncodedProperty: Sendable {
  /// Decodes what is stored and encodes it again: what the type has of it.
  let known: @Sendable ([UInt8]) throws -> [UInt8]

  init<Value: Codable & Hashable & Sendable>(_ type: Value.Type) {
    known = { try CodableJSON.bytes(try CodableJSON.value(type, $0)) }
  }

  /// The value of a column, with whatever else is stored there.
  ///
  /// - Parameters:
  ///   - new: A value of the type; in an array of structs, one for each.
  ///   - stored: What the column has.
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
    // What can't be read was not the value that was changed: it is replaced.
    guard let known = try? known(stored) else { return new }
    if new == known { return stored }
    guard let tree = JSONTree(new), let storedTree = JSONTree(stored), let knownTree = JSONTree(known) else {
      return new
    }
    let merged = tree.keeping(storedTree, beyond: knownTree)
    return merged == tree ? new : merged.bytes
  }
}
