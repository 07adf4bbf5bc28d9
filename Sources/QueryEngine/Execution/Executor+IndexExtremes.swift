internal import Storage
internal import Values

/// The minimum and maximum of a column, from the ends of an index.
extension Executor {
  /// The aggregates computed from the ends of indexes.
  func row(_ aggregates: [GroupAggregate], _ ends: IndexMinMax, _ node: PlanNode) throws -> [Value] {
    try aggregates.map { aggregate in
      guard let column = aggregate.argument?.column else { return .int(Int64(try count(ends, node))) }
      return try extreme(aggregate.function, column, ends, node)
    }
  }

  /// The number of objects, if only the ends of their range were read.
  func count(_ ends: IndexMinMax, _ node: PlanNode) throws -> Int {
    metrics?.nodes[node.id].ran = true
    metrics?.nodes[node.id].rows = 1
    if let count = ends.count { return count }
    return try ends.range.map { try countFromIndex($0) } ?? snapshot.objectCount(entity)
  }

  /// The minimum or maximum of a column.
  func extreme(_ aggregate: AggregateFunction, _ column: Int, _ ends: IndexMinMax, _ node: PlanNode) throws -> Value {
    guard let values = ends.values.first(where: { $0.column == column }),
      let value = try extreme(aggregate, in: values.ranges, of: values.index, at: values.place)
    else { throw GaveUp() }
    metrics?.nodes[node.id].ran = true
    metrics?.nodes[node.id].rows = 1
    return value
  }

  /// The minimum or maximum from an index; nil if no index can give it: none covers the column, or the objects are not
  /// exactly those of index ranges.
  func extremeFromIndex(_ aggregate: AggregateFunction, _ column: Int, _ root: PlanNode) throws -> Value? {
    let index: StoredIndex
    let ranges: [IndexKeyRange]
    switch root.kind {
    case .scan:
      guard let found = entity.indexes.first(where: { $0.tellsExtremes(of: column) }) else { return nil }
      index = found
      ranges = [.between(nil, nil, types: found.types)]
    case .indexRange(let range) where range.isExact && range.index.tellsExtremes(of: column):
      index = range.index
      ranges = range.ranges
    case .nothing, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds, .filter, .group, .having, .sort, .topK, .distinct, .window, .select, .sections,
      .statement:
      return nil
    }
    guard let best = try extreme(aggregate, in: ranges, of: index, at: 0) else { return nil }
    metrics?.nodes[root.id].ran = true
    return best
  }

  /// The minimum or maximum at one position of the keys in some ranges, within each of which the values before that
  /// position are equal. Returns nil if the keys do not show it.
  private func extreme(
    _ aggregate: AggregateFunction, in ranges: [IndexKeyRange], of index: StoredIndex, at place: Int
  ) throws -> Value? {
    let reader = try snapshot.index(index, of: entity)
    if reader.hasLongKeys { return nil }
    var best = Value.null
    for range in ranges {
      try checkCancelled()
      let key = try aggregate == .minimum ? reader.firstKey(in: range) : reader.lastKey(in: range)
      guard let key else { continue }
      guard let values = key.withUnsafeBytes({ IndexKey.decode($0, types: index.types) }),
        values.indices.contains(place)
      else { return nil }
      var value = values[place]
      guard ValueOrder.isComparable(value) else { continue }
      // Both zeros have the same key, so the objects are read.
      if value.isZero {
        guard let kept = try self.value(of: key, column: index.columns[place], reader) else { return nil }
        value = kept
      }
      let order = best.isNull ? 0 : ValueOrder.compare(value, best) ?? 0
      if best.isNull || (aggregate == .minimum ? order < 0 : order > 0) { best = value }
    }
    return best
  }

  /// The column's value in the first object of a key.
  private func value(of key: [UInt8], column: Int, _ reader: IndexReader) throws -> Value? {
    guard let object = try reader.firstObject(of: key) else { return nil }
    let slot = Int(truncatingIfNeeded: object & 255)
    return try cluster(object >> 8, with: Mask(slot: slot)).column(column).value(at: slot)
  }
}

extension StoredIndex {
  /// Whether the first and last keys of the index are the minimum and maximum of a column.
  fileprivate func tellsExtremes(of column: Int) -> Bool {
    isReadable && hasValueKeys && columns.first == column
  }
}

extension Value {
  fileprivate var isZero: Bool {
    switch self {
    case .double(let number): number == 0
    case .float(let number): number == 0
    case .date(let moment): moment.seconds == 0
    default: false
    }
  }
}
