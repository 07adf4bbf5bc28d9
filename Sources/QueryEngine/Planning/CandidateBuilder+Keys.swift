internal import Schema
internal import Storage

/// Distinct values, and groups that are only counted, from the keys of an index. Each combination of values is one key,
/// whose first entry is the first object. The walk jumps from key to key and skips all other objects.
extension CandidateBuilder {
  /// The candidate for an index over exactly the requested columns.
  func keys(_ way: AccessPath) throws -> PlanCandidate? {
    guard let (range, keys) = try keyRange(way) else { return nil }
    let index = way.access.index
    let leaf = PlanNode(kind: .indexKeys(range), rows: min(keys, objectCount))
    // The keys hold the group values, which are decoded.
    let perKey = CostModel.indexKey + (groupColumns == nil ? 0 : CostModel.decodedKey)
    let cost = Double(range.ranges.count) * CostModel.indexSeek + keys * perKey
    return PlanCandidate(name: "keys of index \(index.name)", cost: cost, indexes: [index]) { [self] in
      try withTails(leaf, skipping: groupColumns == nil ? 1 : 0)
    }
  }

  /// The number of combinations of the requested values, from the first index with exactly these columns.
  func countedKeys() throws -> Double? {
    for way in ways {
      if let (_, keys) = try keyRange(way) { return keys }
    }
    return nil
  }

  /// The keys of an index over exactly the requested columns, with their estimated number; nil for any other index.
  private func keyRange(_ way: AccessPath) throws -> (range: IndexRange, keys: Double)? {
    let reader = way.reader
    let index = way.access.index
    guard let columns = keyColumns, !reader.hasLongKeys, index.hasValueKeys,
      columns.count == index.columns.count, Set(columns) == Set(index.columns)
    else { return nil }
    var range = way.access.everything
    if !predicates.isEmpty {
      guard let found = way.range, found.isExact, found.answers.count == predicates.count else {
        return nil
      }
      range = found
    }
    let objects = predicates.isEmpty ? objectCount : estimatedRows(way)
    var keys = 0.0
    for part in range.ranges { keys += try reader.keyEstimate(part, of: objects) }
    return (range, keys)
  }

  /// The columns whose combinations of values are requested, unordered; nil for any other query.
  var keyColumns: [Int]? {
    if let groupColumns { return tails.isEmpty ? groupColumns : nil }
    guard case .distinct(let expressions, _)? = tails.first else { return nil }
    let columns = expressions.compactMap(\.column)
    return columns.count == expressions.count ? columns : nil
  }
}
