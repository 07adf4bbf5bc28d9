internal import Glibc
internal import Schema
internal import Storage

/// Estimates of the objects that an access path returns, and of its cost.
extension CandidateBuilder {
  /// Estimates the number of objects in an index range.
  func estimatedRows(_ way: AccessPath) -> Double {
    guard let range = way.range, let counted = way.counted else { return objectCount }
    return estimatedRows(range, counted)
  }

  func estimatedRows(_ range: IndexRange, _ counted: RangeCount) -> Double {
    if counted.isAll { return Double(counted.count) }
    return max(Double(counted.count), range.answers.reduce(objectCount) { $0 * conjunctSelectivity($1) })
  }

  private func conjunctSelectivity(_ place: Int) -> Double {
    conjuncts.indices.contains(place) ? conjuncts[place].selectivity : 1
  }

  /// - Parameter clusters: The number of clusters that hold the objects, if known.
  func fetchCost(_ rows: Double, _ rest: [Conjunct], clusters: Double? = nil) -> Double {
    if !readsClusters(rest) { return 0 }
    return (clusters ?? CostModel.clustersTouched(rows, of: clusterCount)) * CostModel.clusterByNumber
      + CostModel.filter(rest, objects: rows * CostModel.askedPerObject)
  }

  /// Whether the clusters of the objects from an index are read: for the remaining filters, or for the values to sort,
  /// deduplicate or group by.
  func readsClusters(_ rest: [Conjunct]) -> Bool {
    if !rest.isEmpty || groupColumns != nil { return true }
    return switch tails.first {
    case .sort?, .distinct?: true
    case .filter?, .window?, nil: false
    }
  }

  func tailCost(_ rows: Double) -> Double {
    if groupColumns != nil { return groupingCost(rows) }
    if case .distinct? = tails.first { return groupingCost(rows) }
    guard case .sort? = tails.first else { return 0 }
    if tails.count > 1, case .window(let offset, let limit?) = tails[1],
      Self.takesFirst(Int(min(1e9, Double(offset) + Double(limit))), of: rows)
    {
      return rows * CostModel.topKComparison
    }
    return rows * log2(rows + 2) * CostModel.sortStep
  }

  /// The cost of grouping objects, most of which is creating groups. The number of groups is known only if an index has
  /// them as keys, and the choice depends on it only then.
  private func groupingCost(_ rows: Double) -> Double {
    guard let keys = indexedKeys, keys > 0 else { return rows * CostModel.groupedRow }
    var part = 1.0
    if groupColumns == nil, tails.count > 1, case .window(let offset, let limit?) = tails[1] {
      // The walk ends at the last requested object.
      part = min(1, (Double(offset) + Double(limit)) / keys)
    }
    let isText = keyColumns?.contains { entity.columns[$0].scalarType == .string } ?? false
    let group = isText ? CostModel.groupOfText : CostModel.groupOfNumber
    return part * (rows * CostModel.groupedRow + min(rows, keys) * group)
  }
}
