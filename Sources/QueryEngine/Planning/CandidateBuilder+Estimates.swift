internal import Glibc
internal import Storage

/// How many objects an access path gives, and what it costs.
extension CandidateBuilder {
  /// How many objects the range of an index finds.
  func estimatedRows(_ way: IndexWay) -> Double {
    guard let range = way.range, let counted = way.counted else { return objectCount }
    return estimatedRows(range, counted)
  }

  func estimatedRows(_ range: IndexRange, _ counted: (count: Int, isWhole: Bool)) -> Double {
    if counted.isWhole { return Double(counted.count) }
    return max(Double(counted.count), range.answers.reduce(objectCount) { $0 * conjunctSelectivity($1) })
  }

  private func conjunctSelectivity(_ place: Int) -> Double {
    conjuncts.indices.contains(place) ? conjuncts[place].selectivity : 1
  }

  func walkCost(_ range: IndexRange, _ rows: Double) -> Double {
    Double(range.ranges.count) * CostModel.indexSeek + rows * CostModel.indexEntry
  }

  /// - Parameter clusters: In how many clusters the objects lie, where that is known.
  func fetchCost(_ rows: Double, _ rest: [Conjunct], clusters: Double? = nil) -> Double {
    if rest.isEmpty { return 0 }
    return (clusters ?? CostModel.clustersTouched(rows, of: clusterCount)) * CostModel.clusterByNumber
      + CostModel.filter(rest, objects: rows * CostModel.askedPerObject)
  }

  func tailCost(_ rows: Double) -> Double {
    if groupColumns != nil { return rows * CostModel.groupedRow }
    if case .distinct? = tails.first { return rows * CostModel.groupedRow }
    guard case .sort? = tails.first else { return 0 }
    if tails.count > 1, case .window(_, .some) = tails[1] { return rows * 4 }
    return rows * log2(rows + 2) * CostModel.sortStep / 4
  }
}
