internal import Schema
internal import Storage
internal import Values

/// Makes dynamic objects from their IDs, in one snapshot.
struct DynamicReader: ObjectReader {
  private let layout: DynamicLayout
  private let store: StoreReference
  private var cache: ClusterColumnsCache

  init(_ snapshot: Snapshot, _ entity: StoredEntity, _ store: Store) {
    self.store = store.reference
    layout = store.layout(entity, in: snapshot.schema)
    cache = ClusterColumnsCache(snapshot, entity, columns: entity.columns.indices.map { $0 })
  }

  mutating func item(_ number: ObjectNumber) throws -> DynamicObject? {
    guard let columns = try cache.columns(of: number) else { return nil }
    var values: [Value] = []
    values.reserveCapacity(layout.columns.count)
    for position in layout.isLink.indices {
      let value = try columns.value(position, slot: number.slot)
      values.append(layout.isLink[position] ? layout.columns[position].linked(value) : value)
    }
    return DynamicObject(id: number, values: values, layout: layout, store: store)
  }
}

/// Makes rows of the values at some paths from object IDs, in one snapshot; reads no other columns.
struct RowReader: ObjectReader {
  private let layout: DynamicLayout
  private let nodes: [DynamicLayout.Node]
  /// The columns that are read, ascending.
  private let wanted: [Int]
  /// The position of each path in `wanted`, if no path leads to a struct.
  private let leaves: [Int]?
  private var cache: ClusterColumnsCache
  private var whole: [Value]

  init(_ paths: [String], _ snapshot: Snapshot, _ entity: StoredEntity) throws {
    // The schema may have changed since the query was made.
    layout = DynamicLayout(entity, in: snapshot.schema.schema)
    var nodes: [DynamicLayout.Node] = []
    for path in paths {
      guard let node = layout.node(at: path) else { throw entity.unknownProperty(path) }
      nodes.append(node)
    }
    self.nodes = nodes
    let wanted = Array(Set(nodes.flatMap(\.columns))).sorted()
    self.wanted = wanted
    let positions = nodes.compactMap { node in
      if case .leaf(let column) = node { wanted.firstIndex(of: column) } else { nil }
    }
    leaves = positions.count == nodes.count ? positions : nil
    cache = ClusterColumnsCache(snapshot, entity, columns: wanted)
    whole = Array(repeating: .null, count: entity.columns.count)
  }

  mutating func item(_ number: ObjectNumber) throws -> [Value]? {
    guard let columns = try cache.columns(of: number) else { return nil }
    if let leaves {
      return try leaves.map { try value(of: wanted[$0], at: $0, columns, number.slot) }
    }
    for (position, column) in wanted.enumerated() {
      whole[column] = try value(of: column, at: position, columns, number.slot)
    }
    return nodes.map { layout.value(of: $0, in: whole) }
  }

  @inline(__always)
  private func value(of column: Int, at position: Int, _ columns: ClusterColumns, _ slot: Int) throws -> Value {
    let value = try columns.value(position, slot: slot)
    return layout.isLink[column] ? layout.columns[column].linked(value) : value
  }
}

/// Makes rows with names instead of linked objects.
struct NamedRowReader: ObjectReader {
  private var rows: RowReader
  private var names: LinkNames

  init(_ paths: [String], _ snapshot: Snapshot, _ entity: StoredEntity) throws {
    rows = try RowReader(paths, snapshot, entity)
    names = LinkNames(snapshot)
  }

  mutating func item(_ number: ObjectNumber) throws -> (ObjectNumber, [Value])? {
    guard let row = try rows.item(number) else { return nil }
    return (number, try names.named(row))
  }
}

extension Column {
  /// A value with the objects that links lead to instead of their numbers.
  func linked(_ value: Value) -> Value {
    guard let target else { return value }
    switch value {
    case .int(let number):
      return .object(ObjectReference(entity: target, number: ObjectNumber(UInt64(bitPattern: number))))
    case .list(let elements): return .list(elements.map(linked))
    default: return value
    }
  }
}
