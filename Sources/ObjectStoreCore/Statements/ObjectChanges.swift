/// How many objects of which entities a statement inserted, merged, changed or deleted.
public struct ObjectChanges: Hashable, Sendable {
  /// What became of objects.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// They were given other values.
    case changed
    /// They are new.
    case inserted
    /// They were written within another and were there already, by their unique property.
    case merged
    /// They are gone.
    case deleted
  }

  /// Objects of one entity that became of the same.
  public struct Part: Hashable, Sendable {
    /// What became of them.
    public let kind: Kind
    /// The entity's name.
    public let entity: String
    /// How many there were.
    public fileprivate(set) var count: Int
  }

  /// What happened, what the statement is about first. The first part may be of no object; the others are not.
  public private(set) var parts: [Part] = []

  /// Nothing yet.
  public init() {}

  /// Some objects of one entity.
  public init(_ kind: Kind, _ count: Int, of entity: String) {
    parts = [Part(kind: kind, entity: entity, count: count)]
  }

  /// How many objects these are.
  public var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// How many objects became that.
  public func count(_ kind: Kind) -> Int { parts.reduce(0) { $1.kind == kind ? $0 + $1.count : $0 } }

  /// Adds objects of one entity.
  public mutating func add(_ kind: Kind, _ count: Int = 1, of entity: String) {
    if let known = parts.firstIndex(where: { $0.kind == kind && $0.entity == entity }) {
      parts[known].count += count
    } else if count > 0 {
      parts.append(Part(kind: kind, entity: entity, count: count))
    }
  }

  /// Adds all that others are.
  public mutating func add(_ other: ObjectChanges) {
    for part in other.parts { add(part.kind, part.count, of: part.entity) }
  }
}
