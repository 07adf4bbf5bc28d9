internal import Values

/// Groups that were found, by their place in the order of their first members. What they come to is worked out when it is
/// asked for: of most groups that HAVING or LIMIT leave out nothing is.
struct FoundGroups {
  private enum Source {
    /// The values of each group.
    case rows([[Value]])
    /// A table, and its groups in order where that is not its own.
    case table(GroupTable, order: [Int]?)
  }

  private let source: Source

  init(_ rows: [[Value]]) { source = .rows(rows) }

  init(_ table: GroupTable, order: [Int]? = nil) { source = .table(table, order: order) }

  /// How many groups.
  var count: Int {
    switch source {
    case .rows(let rows): rows.count
    case .table(let table, let order): order?.count ?? table.count
    }
  }

  /// One of a group's values: its keys', then its aggregates'.
  func value(_ group: Int, _ position: Int) -> Value {
    switch source {
    case .rows(let rows): rows[group].indices.contains(position) ? rows[group][position] : .null
    case .table(let table, let order): table.value(order?[group] ?? group, position)
    }
  }
}
