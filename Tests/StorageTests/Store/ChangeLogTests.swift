import Schema
import Storage
import Testing
import Values

/// What a commit notes for observers and for those who save what they read earlier: each object that came or went, and
/// each value that changed.
@Suite struct ChangeLogTests {
  @Test(arguments: 0..<8) func aCommitNamesWhatItChanged(run: Int) throws {
    var random = Seeded(UInt64(run) + 271_828)
    let folder = try StoreFolder()
    let schema = Schema.only(
      "Thing", [.scalar("size", .int), .scalar("name", .string, optional: true), .scalar("share", .double)])
    let file = try folder.open(schema)
    let entity = try file.entity("Thing")
    func row() -> [Value] {
      [
        .int(.random(in: 0...(.max), using: &random)), .string("\(UInt64.random(in: 0...(.max), using: &random))"),
        .double(.random(in: 0..<1, using: &random)),
      ]
    }
    try file.insert((0..<600).map { _ in row() }, into: "Thing")
    for _ in 0..<12 {
      let before = try file.rows("Thing")
      var left = before.keys.sorted().shuffled(using: &random)
      let gone = Array(left.suffix(.random(in: 0...5, using: &random)))
      left.removeLast(gone.count)
      let changed = Array(left.prefix(.random(in: 0...20, using: &random)))
      var came: Set<UInt64> = []
      var updates: Set<Update> = []
      try file.write { session in
        for object in changed {
          let column = Int.random(in: 0..<3, using: &random)
          let value = column == 1 && Bool.random(using: &random) ? .null : row()[column]
          try session.update(ObjectNumber(object), of: entity, [(column: column, value: value)])
          guard let old = before[object]?[column], old != value else { continue }
          updates.insert(
            Update(object: object, column: entity.columns[column].number, before: old.digest))
        }
        for object in gone { _ = try session.delete(ObjectNumber(object), of: entity) }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          came.insert(try session.insert(row(), into: entity).rawValue)
        }
      }
      if came.isEmpty, updates.isEmpty, gone.isEmpty { continue }
      let found = try #require(try file.read { try $0.changes(of: $0.version) }?.entities[entity.number])
      #expect(found.isComplete && Set(found.inserted.flatMap { Array($0) }) == came)
      #expect(Set(found.deleted) == Set(gone) && found.cameOrWent == !(came.isEmpty && gone.isEmpty))
      let noted = Set(found.updates.map { Update(object: $0.object, column: $0.column, before: $0.before) })
      #expect(noted == updates)
      #expect(found.columns == Set(updates.map(\.column)))
    }
  }

  private struct Update: Hashable {
    var object: UInt64
    var column: UInt32
    var before: UInt64
  }
}
