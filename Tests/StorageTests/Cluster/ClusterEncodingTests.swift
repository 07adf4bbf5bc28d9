import Schema
import Storage
import Testing
import Values

@Suite struct ClusterEncodingTests {
  /// The name of the encoding that a column of 256 such values gets.
  private func encoding(_ type: ScalarType, _ value: (Int) -> Value) throws -> String {
    let entity = ClusterFixture.entity([type])
    let rows = Dictionary(uniqueKeysWithValues: (0..<256).map { ($0, [value($0)]) })
    let memory = ClusterMemory(try ClusterFixture.builder(rows, of: entity).encode(transaction: 1))
    let view = try memory.view(entity)
    for slot in 0..<256 { #expect(try view.column(0).value(at: slot).isSame(as: value(slot))) }
    return try view.column(0).values.encoding
  }

  private static func decimal(_ number: Int, _ exponent: Int) -> Value {
    DecimalValue(isNegative: number < 0, magnitude: UInt128(number.magnitude), exponent: exponent).map(Value.decimal)
      ?? .null
  }

  @Test func everyEncodingIsChosenWhereItFits() throws {
    #expect(try encoding(.int) { _ in .int(.min) } == "same")
    #expect(try encoding(.int) { _ in .null } == "same")
    #expect(try encoding(.string) { _ in .string("earthquake") } == "same")
    #expect(try encoding(.bool) { .bool($0 % 3 == 0) } == "bits")
    #expect(try encoding(.int) { .int(.min + Int64($0)) } == "int8")
    #expect(try encoding(.int) { .int(.max - Int64($0) * 257) } == "int16")
    #expect(try encoding(.int16) { .int(Int64($0 * 256 - 32768)) } == "int16")
    #expect(try encoding(.int32) { .int(Int64($0) * 65537) } == "int32")
    #expect(try encoding(.int) { .int($0 == 0 ? .min : .max) } == "int64")
    #expect(try encoding(.float) { .float(Float($0) / 3) } == "float32")
    #expect(try encoding(.float) { .float(Float($0) / 10) } == "scaled8")
    #expect(try encoding(.float) { .float(Float($0 * 999) / 100) } == "float32")
    #expect(try encoding(.float) { .float(Float($0 * 99) / 100) } == "scaled16")
    #expect(try encoding(.double) { .double(Double($0) / 3) } == "float64")
    #expect(try encoding(.double) { .double(Double($0)) } == "scaled8")
    #expect(try encoding(.double) { .double(Double($0 * 257 - 1000) / 100) } == "scaled16")
    #expect(try encoding(.double) { .double($0 == 0 ? -0.0 : Double($0)) } == "float64")
    #expect(try encoding(.double) { .double($0 == 9 ? .infinity : Double($0)) } == "float64")
    #expect(try encoding(.double) { .double(Double($0 * 65_537) / 10_000_000) } == "scaled32")
    #expect(try encoding(.double) { .double(Double($0) * 1e10) } == "float64")
    #expect(try encoding(.date) { .date(Instant(seconds: Double($0 * 12_345_678) / 1000 + 5e8)) } == "scaled32")
    #expect(try encoding(.date) { .date(Instant(seconds: Double($0 * 123_456_789) / 1000)) } == "scaled40")
    #expect(try encoding(.decimal) { _ in Self.decimal(9_223_372_036_854_775_807, -3) } == "same")
    #expect(try encoding(.decimal) { Self.decimal($0 * 10, -2) } == "scaled8")
    #expect(try encoding(.decimal) { Self.decimal($0 - 1_000, -18) } == "scaled8")
    #expect(try encoding(.decimal) { Self.decimal(.max - $0 % 2, 0) } == "scaled8")
    #expect(try encoding(.decimal) { Self.decimal($0 == 0 ? 1 : 250, $0 == 0 ? -2 : 0) } == "scaled16")
    #expect(try encoding(.decimal) { Self.decimal($0 - 7, 7) } == "scaled32")
    #expect(try encoding(.decimal) { Self.decimal($0 == 0 ? .min + 1 : .max, -18) } == "scaled64")
    #expect(try encoding(.decimal) { Self.decimal($0, -19) } == "text")
    #expect(try encoding(.decimal) { Self.decimal($0 + 1, 40) } == "text")
    #expect(try encoding(.decimal) { $0 == 200 ? .decimal(.nan) : Self.decimal($0, 0) } == "text")
    #expect(try encoding(.decimal) { Self.decimal($0 & 1, $0 & 1 == 1 ? 19 : 0) } == "dictionary")
    #expect(try encoding(.uuid) { .uuid(UUIDBytes(high: UInt64($0), low: 1)) } == "uuid")
    #expect(try encoding(.string) { .string(["earthquake", "explosion"][$0 & 1]) } == "dictionary")
    #expect(try encoding(.data) { .data([[0xFF, 0], [0xFF]][$0 & 1]) } == "dictionary")
    #expect(try encoding(.string) { .string("us7000\($0)") } == "text")
    #expect(try encoding(.data) { .data([0xFF, UInt8($0)]) } == "text")
  }

  /// The widest span of each width, and one more: a narrower entry would lose its highest bit.
  @Test(arguments: [
    (255, "int8", "scaled8"), (256, "int16", "scaled16"), (65_535, "int16", "scaled16"), (65_536, "int32", "scaled32"),
    ((1 << 32) - 1, "int32", "scaled32"), (1 << 32, "int64", "scaled40"), ((1 << 40) - 1, "int64", "scaled40"),
    (1 << 40, "int64", "float64"),
  ])
  func aWidthHoldsItsWidestSpan(span: Int, integers: String, decimals: String) throws {
    for least in [0, -7, -span] {
      #expect(try encoding(.int) { .int(Int64(least + ($0 % 3 == 0 ? span : $0 % 2))) } == integers)
      #expect(try encoding(.double) { .double(Double(least + ($0 % 3 == 0 ? span : $0 % 2))) } == decimals)
      let exact = decimals == "float64" ? "scaled64" : decimals
      #expect(try encoding(.decimal) { Self.decimal(least + ($0 % 3 == 0 ? span : $0 % 2), -3) } == exact)
    }
  }

  @Test func aPropertyAddedLaterHasItsDefault() throws {
    let old = ClusterFixture.entity([.int])
    let rows: [Int: [Value]] = [0: [.int(1)], 5: [.int(2)]]
    let encoded = try ClusterFixture.builder(rows, of: old).encode(transaction: 1)
    let wide = ClusterFixture.entity([.int, .string, .double])
    var columns = wide.columns
    columns[1] = StoredColumn(
      number: 2, column: columns[1].column, defaultAtCreation: .string("unknown, so far as we know"))
    // The new columns come first: places are by number.
    let entity = StoredEntity(
      number: wide.number, entity: wide.entity, columns: [columns[2], columns[1], columns[0]], indexes: [])
    let view = try ClusterMemory(encoded).view(entity)
    #expect(try view.row(5) == [.null, .string("unknown, so far as we know"), .int(2)])
    #expect(try view.column(0).nulls == view.present)
    #expect(try view.column(1).text(at: 0).elementsEqual("unknown, so far as we know".utf8))
    #expect(view.range(0)?.nullCount == 2)
    let again = ClusterMemory(try ClusterBuilder(decoding: view).encode(transaction: 2))
    #expect(try again.view(entity).row(0) == [.null, .string("unknown, so far as we know"), .int(1)])
  }

  @Test func whatDoesNotFitIsRefusedAndChangesNothing() throws {
    let entity = ClusterFixture.entity([.int8, .string])
    let builder = try ClusterFixture.builder([3: [.int(1), .string("one")]], of: entity)
    #expect(throws: StoreError.wrongType(entity: "Thing", path: "c0", expected: "Int8", got: "128")) {
      try builder.append([.int(128), .string("")], at: 4)
    }
    #expect(throws: StoreError.wrongType(entity: "Thing", path: "c1", expected: "String", got: "Data")) {
      try builder.append([.int(1), .data([])], at: 4)
    }
    #expect(throws: StoreError.self) { try builder.append([.int(1)], at: 4) }
    #expect(throws: StoreError.self) { try builder.append([.int(1), .null], at: 3) }
    #expect(throws: StoreError.self) { try builder.append([.int(1), .null], at: 256) }
    #expect(throws: StoreError.self) { try builder.append([.int(1), .null], at: -1) }
    #expect(throws: StoreError.self) { try builder.set(4, 0, .int(1)) }
    #expect(throws: StoreError.self) { try builder.set(3, 2, .int(1)) }
    #expect(throws: StoreError.self) { try builder.set(3, 0, .list([])) }
    #expect(throws: StoreError.self) { try builder.value(9, 0) }
    #expect(try builder.row(3) == [.int(1), .string("one")])
    #expect(builder.present.count == 1)
    try builder.remove(3)
    try builder.remove(-1)
    #expect(builder.isEmpty)
    let empty = ClusterMemory(try builder.encode(transaction: 1))
    #expect(try empty.view(entity).present.isEmpty)
  }

  @Test func bytesAtAnyAddressAreRead() throws {
    let entity = ClusterFixture.entity([.int, .string])
    let rows: [Int: [Value]] = [0: [.int(7), .string("seven")], 200: [.int(8), .null]]
    let encoded = try ClusterFixture.builder(rows, of: entity).encode(transaction: 1)
    for shift in 0..<8 {
      let shifted = ClusterMemory([UInt8](repeating: 0, count: shift) + encoded.bytes)
      let bytes = UnsafeRawBufferPointer(rebasing: shifted.bytes[shift...])
      let view = try ClusterView(bytes, number: 3, context: ClusterContext(entity: entity))
      #expect(try view.row(0) == rows[0])
      #expect(try view.row(200) == rows[200])
      withExtendedLifetime(shifted) {}
    }
  }

  @Test func masks() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<200 {
      let slots = Set((0..<Int.random(in: 0...40, using: &random)).map { _ in Int.random(in: 0..<256, using: &random) })
      var mask = Mask.none
      for slot in slots { mask[slot] = true }
      var seen: [Int] = []
      mask.forEach { seen.append($0) }
      #expect(seen == slots.sorted() && mask.count == slots.count)
      #expect(mask.first == slots.min() && mask.last == slots.max() && mask.isEmpty == slots.isEmpty)
      #expect((~mask).count == 256 - slots.count && (mask ^ ~mask) == .all && (mask & ~mask).isEmpty)
      let n = Int.random(in: -3...300, using: &random)
      #expect(Mask(firstCount: n).count == min(max(n, 0), 256))
      #expect((mask & Mask(firstCount: n)).count == slots.count { $0 < n })
    }
  }
}

extension ColumnValues {
  /// The name of the encoding.
  var encoding: String {
    switch self {
    case .same: "same"
    case .bits: "bits"
    case .numbers(let numbers):
      switch numbers.layout {
      case .offsets8: numbers.areDecimals ? "scaled8" : "int8"
      case .offsets16: numbers.areDecimals ? "scaled16" : "int16"
      case .offsets32: numbers.areDecimals ? "scaled32" : "int32"
      case .offsets40: "scaled40"
      case .int64: numbers.areDecimals ? "scaled64" : "int64"
      case .float32: "float32"
      case .float64: "float64"
      }
    case .uuid: "uuid"
    case .dictionary: "dictionary"
    case .text: "text"
    case .collection: "collection"
    }
  }
}

extension NumberBlock {
  /// Whether the numbers are decimals stored as integers.
  var areDecimals: Bool { kind != .integers && layout.isOfIntegers }
}
