internal import Values

/// Groups that were found, by their place in the order of their first members. What they come to is worked out when it is
/// asked for: of most groups that HAVING or LIMIT leave out nothing is.
struct FoundGroups {
  private enum Source {
    /// The values of one group after the other.
    case values([Value], width: Int)
    case table(GroupTable)
  }

  private let source: Source
  /// Where the groups stand in the source, in their order; nil where that is the source's own.
  private let order: [Int]?
  /// How many groups.
  let count: Int

  /// The only group.
  init(_ row: [Value]) {
    source = .values(row, width: row.count)
    order = nil
    count = 1
  }

  /// Groups of so many values each, which stand one group after the other.
  init(_ values: [Value], width: Int, order: [Int]) {
    source = .values(values, width: width)
    self.order = order
    count = order.count
  }

  init(_ table: GroupTable, order: [Int]? = nil) {
    source = .table(table)
    self.order = order
    count = order?.count ?? table.count
  }

  /// One of a group's values: its keys', then its aggregates'.
  func value(_ group: Int, _ position: Int) -> Value {
    let group = order?[group] ?? group
    switch source {
    case .values(let values, let width): return position < width ? values[group * width + position] : .null
    case .table(let table): return table.value(group, position)
    }
  }
}
