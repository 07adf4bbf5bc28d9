internal import Storage

/// Minimum and maximum of columns from the ends of indexes, if the query requests nothing else.
extension CandidateBuilder {
  /// The candidate that reads the ends of indexes; nil if they do not answer the aggregates.
  func ends() throws -> PlanCandidate? {
    guard let reduction, isReducible else { return nil }
    if predicates.isEmpty {
      let values = reduction.columns.compactMap { column in
        ways.lazy.compactMap { IndexMinMax.Values(column, allOf: $0) }.first
      }
      guard values.count == reduction.columns.count, !values.isEmpty else { return nil }
      return ends(IndexMinMax(values, range: nil, count: Int(objectCount)), counting: 0)
    }
    for way in ways where way.range?.answers.count == predicates.count {
      let values = reduction.columns.compactMap { IndexMinMax.Values($0, inRangeOf: way) }
      guard values.count == reduction.columns.count, let range = way.range, range.isExact else { continue }
      // The count is part of the answer, so it must be exact.
      let count = way.counted.flatMap { $0.isExact ? $0.count : nil }
      var counting = 0.0
      if reduction.counts, count == nil {
        let rows = estimatedRows(way)
        for part in range.ranges { counting += try way.reader.keyEstimate(part, of: rows) }
        // A range whose keys have few objects each is counted a page at a time.
        counting = min(counting, rows * CostModel.countedObject / CostModel.indexKey) * CostModel.indexKey
      }
      return ends(IndexMinMax(values, range: range, count: count), counting: counting)
    }
    return nil
  }

  private func ends(_ ends: IndexMinMax, counting: Double) -> PlanCandidate {
    let seeks = ends.values.reduce(1) { $0 + 2 * $1.ranges.count }
    return PlanCandidate(
      name:
        "ends of \(ends.indexes.count == 1 ? "index" : "indexes") \(ends.indexes.map(\.name).joined(separator: ", "))",
      cost: Double(seeks) * CostModel.indexEnd + counting, indexes: ends.indexes, mayFail: true
    ) { PlanNode(kind: .indexEnds(ends), rows: 1) }
  }

  /// Whether the tails only sort the objects, which does not change the aggregates.
  private var isReducible: Bool {
    tails.allSatisfy { if case .sort = $0 { true } else { false } }
  }
}
