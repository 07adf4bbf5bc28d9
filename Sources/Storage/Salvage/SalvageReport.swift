/// The result of saving what is left of a damaged store.
package struct SalvageReport: Sendable {
  /// The objects of an entity.
  package struct EntityCount: Hashable, Sendable {
    package var name: String
    package var saved: Int
    /// The number of objects there were, as the catalog counts them; nil if the count is lost.
    package var counted: Int?
  }

  /// The entities, in order of creation.
  package var entities: [EntityCount] = []
  /// Everything that could not be saved.
  package var lost: [LostPart] = []
  /// What else a person must know: which state was read, and what differs in the new store.
  package var notes: [String] = []
  /// Whether the last changes may be missing: which commit was the last one, or which pages are its own, is not known.
  package var mayLackChanges = false
}

/// Objects, or a property of objects, that could not be saved.
package struct LostPart: Hashable, Sendable {
  /// The entity.
  package var entity: String
  /// The numbers of the objects. Of a cluster that could not be read, all that it may have had.
  package var objects: ClosedRange<UInt64>
  /// The dotted path of the property; nil if the objects are lost.
  package var property: String?
  /// The damaged pages, as far as known.
  package var pages: ClosedRange<Int>?
  /// What is wrong.
  package var reason: String
}
