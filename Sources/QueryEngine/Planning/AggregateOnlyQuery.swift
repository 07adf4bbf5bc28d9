/// A query whose only results are aggregates of its objects: the minimum and maximum of some columns, and the number of
/// objects. An index may answer it without reading the objects.
package struct AggregateOnlyQuery: Hashable, Sendable {
  /// The columns whose minimum or maximum is requested.
  let columns: [Int]
  /// Whether the number of objects is requested.
  let counts: Bool

  /// One aggregate of a column; nil for one that needs all objects.
  package init?(_ function: AggregateFunction, of column: Int) {
    if !function.isExtreme { return nil }
    self.init(columns: [column], counts: false)
  }

  init(columns: [Int], counts: Bool) {
    self.columns = columns
    self.counts = counts
  }
}

extension Grouping {
  /// The aggregates of all objects, if an index may answer them.
  var reduction: AggregateOnlyQuery? {
    guard keys.isEmpty else { return nil }
    var columns: [Int] = []
    for aggregate in aggregates {
      if aggregate.function == .count, aggregate.argument == nil { continue }
      guard aggregate.function.isExtreme, let column = aggregate.argument?.column else { return nil }
      if !columns.contains(column) { columns.append(column) }
    }
    return AggregateOnlyQuery(columns: columns, counts: aggregates.contains { $0.function == .count })
  }
}
