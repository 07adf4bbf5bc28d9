/// What the objects of a query are reduced to, where nothing else is asked of them: the least and greatest values of some
/// columns, and how many objects there are. An index may tell that without them.
package struct AggregateOnlyQuery: Hashable, Sendable {
  /// The columns whose least or greatest value is asked for.
  let columns: [Int]
  /// Whether the number of objects is asked for.
  let counts: Bool

  /// One value of a column; nil for what takes all objects to tell.
  package init?(_ aggregate: Aggregate, of column: Int) {
    switch aggregate {
    case .minimum, .maximum: self.init(columns: [column], counts: false)
    case .sum, .average: return nil
    }
  }

  init(columns: [Int], counts: Bool) {
    self.columns = columns
    self.counts = counts
  }
}

extension CompiledRows.Grouping {
  /// What all objects are reduced to, where an index may tell it.
  var reduction: AggregateOnlyQuery? {
    guard keys.isEmpty else { return nil }
    var columns: [Int] = []
    for aggregate in aggregates {
      switch aggregate.kind {
      case .count where aggregate.argument == nil: continue
      case .minimum, .maximum:
        guard let column = aggregate.argument?.column else { return nil }
        if !columns.contains(column) { columns.append(column) }
      default: return nil
      }
    }
    return AggregateOnlyQuery(columns: columns, counts: aggregates.contains { $0.kind == .count })
  }
}
