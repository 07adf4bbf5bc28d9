internal import Values

/// The groups found by a query, in the order of their first object. Their aggregates are computed on demand: groups
/// that HAVING or LIMIT removes cost little.
struct FoundGroups {
  private enum Source {
    /// The values of all groups, one group after the other.
    case values([Value], width: Int)
    case table(GroupTable)
  }

  private let source: Source
  /// The positions of the groups in the source, in order; nil if the source's order applies.
  private let order: [Int]?
  /// The number of groups.
  let count: Int

  /// A single group.
  init(_ row: [Value]) {
    source = .values(row, width: row.count)
    order = nil
    count = 1
  }

  /// Groups with `width` values each, stored one group after the other.
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

  /// A value of a group: first those of its keys, then those of its aggregates.
  func value(_ group: Int, _ position: Int) -> Value {
    let group = order?[group] ?? group
    switch source {
    case .values(let values, let width): return position < width ? values[group * width + position] : .null
    case .table(let table): return table.value(group, position)
    }
  }
}
