internal import Schema
internal import Storage

/// Distinct values, and groups that are only counted, from the keys of an index: each combination of values is one key,
/// and the first object that has it stands first under it. Jumping from key to key passes over all the others.
extension CandidateBuilder {
  /// The candidate of an index whose columns are just those that are asked for.
  func keys(_ way: AccessPath) throws -> PlanCandidate? {
    guard let (range, keys) = try keyRange(way) else { return nil }
    let index = way.access.index
    let leaf = PlanNode(kind: .indexKeys(range), rows: min(keys, objectCount))
    // Groups are shown by their keys.
    let perKey = CostModel.indexKey + (groupColumns == nil ? 0 : CostModel.decodedKey)
    let cost = Double(range.ranges.count) * CostModel.indexSeek + keys * perKey
    return PlanCandidate(name: "keys of index \(index.name)", cost: cost, indexes: [index]) { [self] in
      try withTails(leaf, skipping: groupColumns == nil ? 1 : 0)
    }
  }

  /// How many combinations of values there are of those asked for, by the first index that has just these as keys.
  func countedKeys() throws -> Double? {
    for way in ways {
      if let (_, keys) = try keyRange(way) { return keys }
    }
    return nil
  }

  /// The keys of an index that are the combinations of values asked for, and about how many; nil where they are not.
  private func keyRange(_ way: AccessPath) throws -> (range: IndexRange, keys: Double)? {
    let reader = way.reader
    let index = way.access.index
    guard let columns = keyColumns, !reader.hasLongKeys, !index.isFolded, !index.isInverse,
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

  /// The columns whose combinations of values are asked for, in no order; nil when something else is.
  var keyColumns: [Int]? {
    if let groupColumns { return tails.isEmpty ? groupColumns : nil }
    guard case .distinct(let expressions, _)? = tails.first else { return nil }
    let columns = expressions.compactMap(\.column)
    return columns.count == expressions.count ? columns : nil
  }
}
