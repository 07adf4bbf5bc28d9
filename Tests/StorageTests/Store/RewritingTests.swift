import Schema
import Storage
import Testing
import Values

/// What a change costs the disk: the clusters that it touches, each with six pages more at most; and what became of the
/// pages that were there before.
@Suite struct RewritingTests {
  private static let schema = Schema.only(
    "Note", ["a", "b", "c", "d"].map { .scalar($0, .string) } + [.scalar("size", .int), .scalar("other", .int)])

  private static func filled(_ folder: StoreFolder, _ count: Int) throws -> StoreFile {
    let file = try folder.open(schema)
    try file.insert(
      (0..<count).map { number in
        ["first", "second", "third", "fourth"].map { .string("\($0) \(number * 7919 % 100_003)") }
          + [.int(Int64(number)), .int(Int64(number * 31 % 1009))]
      }, into: "Note")
    return file
  }

  @Test(arguments: [(writes: 100, changes: 1), (20, 10), (4, 300)])
  func aChangedClusterTakesSixPagesMoreAtMost(writes: Int, changes: Int) throws {
    let folder = try StoreFolder()
    let file = try Self.filled(folder, 60 * 256)
    let entity = try #require(try file.statistics().entities.first)
    let cluster = entity.bytes / 60
    #expect(cluster > 3 * 4096)
    let helper = try Helper([folder.store, "rewrite", "\(writes)", "\(changes)"])
    let numbers = (try helper.line() ?? "").split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 2)
    let (written, clusters) = (numbers[0], numbers[1])
    #expect(clusters >= writes)
    #expect(
      written <= clusters * (cluster + 6 * 4096), "\(written / max(1, clusters)) bytes for each cluster of \(cluster)")
    #expect(written >= clusters * cluster / 2, "less than what was changed")
    try file.expectWhole()
  }

  @Test(arguments: [1, 10, 100]) func theFileDoesNotGrowWithTheNumberOfChanges(size: Int) throws {
    let folder = try StoreFolder()
    let file = try Self.filled(folder, 40 * 256)
    let entity = try file.entity("Note")
    var random = Seeded(UInt64(size))
    func change() throws {
      for _ in 0..<300 / min(size, 100) {
        try file.write { session in
          for _ in 0..<size {
            let object = ObjectNumber(UInt64.random(in: 1...40 * 256, using: &random))
            try session.update(object, of: entity, [(column: 4, value: .int(.random(in: 0..<1000, using: &random)))])
          }
        }
      }
    }
    try change()
    let settled = try file.statistics().fileBytes
    for _ in 0..<5 { try change() }
    let later = try file.statistics()
    #expect(later.fileBytes <= settled + settled / 4, "from \(settled) to \(later.fileBytes)")
    try file.expectWhole()
  }
}
