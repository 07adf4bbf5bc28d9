import Schema
import Storage
import Synchronization
import Testing
import Values

/// Long work that is given up halfway: nothing is changed, or all of it.
@Suite struct CancelledWorkTests {
  private static let plain = Schema.only(
    "Note", [.scalar("text", .string), .scalar("size", .int, optional: true), .scalar("code", .string)])

  private static let indexes: [Index] = [
    Index(paths: ["size"]), Index(paths: ["text"]), Index(kind: .trigram, paths: ["text"]),
    Index(kind: .unique, paths: ["code"]), Index(kind: .folded, paths: ["text"]), Index(paths: ["code", "size"]),
  ]

  private static func filled(_ count: Int) throws -> StoreFile {
    let file = try StoreFile.inMemory(declaring: plain)
    try file.insert(
      (0..<count).map { [.string("a note of \($0 % 700)"), $0 % 9 == 0 ? .null : .int(Int64($0)), .string("c\($0)")] },
      into: "Note")
    return file
  }

  /// Says yes at the look of that number, and counts the looks.
  private final class Patience: Sendable {
    private let looks = Atomic(0)
    private let last: Int

    init(_ last: Int) { self.last = last }

    var count: Int { looks.load(ordering: .relaxed) }

    var wait: WriteWait { WriteWait(isCancelled: { self.looks.add(1, ordering: .relaxed).newValue >= self.last }) }
  }

  @Test(arguments: indexes) func anIndexIsBuiltOrNot(_ index: Index) throws {
    let file = try Self.filled(9_000)
    var schema = Self.plain
    schema.entities[0].indexes = [index]
    let before = try file.read { $0.schema.schema }
    let version = file.currentVersion
    var look = 1
    while true {
      let patience = Patience(look)
      do throws(StoreError) {
        try file.declare(schema, wait: patience.wait)
        break
      } catch {
        #expect(error == .cancelled)
        #expect(file.currentVersion == version)
        #expect(try file.read { $0.schema.schema } == before)
      }
      look = look < 3 ? look + 1 : look * 2
    }
    #expect(look > 20, "it is hardly ever looked whether somebody waits")
    #expect(try file.entity("Note").indexes.count == 1)
    try file.expectWhole()
  }

  @Test func fillingIsDoneOrNot() throws {
    let file = try Self.filled(2_000)
    var schema = Self.plain
    schema.entities[0].properties[1] = .scalar("size", .int, default: .int(-1))
    for look in [1, 2, 5, 8] {
      #expect(throws: StoreError.cancelled) { try file.declare(schema, wait: Patience(look).wait) }
      #expect(try file.rows("Note")[1]?[1] == .null)
    }
    try file.declare(schema, wait: Patience(.max).wait)
    #expect(try file.rows("Note")[1]?[1] == .int(-1))
    try file.expectWhole()
  }

  @Test func aCheckIsGivenUp() throws {
    let file = try Self.filled(9_000)
    var schema = Self.plain
    schema.entities[0].indexes = Self.indexes
    try file.declare(schema)
    let all = Patience(.max)
    #expect(try file.check(wait: all.wait).problems == [])
    #expect(all.count > 10)
    for look in [1, 2, all.count / 2, all.count] {
      #expect(throws: StoreError.cancelled) { try file.check(wait: Patience(look).wait) }
    }
  }

  @Test func openingWithANewIndexIsGivenUp() throws {
    let folder = try StoreFolder()
    var file: StoreFile? = try folder.open(Self.plain)
    try file?.insert((0..<2_000).map { [.string("x"), .int(Int64($0)), .string("c\($0)")] }, into: "Note")
    file = nil
    var schema = Self.plain
    schema.entities[0].indexes = [Index(paths: ["size"])]
    #expect(throws: StoreError.cancelled) {
      _ = try StoreFile.open(folder.store, declaring: schema, wait: Patience(3).wait)
    }
    let again = try folder.open()
    #expect(try again.entity("Note").indexes.isEmpty)
    try again.expectWhole()
  }
}
