/// The numbers of objects that a statement inserted, merged, changed or deleted, by entity.
///
/// ```swift
/// if case .changed(let changes) = try store.run("DELETE Quake WHERE magnitude < 1") {
///   print(changes.count(.deleted))
/// }
/// ```
public struct ObjectChanges: Hashable, Sendable {
  /// The kind of change.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Existing objects were changed.
    case changed
    /// They are new.
    case inserted
    /// They were written within another and were there already, by their unique property.
    case merged
    /// Objects were deleted.
    case deleted
  }

  /// The objects of one entity with the same kind of change.
  public struct Part: Hashable, Sendable {
    /// The kind of change.
    public let kind: Kind
    /// The entity's name.
    public let entity: String
    /// The number of objects.
    public fileprivate(set) var count: Int
  }

  /// The changes, beginning with the statement's own entity. The first part may have no objects; the others do.
  public private(set) var parts: [Part] = []

  /// Creates an empty list of changes.
  public init() {}

  /// Creates the change of some objects of one entity.
  public init(_ kind: Kind, _ count: Int, of entity: String) {
    parts = [Part(kind: kind, entity: entity, count: count)]
  }

  /// The total number of objects.
  public var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// The number of objects with a kind of change.
  public func count(_ kind: Kind) -> Int { parts.reduce(0) { $1.kind == kind ? $0 + $1.count : $0 } }

  /// Adds changed objects of one entity.
  public mutating func add(_ kind: Kind, _ count: Int = 1, of entity: String) {
    if let known = parts.firstIndex(where: { $0.kind == kind && $0.entity == entity }) {
      parts[known].count += count
    } else if count > 0 {
      parts.append(Part(kind: kind, entity: entity, count: count))
    }
  }

  /// Adds other changes.
  public mutating func add(_ other: ObjectChanges) {
    for part in other.parts { add(part.kind, part.count, of: part.entity) }
  }
}
