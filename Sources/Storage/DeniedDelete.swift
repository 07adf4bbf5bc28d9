public import Values

/// The reason why an object was not deleted: a property with the delete rule `deny` relates it to objects that would
/// remain.
public struct DeniedDelete: Hashable, Sendable {
  /// An object as errors name it: by its unique property, else by its number.
  public struct Named: Hashable, Sendable {
    /// Its number.
    public let number: ObjectNumber
    /// The value of its unique property; nil if the entity has none, or if the value is nil.
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
  /// The entity of the remaining objects.
  public let other: String
  /// The first of the remaining objects.
  public let others: [Named]
  /// The number of remaining objects.
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
  /// A description of the remaining objects, and of how to delete the object.
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
