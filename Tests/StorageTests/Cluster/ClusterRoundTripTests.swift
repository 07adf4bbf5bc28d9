import Schema
import Storage
import Testing
import Values

@Suite struct ClusterRoundTripTests {
  /// A random cluster: rows in random slots, columns of random types and shapes.
  struct Sample {
    let entity: StoredEntity
    var rows: [Int: [Value]]

    init(_ random: inout RandomValues, long: Bool = false) {
      let types: [Column.Kind] =
        (ScalarType.allCases + [.int, .string, .double]).map { .scalar($0) }
        + CollectionKind.allCases.flatMap { kind in
          (0..<2).map { _ in
            .collection(kind, ScalarType.allCases.randomElement(using: &random.generator) ?? .string)
          }
        }
        + (0..<3).map {
          .parts(ScalarType.allCases.randomElement(using: &random.generator) ?? .string, isOptional: $0 > 0)
        } + [.presences]
      let entity = ClusterFixture.entity(types)
      let shapes = types.map { _ in RandomValues.Shape.allCases.randomElement(using: &random.generator) ?? .any }
      let nilRates = types.map { _ in [0, 0, 5, 50, 100].randomElement(using: &random.generator) ?? 0 }
      let highest = Int.random(in: 0...255, using: &random.generator)
      let fill = [100, 100, 90, 10].randomElement(using: &random.generator) ?? 100
      var rows: [Int: [Value]] = [:]
      for slot in 0...highest where Int.random(in: 0..<100, using: &random.generator) < fill {
        rows[slot] = types.indices.map { column in
          if Int.random(in: 0..<100, using: &random.generator) < nilRates[column] { return .null }
          if long, types[column] == .scalar(.string), Int.random(in: 0..<20, using: &random.generator) == 0 {
            return .string(String(repeating: "長", count: 1000) + "\(slot)")
          }
          let large = long && Int.random(in: 0..<1000, using: &random.generator) == 0
          return random.value(types[column], shapes[column], large: large)
        }
      }
      self.entity = entity
      self.rows = rows
    }
  }

  static func expectSame(_ view: ClusterView, _ sample: Sample) throws {
    #expect(view.present.count == sample.rows.count)
    #expect(view.slotCount == (sample.rows.keys.max() ?? -1) + 1)
    let columns = try sample.entity.columns.indices.map { try view.column($0) }
    for slot in 0..<256 {
      guard let row = sample.rows[slot] else {
        #expect(!view.present[slot])
        #expect(try view.row(slot) == nil)
        continue
      }
      let stored = try #require(try view.row(slot))
      #expect(zip(columns, row).allSatisfy { $0.elementCount(at: slot) == $1.elementCount })
      #expect(zip(stored, row).allSatisfy { $0.isSame(as: $1) }, "slot \(slot): \(stored) for \(row)")
    }
  }

