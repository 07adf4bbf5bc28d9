import Testing
import Values

@testable import Storage

/// Blocks of places: what is written is read, and what is damaged is refused.
@Suite struct TrigramBlockTests {
  private static func places(_ random: inout Seeded, _ count: Int) -> [TrigramPlace] {
    var places: Set<TrigramPlace> = []
    let clusters: [UInt64] = [0, 1, 2, 127, 128, 300, 1 << 20, 1 << 40, .max - 1, .max]
    for _ in 0..<count {
      places.insert(
        TrigramPlace(
          cluster: clusters.randomElement(using: &random) ?? 0, spot: UInt16.random(in: 0...2000, using: &random)))
    }
    return places.sorted()
  }

  @Test(arguments: [UInt64(1), 2, 3]) func whatIsWrittenIsRead(seed: UInt64) throws {
    var random = Seeded(seed)
    for _ in 0..<40 {
      let places = Self.places(&random, Int.random(in: 1...700, using: &random))
      var blocks: [TrigramBlockWriter] = [TrigramBlockWriter()]
      for place in places where !blocks[blocks.count - 1].add(place) {
        blocks.append(TrigramBlockWriter())
        var block = TrigramBlockWriter()
        let isTaken = block.add(place)
        #expect(isTaken)
        blocks[blocks.count - 1] = block
      }
      var read: [TrigramPlace] = []
      for block in blocks {
        #expect(block.bytes.count <= TrigramBlock.limit)
        let first = try #require(block.first)
        let isSound = block.bytes.withBytes { TrigramBlock.forEachPlace($0, from: first) { read.append($0) } }
        #expect(isSound)
      }
      #expect(read == places, "seed \(seed)")
    }
  }

  @Test func keysAreInTheOrderOfPlaces() throws {
    var random = Seeded(7)
    let places = Self.places(&random, 300)
    let keys = places.map { TrigramBlock.key(Trigram(97, 98, Trigram.end), $0) }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    for (place, key) in zip(places, keys) {
      let read = try #require(key.withBytes { TrigramBlock.read(key: $0) })
      #expect(read.trigram == Trigram(97, 98, Trigram.end))
      #expect(read.place == place)
    }
    #expect([1, 2, 3].withBytes { TrigramBlock.read(key: $0) } == nil)
  }

  /// Bytes of any kind are read to their end or refused; nothing is read beyond them.
  @Test(arguments: [UInt64(1), 2]) func damagedBytesAreRefusedOrRead(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<600 {
      var block = TrigramBlockWriter()
      for place in Self.places(&random, 60) { _ = block.add(place) }
      var bytes = block.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      var count = 0
      _ = bytes.withBytes {
        TrigramBlock.forEachPlace($0, from: block.first ?? TrigramPlace(cluster: 0, spot: 0)) { _ in count += 1 }
      }
      #expect(count <= bytes.count)
    }
  }

  @Test(arguments: [
    ("Ab", ["ab$ 0"]), ("", []), ("x", []), ("äbc", ["abc 0", "bc$ 1", "! 2"]), ("ABC", ["abc 0", "bc$ 1"]),
    ("ß", ["ss$ 0"]), ("aaaa", ["aaa 0", "aaa 1", "aa$ 2"]),
  ])
  func theTrigramsOfAText(_ text: String, _ expected: [String]) {
    var text = text
    var found: [String] = []
    text.withUTF8 {
      TrigramText.forEach(in: UnsafeRawBufferPointer($0)) { trigram, position in
        let shown = trigram.scalars.map {
          $0 == Trigram.end ? "$" : String(Unicode.Scalar($0).map(Character.init) ?? "?")
        }
        found.append((trigram == .irregular ? "!" : shown.joined()) + " \(position)")
      }
    }
    #expect(found == expected)
  }
}
