public import Values

/// Why an object was not deleted: others are at the end of a property of it whose delete rule is `deny`, and would stay.
public struct DeniedDelete: Hashable, Sendable {
  /// An object as errors name it: by its unique property, else by its number.
  public struct Named: Hashable, Sendable {
    /// Its number.
    public let number: ObjectNumber
    /// The value of its unique property; nil where its entity has none, or it has none there.
    public let name: Value?

    /// An object.
    public init(_ number: ObjectNumber, _ name: Value? = nil) {
      self.number = number
      self.name = name
    }
  }

  /// The entity of the object.
  public let entity: String
  /// The object.
  public let object: Named
  /// The property with the rule.
  public let path: String
  /// The entity of those that would stay.
  public let other: String
  /// The first of them.
  public let others: [Named]
  /// How many there are.
  public let count: Int

  /// A refusal.
  public init(entity: String, object: Named, path: String, other: String, others: [Named], count: Int) {
    self.entity = entity
    self.object = object
    self.path = path
    self.other = other
    self.others = others
    self.count = count
  }
}

extension DeniedDelete: CustomStringConvertible {
  /// What stands in the way, and what to do about it.
  public var description: String {
    let isOne = count == 1
    let first = others.prefix(5).map(\.description).joined(separator: ", ")
    let more = count > 5 ? " and \(count - 5) more" : ""
    let isNumbered = others.allSatisfy { $0.name == nil }
    let which = isNumbered ? "\(isOne ? "number" : "numbers") \(first)\(more)" : first + more
    return
      "\(entity) \(object.name == nil ? "number " : "")\(object) cannot be deleted: its '\(path)' has the delete rule "
      + "'deny' and leads to \(count) \(other) (\(which)); delete \(isOne ? "it with this" : "those with it") or before, "
      + "or take \(isOne ? "it" : "them") out of '\(path)'"
  }
}

extension DeniedDelete.Named: CustomStringConvertible {
  /// The name, else the number.
  public var description: String { name?.brief ?? String(number.rawValue) }
}
