import Schema
import Storage
import Testing
import Values

/// What the columns of an entity take, by the directories of its clusters.
@Suite struct ColumnUseTests {
  private static let schema = Schema.only(
    "Note",
    [
      .scalar("text", .string), .scalar("size", .int), .scalar("kind", .string), .scalar("empty", .int, optional: true),
    ],
    indexes: [Index(paths: ["kind"])])

  private static func filled(_ clusters: Int, _ folder: StoreFolder) throws -> StoreFile {
    let file = try folder.open(schema)
    try file.insert(
      // The first object has the number 1.
      (0..<clusters * 256 - 1).map { number in
        let text = number % 64 == 0 ? String(repeating: "x", count: 5_000) : "note \(number)"
        return [.string(text), .int(Int64(number)), .string("k"), .null]
      }, into: "Note")
    return file
  }

  private func use(_ file: StoreFile, mostVisits: Int = 4_096) throws -> ClusterUse {
    try file.read { snapshot in
      try snapshot.clusterUse(try #require(snapshot.schema.entities.first), mostVisits: mostVisits)
    }
  }

  @Test func columnsAreCountedWithTheirEncodings() throws {
    let folder = try StoreFolder()
    let file = try Self.filled(8, folder)
    let use = try use(file)
    #expect(use.clusters == 8 && !use.isEstimated && use.problems.isEmpty && use.removedBytes == 0)
    #expect(use.columns.map(\.path) == ["text", "size", "kind", "empty"])
    #expect(use.columns.allSatisfy { $0.chunks == 8 })
    let (text, size, kind, empty) = (use.columns[0], use.columns[1], use.columns[2], use.columns[3])
    #expect(text.encodings.map(\.name) == ["text"] && text.overflowValues == 32 && text.overflowBytes == 32 * 5_000)
    // 256 numbers a cluster need a byte each, and an entry of the directory has 48.
    #expect(size.encodings.map(\.name) == ["int8"] && size.bytes == 8 * (256 + 48))
    #expect(kind.encodings.map(\.name) == ["same"] && kind.bytes < 8 * 100)
    #expect(empty.encodings.map(\.name) == ["absent"] && empty.bytes == 8 * 48)
  }

  @Test func theSumIsThePagesInUse() throws {
    let folder = try StoreFolder()
    let file = try Self.filled(20, folder)
    for _ in 0..<3 {
      let statistics = try file.statistics()
      let entities = statistics.entities.reduce(0) { $0 + $1.bytes }
      let indexes = statistics.indexes.reduce(0) { $0 + $1.bytes }
      #expect(entities + indexes + statistics.systemBytes == statistics.usedBytes)
      // One value for all objects: all pages of the index but one are in a tree of its own.
      #expect(indexes > 20 * 256 * 8)
      for entity in statistics.entities {
        #expect(entity.clusters.columns.reduce(0) { $0 + $1.bytes + $1.overflowBytes } < entity.bytes)
      }
      try file.insert([[.string("a"), .int(1), .string("k"), .null]], into: "Note")
    }
  }

  @Test func ofManyClustersSomeAreVisited() throws {
    let folder = try StoreFolder()
    let file = try Self.filled(40, folder)
    let (whole, part) = (try use(file), try use(file, mostVisits: 8))
    #expect(part.isEstimated && !whole.isEstimated && part.clusters == 40)
    for (whole, part) in zip(whole.columns, part.columns) {
      #expect(abs(part.chunks - whole.chunks) <= 1 && part.encodings.map(\.name) == whole.encodings.map(\.name))
      #expect(Double(abs(part.bytes - whole.bytes)) < 0.1 * Double(whole.bytes), "\(whole.path)")
    }
  }

  @Test func whatIsDamagedIsNamed() throws {
    let folder = try StoreFolder()
    do { _ = try Self.filled(4, folder) }
    try folder.change { bytes in
      // The directory of one cluster.
      let place = try #require((8_192..<bytes.count - 40).first { bytes[$0..<$0 + 4].elementsEqual("OSCL".utf8) })
      bytes[place + 60] ^= 1
    }
    let file = try folder.open()
    let use = try use(file)
    #expect(use.problems.count == 1 && use.problems[0].hasPrefix("Note cluster"), "\(use.problems)")
    #expect(use.columns[1].chunks == 3)
    #expect(try file.statistics().problems == use.problems)
  }

  @Test func removedPropertiesStillTakeRoom() throws {
    let folder = try StoreFolder()
    let file = try Self.filled(4, folder)
    let without = Schema.only(
      "Note", [.scalar("text", .string), .scalar("kind", .string), .scalar("empty", .int, optional: true)],
      indexes: [Index(paths: ["kind"])])
    try file.declare(SchemaDeclaration(without, removing: ["Note.size"]))
    let use = try use(file)
    #expect(use.columns.map(\.path) == ["text", "kind", "empty"] && use.removedBytes == 4 * (256 + 48), "\(use)")
  }
}
