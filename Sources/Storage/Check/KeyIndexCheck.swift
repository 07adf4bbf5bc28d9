internal import LMDB
internal import Schema
internal import Values

/// The check of an index with a set of objects for each key. Each entry of an object is looked up; then only entries
/// without an object can be wrong, and they are searched only if the index has more entries than it should.
class KeyIndexCheck: IndexCheck {
  final let index: StoredIndex
  final let cursor: Cursor
  /// The number of entries that the index should have.
  final var expectedCount = 0
  final let entity: StoredEntity
  private let snapshot: Snapshot

  required init(_ index: StoredIndex, _ database: Database, _ check: EntityCheck) throws {
    self.index = index
    entity = check.entity
    snapshot = check.snapshot
    cursor = try check.snapshot.transaction.cursor(database)
  }

  /// The index, in messages.
  final var place: String { index.place(in: entity) }

  func note(_ object: ObjectNumber, _ values: [Value], _ check: inout EntityCheck) throws {
    try expect(IndexKey.encode(values, of: index), of: object, "\(place) lacks object \(object.rawValue)", &check)
  }

  /// Looks up an entry, and reports that it is missing.
  final func expect(
    _ key: [UInt8], of object: ObjectNumber, _ problem: @autoclosure () -> String, _ check: inout EntityCheck
  ) throws {
    expectedCount += 1
    if try !cursor.has(key, object.rawValue) { check.report("missing \(index.number)", problem(), of: index) }
  }

  final func finish(_ check: inout EntityCheck) throws {
    let reader = try snapshot.index(index, of: entity)
    if try !check.isPartial && reader.entryCount != expectedCount {
      try reader.forEachEntry { key, number in
        try check.step()
        let object = ObjectNumber(number)
        guard let mask = check.present[object.cluster], mask[object.slot] else {
          check.report("excess \(index.number)", "\(place) has object \(number), which does not exist", of: index)
          return true
        }
        guard let view = try snapshot.cluster(object.cluster, of: entity) else { return true }
        let values = try index.columns.map { try view.column($0).value(at: object.slot) }
        if let reason = reasonAgainst(key, values) {
          check.report("excess \(index.number)", "\(place) has object \(number) under \(reason)", of: index)
        }
        return true
      }
    }
    if index.isUnique { try checkShared(&check) }
  }

  /// What is wrong about the key of an entry, given the values of its object; nil if it is right.
  func reasonAgainst(_ key: UnsafeRawBufferPointer, _ values: [Value]) -> String? {
    IndexKey.encode(values, of: index).elementsEqual(key) ? nil : "a value that is not the object's"
  }

  /// Reports keys of a unique index that several objects share.
  private func checkShared(_ check: inout EntityCheck) throws {
    var entry = try cursor.first()
    while let found = entry {
      try check.step()
      if found.value.count == 8, try cursor.duplicateCount() > 1, !IndexKey.isShortened(found.key) {
        let first = found.value.loadUnaligned(as: UInt64.self)
        if let row = try snapshot.row(ObjectNumber(first), of: entity),
          !index.columns.contains(where: { row[$0].isNull })
        {
          check.report(
            "shared \(index.number)",
            "several objects of \(entity.name) share the unique \(index.name) of \(first)")
        }
      }
      entry = try cursor.nextKey()
    }
  }
}
