/// The result of checking a whole file: counts, and all errors found. A check repairs nothing.
package struct CheckReport: Hashable, Sendable {
  /// The number of entities checked.
  package var entities = 0
  /// The number of readable objects.
  package var objects = 0
  /// The number of declared indexes that were compared with the objects in both directions, as were the inverses of
  /// links.
  package var indexes = 0
  /// One sentence for each error, which names its place.
  package var problems: [String] = []
  /// The damaged indexes, and inverses of links, as `reindex` takes their names: `Town.size`.
  package var damagedIndexes: [String] = []
  /// Whether anything else is damaged.
  package var hasOtherDamage = false

  /// Whether building indexes anew mends everything.
  package var hasOnlyDamagedIndexes: Bool { !hasOtherDamage && !damagedIndexes.isEmpty }

  /// The maximum number of problems of one kind that are reported for one place; the others are counted.
  static let limit = 20
}
