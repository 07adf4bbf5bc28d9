internal import Storage
internal import Values

/// The least and the greatest value of a column, from the ends of an index.
extension Executor {
  /// nil when no index tells: there is none of the column, or the objects are not just those of ranges of it.
  func extremeFromIndex(_ aggregate: Aggregate, _ column: Int, _ root: PlanNode) throws -> Value? {
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
    default: return nil
    }
    let reader = try snapshot.index(index, of: entity)
    if reader.hasLongKeys { return nil }
    var best = Value.null
    for range in ranges {
      try checkCancelled()
      let key = try aggregate == .minimum ? reader.firstKey(in: range) : reader.lastKey(in: range)
      guard let key else { continue }
      guard let value = key.withUnsafeBytes({ IndexKey.decode($0, types: index.types) })?.first else { return nil }
      guard ValueOrder.isComparable(value) else { continue }
      // Both zeros have one key, and the objects know which they have.
      if value.isZero { return nil }
      let order = best.isNull ? 0 : ValueOrder.compare(value, best) ?? 0
      if best.isNull || (aggregate == .minimum ? order < 0 : order > 0) { best = value }
    }
    meter?.nodes[root.id].ran = true
    return best
  }
}

extension StoredIndex {
  /// Whether its first and last keys are those of the least and the greatest value of a column.
  fileprivate func tellsExtremes(of column: Int) -> Bool {
    isReadable && !isFolded && !isInverse && columns.first == column
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
