import Glibc
import TestSeeds
import Testing

@testable import LMDB

/// Looking at a page without LMDB: whatever is in it, nothing outside it is read.
@Suite struct LeafPageTests {
  private static let size = 4_096

  /// A page of memory between two that may not be touched.
  private final class Guarded {
    private let all: UnsafeMutableRawPointer
    let page: UnsafeMutableRawBufferPointer

    init() throws {
      let all = mmap(nil, 3 * LeafPageTests.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      self.all = try #require(all != MAP_FAILED ? all : nil)
      page = UnsafeMutableRawBufferPointer(start: self.all + LeafPageTests.size, count: LeafPageTests.size)
      #expect(mprotect(page.baseAddress, LeafPageTests.size, PROT_READ | PROT_WRITE) == 0)
    }

    deinit { munmap(all, 3 * LeafPageTests.size) }
  }

  /// The bytes of a leaf in which keys have one number, a few, and more than fit in it.
  private static func leaf(many: (Int) -> Bool = { $0 == 31 }) throws -> [UInt8] {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let database = try transaction.createDatabase("i", .integerSet)
      for key in 0..<60 {
        let count = many(key) ? 2_000 : key % 7 == 0 ? 12 : 1
        for number in 0..<UInt64(count) { _ = try transaction.add("key \(key + 100)", number * 3, database) }
      }
    }
    let reader = try environment.beginRead()
    let cursor = try reader.cursor(try #require(try reader.database("i")))
    let key = try #require(try cursor.first()?.key.baseAddress)
    let start = key - Int(bitPattern: key) % size
    return Array(UnsafeRawBufferPointer(start: start, count: size))
  }

  /// Looks at all there is to look at, from a key anywhere.
  private static func look(_ page: UnsafeMutableRawBufferPointer, at offset: Int, capacity: Int) -> Int {
    let key = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(page)[offset..<offset])
    let place = UnsafeRawBufferPointer(start: page.baseAddress.map { $0 + offset }, count: key.count)
    guard let leaf = LeafPage(around: place, pageSize: size) else { return 0 }
    let room = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: capacity + 1)
    defer { room.deallocate() }
    room[capacity] = 0x5555
    let used = UnsafeMutableBufferPointer(rebasing: room[..<capacity])
    var found = leaf.index(of: place) == nil ? 1 : 2
    for index in [0, leaf.count / 2, leaf.count - 1] {
      let bound = Array(leaf.key(index))
      _ = leaf.admitted(from: index) { !bound.lexicographicallyPrecedes($0) }
      _ = leaf.admitted(to: index) { !$0.lexicographicallyPrecedes(bound) }
      found += min(1, leaf.valueCount(index..<leaf.count))
      for read in [leaf.read(index..<leaf.count, into: used), leaf.read((0..<index).reversed(), into: used)] {
        #expect(read.count <= capacity)
        found += min(1, read.count)
      }
    }
    #expect(room[capacity] == 0x5555)
    return found
  }

  @Test func nothingOutsideIsRead() throws {
    let seed = testSeed()
    var random = SplitMix(seed)
    let leaf = try Self.leaf()
    let memory = try Guarded()
    var looked = 0
    for round in 0..<6_000 {
      memory.page.copyBytes(from: leaf)
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        // Half of it where the places of the entries are.
        let byte = Int.random(in: 0..<(Bool.random(using: &random) ? 200 : Self.size), using: &random)
        memory.page[byte] = Bool.random(using: &random) ? .random(in: .min ... .max, using: &random) : 0xFF
      }
      if round % 10 == 0 {
        for byte in 16..<Self.size { memory.page[byte] = .random(in: .min ... .max, using: &random) }
      }
      let offset = Int.random(in: 0..<Self.size, using: &random)
      looked += Self.look(memory.page, at: offset, capacity: [1, 20, 512][round % 3])
    }
    #expect(looked > 2_000)
  }

  /// Records of trees may say that there are more numbers than a number can say.
  @Test func whatRecordsSayAddsUpToSomething() throws {
    var leaf = try Self.leaf(many: { $0 % 10 == 1 })
    let said = withUnsafeBytes(of: UInt64(2_000).littleEndian) { Array($0) }
    var records = 0
    for byte in 0..<Self.size - 8 where Array(leaf[byte..<byte + 8]) == said {
      leaf.replaceSubrange(byte..<byte + 8, with: repeatElement(0xFF, count: 8))
      records += 1
    }
    #expect(records >= 3)
    let memory = try Guarded()
    memory.page.copyBytes(from: leaf)
    let key = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.page)[Self.size - 8..<Self.size])
    let page = try #require(LeafPage(around: key, pageSize: Self.size))
    #expect(page.valueCount(0..<page.count) > 6_000)
  }

  @Test func aWholePageIsReadAsFarAsItGoes() throws {
    let leaf = try Self.leaf()
    let memory = try Guarded()
    memory.page.copyBytes(from: leaf)
    let key = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.page)[Self.size - 8..<Self.size])
    let page = try #require(LeafPage(around: key, pageSize: Self.size))
    #expect(page.count == 60)
    let room = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 512)
    defer { room.deallocate() }
    // Up to the key whose numbers lie elsewhere, and from behind it.
    let before = page.read(0..<page.count, into: room)
    #expect(before.next == 31)
    #expect(before.count == (0..<31).reduce(0) { $0 + ($1 % 7 == 0 ? 12 : 1) })
    #expect(Array(room[0..<14]) == (0..<12).map { $0 * 3 } + [0, 0])
    let after = page.read((0..<page.count).reversed(), into: room)
    #expect(after.next == 31)
    #expect(page.valueCount(31..<32) == 2_000)
    // No more than there is room for, and no half of a key.
    let few = page.read(0..<31, into: UnsafeMutableBufferPointer(rebasing: room[..<5]))
    #expect(few.count == 0 && few.next == 0)
    let some = page.read(1..<31, into: UnsafeMutableBufferPointer(rebasing: room[..<5]))
    #expect(some.count == 5 && some.next == 6)
    #expect(page.read(31..<31, into: room).next == nil)
  }
}
