import Schema
import Storage
import Testing
import Values

/// How collections are laid out, and what is seen of them without decoding.
@Suite struct CollectionEncodingTests {
  private func memory(_ kind: CollectionKind, _ type: ScalarType, _ values: [Value]) throws -> (
    StoredEntity, ClusterMemory
  ) {
    let entity = ClusterFixture.entity([.collection(kind, type)])
    let rows = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0, [$1]) })
    return (entity, ClusterMemory(try ClusterFixture.builder(rows, of: entity).encode(transaction: 1)))
  }

  /// The name of the encoding of the joined elements.
  private func encoding(_ type: ScalarType, _ element: (Int) -> Value) throws -> String {
    let values = (0..<100).map { slot in Value.list((0..<3).map { element(3 * slot + $0) }) }
    let (entity, memory) = try memory(.array, type, values)
    let column = try memory.view(entity).column(0)
    for slot in 0..<100 { #expect(try column.value(at: slot) == values[slot]) }
    let collections = try #require(column.collections)
    #expect(collections.elementCount == 300)
    #expect(collections.range(at: 7) == 21..<24)
    return collections.elements.encoding
  }

  @Test func elementsHaveTheCheapestEncoding() throws {
    #expect(try encoding(.int) { .int(Int64($0 % 200)) } == "int8")
    #expect(try encoding(.int) { .int(Int64($0) * 200 - 70) } == "int16")
    #expect(try encoding(.int32) { .int(Int64($0) * 65537) } == "int32")
    #expect(try encoding(.int) { .int($0 == 0 ? .min : .max) } == "int64")
    #expect(try encoding(.bool) { .bool($0 % 7 == 1) } == "bits")
    #expect(try encoding(.float) { .float(Float($0)) } == "float32")
    #expect(try encoding(.double) { .double($0 == 3 ? -0.0 : 0) } == "float64")
    #expect(try encoding(.date) { .date(Instant(seconds: Double($0))) } == "float64")
    #expect(try encoding(.uuid) { .uuid(UUIDBytes(high: UInt64($0), low: 1)) } == "uuid")
    #expect(try encoding(.string) { .string(["red", "green", "", "blue"][$0 & 3]) } == "dictionary")
    #expect(try encoding(.string) { .string("text number \($0)") } == "text")
    #expect(try encoding(.data) { .data([0xFF, UInt8($0 & 255), UInt8($0 >> 8)]) } == "text")
  }

  /// Nil among elements of every type, in line and out of line, through memory and back twice.
  @Test(arguments: ScalarType.allCases)
  func elementsMayBeNilWhereTheyMay(type: ScalarType) throws {
    var random = RandomValues(generator: SeededGenerator(seed: 7))
    let entity = ClusterFixture.entity([.parts(type, isOptional: true), .parts(type, isOptional: false)])
    var rows: [Int: [Value]] = [:]
    for slot in 0..<120 {
      let count = slot == 60 ? 3000 : slot % 7
      let values = (0..<count).map { _ in random.value(type, .wide) }
      let some = values.map { Int.random(in: 0..<3, using: &random.generator) == 0 ? Value.null : $0 }
      rows[slot] = [.list(slot % 11 == 3 ? values.map { _ in .null } : some), .list(values)]
    }
    let memory = ClusterMemory(try ClusterFixture.builder(rows, of: entity).encode(transaction: 1))
    let view = try memory.view(entity)
    let again = try ClusterBuilder(decoding: view)
    for (slot, row) in rows {
      #expect(try view.row(slot)?[0].isSame(as: row[0]) == true, "slot \(slot)")
      #expect(try view.row(slot)?[1].isSame(as: row[1]) == true, "slot \(slot)")
      #expect(try again.row(slot)?[0].isSame(as: row[0]) == true, "slot \(slot)")
      if case .list(let elements) = row[0] {
        #expect(try elements.indices.allSatisfy { try view.column(0).element(at: slot, $0).isSame(as: elements[$0]) })
        #expect(try view.column(0).element(at: slot, elements.count) == .null)
      }
    }
    #expect(throws: StoreError.self) { try again.set(0, 1, .list([.null])) }
    #expect(throws: StoreError.self) { try again.set(0, 0, .list([.list([])])) }
  }

  @Test func sameCollectionsAreThereOnce() throws {
    let value = Value.list([.string("a"), .string("b")])
    let (entity, memory) = try memory(.array, .string, Array(repeating: value, count: 256))
    let column = try memory.view(entity).column(0)
    #expect(column.collections?.isShared == true)
    #expect(column.collections?.elementCount == 2)
    #expect(try (0..<256).allSatisfy { try column.value(at: $0) == value && column.elementCount(at: $0) == 2 })
    let (other, empty) = try self.memory(.dictionary, .int, Array(repeating: .embedded([]), count: 256))
    #expect(empty.bytes.count < 300)
    #expect(try empty.view(other).row(255) == [.embedded([])])
  }

  @Test func setsAndDictionariesAreKeptInOrder() throws {
    let (entity, sets) = try memory(
      .set, .double, [.list([.double(.nan), .double(0.0), .double(-0.0), .double(-1), .double(.nan)])])
    #expect(
      try sets.view(entity).row(0)?[0].isSame(as: .list([.double(-1), .double(0), .double(.nan)])) == true)
    let (other, dictionaries) = try memory(
      .dictionary, .int,
      [
        .embedded([
          EmbeddedField(name: "é", value: .int(1)), EmbeddedField(name: "b", value: .int(2)),
          EmbeddedField(name: "", value: .int(3)), EmbeddedField(name: "b", value: .int(4)),
        ])
      ])
    #expect(
      try dictionaries.view(other).row(0) == [
        .embedded([
          EmbeddedField(name: "", value: .int(3)), EmbeddedField(name: "b", value: .int(4)),
          EmbeddedField(name: "é", value: .int(1)),
        ])
      ])
    let elements = try #require(try dictionaries.view(other).column(0).elements(at: 0))
    #expect(elements.range.map { String(decoding: elements.key(at: $0), as: UTF8.self) } == ["", "b", "é"])
  }

  @Test func largeCollectionsAreOutOfLine() throws {
    let long = Value.list((0..<2000).map { .int($0 * 1_000_003) })
    let (entity, memory) = try memory(
      .array, .int, [.list([.int(1)]), long, .null, .list([]), .list([.int(2), .int(3)])])
    let key = OutOfLineKey(cluster: 3, column: 1, slot: 1)
    #expect(memory.keys == [key])
    let column = try memory.view(entity).column(0)
    #expect((0..<5).map { column.elementCount(at: $0) } == [1, 2000, 0, 0, 2])
    #expect(column.collections?.elementCount == 3)
    #expect(try column.value(at: 1) == long)
    #expect(try column.elements(at: 1)?.count == 2000)
    #expect(try column.elements(at: 2) == nil)
    memory.damage(key)
    #expect(throws: StoreError.self) { try memory.view(entity).row(1) }
    #expect(throws: StoreError.self) { try ClusterBuilder(decoding: memory.view(entity)).value(1, 0) }
    #expect(try memory.view(entity).row(4) == [.list([.int(2), .int(3)])])
  }

  @Test func whatIsNoSuchCollectionIsRefused() throws {
    let entity = ClusterFixture.entity([.collection(.set, .int8), .collection(.dictionary, .string)])
    let builder = try ClusterFixture.builder([0: [.list([]), .embedded([])]], of: entity)
    let wrong: [(Int, Value, String)] = [
      (0, .int(1), "takes Set<Int8>, not 1"), (0, .embedded([]), "takes Set<Int8>, not a struct"),
      (0, .list([.int(1), .int(128)]), "takes Set<Int8>, not a list with 128"),
      (0, .list([.null]), "takes Set<Int8>, not a list with nil"), (1, .list([]), "takes [String: String], not a list"),
      (1, .embedded([EmbeddedField(name: "a", value: .int(3))]), "takes [String: String], not a struct with 3"),
    ]
    for (column, value, message) in wrong {
      #expect {
        try builder.set(0, column, value)
      } throws: { "\($0)".contains(message) }
    }
    #expect(try builder.row(0) == [.list([]), .embedded([])])
  }

  @Test func aCollectionAddedLaterHasItsDefault() throws {
    let old = ClusterFixture.entity([.int])
    let encoded = try ClusterFixture.builder([0: [.int(1)], 5: [.int(2)]], of: old).encode(transaction: 1)
    let wide = ClusterFixture.entity([
      .scalar(.int), .collection(.array, .string), .collection(.dictionary, .double), .collection(.set, .int),
    ])
    var columns = wide.columns
    let defaults: [Value] = [
      .null, .list([.string("a"), .string("b")]), .embedded([EmbeddedField(name: "k", value: .double(0.5))]),
      .list((0..<5000).map { .int($0) }),
    ]
    for index in 1...3 {
      columns[index] = StoredColumn(
        number: columns[index].number, column: columns[index].column, defaultAtCreation: defaults[index])
    }
    let entity = StoredEntity(number: wide.number, entity: wide.entity, columns: columns, indexes: [])
    let view = try ClusterMemory(encoded).view(entity)
    #expect(try view.row(5) == [.int(2)] + defaults[1...])
    #expect(try view.column(3).elementCount(at: 0) == 5000)
    let builder = try ClusterBuilder(decoding: view)
    try builder.set(0, 1, .null)
    let again = ClusterMemory(try builder.encode(transaction: 2))
    #expect(try again.view(entity).row(0) == [.int(1), .null] + defaults[2...])
    #expect(try again.view(entity).row(5) == [.int(2)] + defaults[1...])
  }
}
