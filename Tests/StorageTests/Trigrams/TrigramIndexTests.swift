import LMDB
import Schema
import Testing
import Values

@testable import Storage

/// Trigram indexes in step with the objects, however they are written.
@Suite struct TrigramIndexTests {
  private static let properties: [Property] = [.scalar("name", .string, optional: true), .scalar("size", .int)]
  private static let schema = Schema.only(
    "City", properties, indexes: [Index(kind: .trigram, paths: ["name"])])

  /// The objects whose text has a piece, as the index alone says.
  private func objects(_ piece: String, atStart: Bool = false, atEnd: Bool = false, _ file: StoreFile) throws
    -> [UInt64]
  {
    try file.read { snapshot in
      let entity = try #require(snapshot.schema.entity(named: "City"))
      let reader = try snapshot.trigrams(try #require(entity.index(named: "name", kind: .trigram)), of: entity)
      let scalars = TrigramText.scalars(of: Array(piece.utf8))
      let (phrase, _) = try #require(TrigramPhrase.whole(scalars, isAtStart: atStart, isAtEnd: atEnd))
      let counts = try phrase.parts.map { try reader.estimatedCount($0.trigram) }
      var found: [UInt64] = []
      try reader.forEachCluster(with: phrase.chosen(by: counts), work: { _ in }) { cluster, mask in
        mask.forEach { found.append(cluster << 8 | UInt64($0)) }
        return true
      }
      return found
    }
  }

  @Test func followsWhatIsWritten() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let names = ["Zürich", "ZURICH", "Straße", "A\u{0}bc", "St", "S", "", "日本橋"].map { Value.string($0) } + [.null]
    try file.insert(names.map { [$0, .int(1)] }, into: "City")
    #expect(try objects("zurich", file) == [1, 2])
    #expect(try objects("RIC", file) == [1, 2])
    #expect(try objects("zur", atStart: true, file) == [1, 2])
    #expect(try objects("uri", atStart: true, file) == [])
    #expect(try objects("ich", atEnd: true, file) == [1, 2])
    #expect(try objects("ch", atEnd: true, file) == [1, 2])
    #expect(try objects("STRASS", file) == [3])
    #expect(try objects("a\u{0}b", file) == [4])
    #expect(try objects("st", atStart: true, atEnd: true, file) == [5])
    #expect(try objects("日本橋", file) == [8])
    try file.expectWhole()
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "City"))
      try session.update(ObjectNumber(1), of: entity, [(0, .string("Genève"))])
      try session.update(ObjectNumber(9), of: entity, [(0, .string("Zürich West"))])
      try session.update(ObjectNumber(3), of: entity, [(0, .null)])
      _ = try session.delete(ObjectNumber(2), of: entity)
    }
    #expect(try objects("Zurich", file) == [9])
    #expect(try objects("eneve", file) == [1])
    #expect(try objects("strasse", file) == [])
    try file.expectWhole()
  }

  @Test func aRollbackLeavesIt() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.string("Alaska"), .int(1)]], into: "City")
    struct Rollback: Error {}
    #expect(throws: Rollback.self) {
      try file.write { session in
        let entity = try #require(session.schema.entity(named: "City"))
        try session.insert([.string("Alaska"), .int(2)], into: entity)
        try session.update(ObjectNumber(1), of: entity, [(0, .string("Hawaii"))])
        _ = try session.snapshot()
        throw Rollback()
      }
    }
    #expect(try objects("alaska", file) == [1])
    try file.expectWhole()
  }

  /// What the index says after many changes is what the texts say; blocks are split, joined and emptied on the way.
  @Test(arguments: [UInt64(11), 12, 13]) func followsManyChanges(seed: UInt64) throws {
    var random = Seeded(seed)
    let file = try StoreFile.inMemory(declaring: Self.schema)
    var texts: [UInt64: String] = [:]
    var next: UInt64 = 1
    func text() -> String {
      let letters = ["a", "b", "c", "É"]
      return String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }.joined())
    }
    for round in 0..<12 {
      try file.write { session in
        let entity = try #require(session.schema.entity(named: "City"))
        for _ in 0..<Int.random(in: 0...1500, using: &random) {
          let text = text()
          try session.insert([.string(text), .int(0)], into: entity)
          texts[next] = text
          next += 1
        }
        for object in texts.keys.sorted() {
          switch Int.random(in: 0..<(round % 3 == 2 ? 3 : 20), using: &random) {
          case 0:
            let text = text()
            try session.update(ObjectNumber(object), of: entity, [(0, .string(text))])
            texts[object] = text
          case 1:
            _ = try session.delete(ObjectNumber(object), of: entity)
            texts[object] = nil
          default: break
          }
        }
      }
      try file.expectWhole("seed \(seed), round \(round)")
      for piece in ["abc", "aaaa", "bca", "ecab", "acabbc"] {
        let bytes = Array(piece.utf8)
        let expected = texts.filter { TextFolding.full.fold($0.value).containsRun(bytes) }.keys.sorted()
        #expect(try objects(piece, file) == expected, "seed \(seed), round \(round), \(piece)")
      }
    }
  }

  @Test func isBuiltOverObjectsThatAreThere() throws {
    let file = try StoreFile.inMemory(declaring: Schema.only("City", Self.properties))
    try file.insert((0..<3000).map { [.string($0 % 3 == 0 ? "Älg \($0)" : "other \($0)"), .int(0)] }, into: "City")
    try file.declare(Self.schema)
    #expect(try objects("ALG ", file).count == 1000)
    #expect(try objects("r 2999", file) == [3000])
    try file.expectWhole()
    // And it goes again.
    try file.declare(SchemaDeclaration(Schema(), removing: ["@trigram City.name"]))
    #expect(try file.entity("City").indexes.isEmpty)
    try file.expectWhole()
  }

  /// One text that is long, and one cluster whose texts have one trigram many times.
  @Test func textsWithOneTrigramManyTimes() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let long = String(repeating: "a", count: 5000)
    try file.insert((0..<300).map { [.string($0 % 2 == 0 ? long : "aaab"), .int(0)] }, into: "City")
    #expect(try objects("aaaaa", file).count == 150)
    #expect(try objects("aab", file).count == 150)
    try file.expectWhole()
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "City"))
      for number in 1...299 { try session.update(ObjectNumber(UInt64(number)), of: entity, [(0, .string("bbb"))]) }
    }
    #expect(try objects("aaa", file) == [300])
    #expect(try objects("bbb", file).count == 299)
    try file.expectWhole()
  }

  @Test func whatACheckFindsWrong() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.string("Alaska"), .int(1)], [.string("Texas"), .int(1)]], into: "City")
    func put(_ trigram: Trigram, _ spots: [UInt16]?) throws {
      try file.environment.write { transaction in
        let catalog = try file.catalog(in: transaction)
        let entity = try #require(catalog.schema.entity(named: "City"))
        let index = try catalog.tables(of: entity).indexes[0]
        var block = TrigramBlockWriter()
        for spot in spots ?? [] { _ = block.add(TrigramPlace(cluster: 0, spot: spot)) }
        let place = TrigramPlace(cluster: 0, spot: spots?.first ?? 1 << 8)
        try TrigramBlock.key(trigram, place).withUnsafeBytes { key in
          try block.bytes.withUnsafeBytes {
            if spots == nil { _ = try transaction.delete(key, index) } else { try transaction.put(key, $0, index) }
          }
        }
      }
    }
    try file.expectWhole()
    try put(Trigram(97, 108, 97), nil)
    #expect(try file.check().problems == ["the trigram index name of City lacks trigrams of object 1"])
    #expect(
      try file.check().problems == ["the index name of City is damaged and not used: reindex builds it anew"])
    try file.reindex()
    try file.expectWhole()
    try put(Trigram(97, 108, 97), [1 << 8, 1 << 8 | 9, 2 << 8])
    #expect(
      try file.check().problems == [
        "the trigram index name of City has object 1 under trigrams that its text does not have",
        "the trigram index name of City has object 2 under trigrams that its text does not have",
      ])
    try file.reindex()
    try file.expectWhole()
    try put(Trigram(97, 97, 97), [7 << 8])
    #expect(try file.check().problems == ["the trigram index name of City has object 7, which does not exist"])
  }

  /// Blocks of nonsense give errors or nothing, never more.
  @Test(arguments: [UInt64(1), 2, 3]) func damagedBlocks(seed: UInt64) throws {
    var random = Seeded(seed)
    for _ in 0..<40 {
      let file = try StoreFile.inMemory(declaring: Self.schema)
      try file.insert((0..<600).map { [.string("ababab \($0) alaska"), .int(1)] }, into: "City")
      try file.environment.write { transaction in
        let catalog = try file.catalog(in: transaction)
        let entity = try #require(catalog.schema.entity(named: "City"))
        let index = try catalog.tables(of: entity).indexes[0]
        var entries: [(key: [UInt8], value: [UInt8])] = []
        let cursor = try transaction.cursor(index)
        var entry = try cursor.first()
        while let found = entry {
          entries.append((Array(found.key), Array(found.value)))
          entry = try cursor.next()
        }
        for (key, value) in entries where Int.random(in: 0..<3, using: &random) == 0 {
          var value = value
          value[Int.random(in: 0..<value.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
          if Bool.random(using: &random) {
            value = Array(value.prefix(Int.random(in: 1...value.count, using: &random)))
          }
          var place = key
          if Int.random(in: 0..<4, using: &random) == 0 {
            _ = try key.withUnsafeBytes { try transaction.delete($0, index) }
            place[Int.random(in: 0..<place.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            place = Array(place.prefix(Int.random(in: 1...20, using: &random)))
          }
          try place.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(key, $0, index) } }
        }
      }
      for piece in ["aba", "babab", "alaska", " 59", "bab alas"] { _ = try? objects(piece, file) }
      #expect(try !file.check().problems.isEmpty, "seed \(seed)")
      _ = try? file.write { session in
        let entity = try #require(session.schema.entity(named: "City"))
        for number in 1...50 { try session.update(ObjectNumber(UInt64(number)), of: entity, [(0, .string("ababa"))]) }
      }
    }
  }
}

extension [UInt8] {
  fileprivate func containsRun(_ other: [UInt8]) -> Bool {
    count >= other.count && (0...(count - other.count)).contains { self[$0..<($0 + other.count)].elementsEqual(other) }
  }
}
