import Schema
import Storage
import Values

/// Entities and clusters in memory, for tests that need no store.
enum ClusterFixture {
  /// An entity of optional columns of the given types, named `c0`, `c1`, ….
  static func entity(_ types: [ScalarType], number: UInt32 = 7) -> StoredEntity {
    entity(types.map { .scalar($0) }, number: number)
  }

  /// An entity of optional columns of the given kinds, named `c0`, `c1`, ….
  static func entity(_ kinds: [Column.Kind], number: UInt32 = 7) -> StoredEntity {
    let properties = kinds.enumerated().map { index, kind in
      Property(name: "c\(index)", type: kind.propertyType, isOptional: true)
    }
    let entity = Entity(name: "Thing", properties: properties)
    let columns = Schema(entities: [entity]).columns(of: entity).enumerated().map { index, column in
      var column = column
      column.kind = kinds[index]
      return StoredColumn(number: UInt32(index + 1), column: column, defaultAtCreation: column.defaultValue)
    }
    return StoredEntity(number: number, entity: entity, columns: columns, indexes: [])
  }

  /// The rows, by slot, as a cluster's builder.
  static func builder(_ rows: [Int: [Value]], of entity: StoredEntity, number: UInt64 = 3) throws -> ClusterBuilder {
    let builder = ClusterBuilder(number: number, entity: entity)
    for (slot, row) in rows.sorted(by: { $0.key < $1.key }) { try builder.append(row, at: slot) }
    return builder
  }
}

extension Column.Kind {
  /// The type of a property that has such a column.
  var propertyType: PropertyType {
    switch self {
    case .scalar(let type): .scalar(type)
    case .presence: .scalar(.bool)
    case .collection(.array, let type): .array(type)
    case .collection(.set, let type): .set(type)
    case .collection(.dictionary, let type): .dictionary(type)
    case .link(let target): .link(target)
    case .links(let target): .list(target)
    case .structs: .scalar(.int)
    case .parts(let type, _): .array(type)
    case .presences: .array(.bool)
    }
  }
}

/// Encoded clusters with what is kept beside them: memory at multiples of eight, as LMDB's pages are.
final class ClusterMemory {
  private var kept: [OutOfLineKey: UnsafeRawBufferPointer] = [:]
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var allocated: [UnsafeMutableRawBufferPointer] = []

  deinit {
    for memory in allocated { memory.deallocate() }
  }

  init(_ cluster: EncodedCluster? = nil) {
    if let cluster { replace(with: cluster) }
  }

  init(_ bytes: [UInt8]) { self.bytes = copy(bytes) }

  var keys: Set<OutOfLineKey> { Set(kept.keys) }

  /// Writes what a builder encoded.
  func replace(with cluster: EncodedCluster) {
    bytes = copy(cluster.bytes)
    for change in cluster.outOfLine { kept[change.key] = change.bytes.map { copy($0) } }
  }

  func damage(_ key: OutOfLineKey) { kept[key] = copy([1, 2, 3]) }

  func source() -> OutOfLineSource { { [self] (key) throws(StoreError) in kept[key] } }

  func view(_ entity: StoredEntity, number: UInt64 = 3) throws -> ClusterView {
    try ClusterView(bytes, number: number, context: ClusterContext(entity: entity, source: source()))
  }

  private func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
    memory.copyBytes(from: bytes)
    allocated.append(memory)
    return UnsafeRawBufferPointer(rebasing: memory[..<bytes.count])
  }
}

/// A generator that a seed repeats: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