  static func expectRanges(_ view: ClusterView, _ sample: Sample) throws {
    for column in sample.entity.columns.indices {
      let values = sample.rows.values.map { $0[column] }
      if sample.entity.columns[column].collectionKind != nil {
        #expect(view.range(column) == nil)
        continue
      }
      let type = sample.entity.columns[column].scalarType
      let keys = values.filter {
        !$0.isNull && !$0.isSame(as: .double(.nan)) && !$0.isSame(as: .float(.nan))
          && !$0.isSame(as: .date(Instant(seconds: .nan)))
      }
      .map { IndexKey.encode([$0], types: [type]) }.sorted { $0.lexicographicallyPrecedes($1) }
      guard let range = view.range(column) else {
        #expect([.string, .data, .decimal, .uuid].contains(type))
        continue
      }
      #expect(range.nullCount == values.count(where: \.isNull))
      #expect(IndexKey.encode([range.minimum], types: [type]) == keys.first ?? [0])
      #expect(IndexKey.encode([range.maximum], types: [type]) == keys.last ?? [0])
      #expect(
        range.hasNaN
          == values.contains {
            $0.isSame(as: .double(.nan)) || $0.isSame(as: .float(.nan)) || $0.isSame(as: .date(Instant(seconds: .nan)))
          })
    }
  }

  @Test(arguments: 0..<60) func randomRowsComeBack(_ run: Int) throws {
    let seed = UInt64(run) &* 7919 &+ 1
    var random = RandomValues(generator: SeededGenerator(seed: seed))
    let sample = Sample(&random, long: run % 3 == 0)
    let limit = run % 4 == 0 ? 300 : Int.max
    let encoded = try ClusterFixture.builder(sample.rows, of: sample.entity).encode(transaction: 9, chunkLimit: limit)
    #expect(encoded.bytes.count % 8 == 0)
    let memory = ClusterMemory(encoded)
    let view = try memory.view(sample.entity)
    #expect(view.transaction == 9)
    try Self.expectSame(view, sample)
    try Self.expectRanges(view, sample)
    // The second look reads what was checked before.
    try Self.expectSame(try memory.view(sample.entity), sample)
    // Decoded and encoded again, the bytes are the same.
    let again = try ClusterBuilder(decoding: view).encode(transaction: 9, chunkLimit: limit)
    #expect(again.bytes == encoded.bytes, "seed \(seed)")
    // Not changed, they are too, without being decoded.
    let untouched = try ClusterBuilder(changing: view).encode(transaction: 9, chunkLimit: limit)
    #expect(untouched.bytes == encoded.bytes, "seed \(seed)")
  }

  @Test(arguments: 0..<40) func changesComeBack(_ run: Int) throws {
    var random = RandomValues(generator: SeededGenerator(seed: UInt64(run) + 1000))
    var sample = Sample(&random, long: run % 2 == 0)
    let limit = run % 4 < 2 ? 400 : Int.max
    let memory = ClusterMemory(
      try ClusterFixture.builder(sample.rows, of: sample.entity).encode(transaction: 1, chunkLimit: limit))
    for transaction in 2..<6 {
      let view = try memory.view(sample.entity)
      let builder = try transaction % 2 == 0 ? ClusterBuilder(changing: view) : ClusterBuilder(decoding: view)
      for _ in 0..<(transaction % 3 == 0 ? 3 : 60) {
        let slot = Int.random(in: 0...255, using: &random.generator)
        let column = sample.entity.columns.indices.randomElement(using: &random.generator) ?? 0
        let type = sample.entity.columns[column].column.kind
        switch Int.random(in: 0..<5, using: &random.generator) {
        case 0:
          try builder.remove(slot)
          sample.rows[slot] = nil
        case 1 where sample.rows[slot] == nil:
          let row = sample.entity.columns.map { random.value($0.column.kind, .any) }
          try builder.append(row, at: slot)
          sample.rows[slot] = row
        default:
          guard sample.rows[slot] != nil else { continue }
          let large = Int.random(in: 0..<60, using: &random.generator) == 0
          var value = random.value(
            type, RandomValues.Shape.allCases.randomElement(using: &random.generator) ?? .any, large: large)
          if Int.random(in: 0..<6, using: &random.generator) == 0 { value = .null }
          if type == .scalar(.string), Int.random(in: 0..<3, using: &random.generator) == 0 {
            value = .string(String(repeating: "x", count: 3000 + slot))
          }
          try builder.set(slot, column, value)
          sample.rows[slot]?[column] = value
          #expect(try builder.value(slot, column).isSame(as: value))
        }
      }
      for (slot, row) in sample.rows {
        let kept = try #require(try builder.row(slot))
        #expect(zip(kept, row).allSatisfy { $0.isSame(as: $1) })
      }
      memory.replace(with: try builder.encode(transaction: UInt64(transaction), chunkLimit: limit))
      try Self.expectSame(try memory.view(sample.entity), sample)
      try Self.expectRanges(try memory.view(sample.entity), sample)
      // Nothing is left behind: what is out of line is what some slot has, or a chunk.
      let long = sample.rows.reduce(0) { count, row in
        count + row.value.count { if case .string(let text) = $0 { text.utf8.count > 2048 } else { false } }
      }
      let changed = try memory.view(sample.entity)
      let distant = try sample.entity.columns.indices.filter { sample.entity.columns[$0].collectionKind != nil }
        .reduce(0) { $0 + (try changed.column($1).outOfLine.count) }
      #expect(memory.keys.count { $0.slot != nil } == long + distant)
    }
  }
}

extension Value {
  /// How many elements a collection has; none where it is something else.
  var elementCount: Int {
    switch self {
    case .list(let elements): elements.count
    case .embedded(let fields): fields.count
    default: 0
    }
  }
}
