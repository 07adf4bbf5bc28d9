internal import Values

/// Provides a group's values to expressions: those of its keys, then those of its aggregates.
struct GroupRow: RowValues {
  let groups: FoundGroups
  /// The number of the group.
  let group: Int
  /// Reads the objects that are keys of groups.
  let linked: LinkedObjects?

  var cancellation: CancellationCheck? { linked?.sets.cancellation }

  /// A group has no columns.
  func value(_ column: Int) -> Value { .null }

  func computed(_ position: Int) -> Value { groups.value(group, position) }
}

extension CompiledRows.Grouping {
  /// Applies HAVING, SORT BY, DISTINCT, OFFSET and LIMIT to groups, in that order, and returns the remaining groups.
  func chosen(from groups: FoundGroups, _ linked: LinkedObjects) throws -> [Int] {
    let cancellation = linked.sets.cancellation
    var chosen = Array(0..<groups.count)
    func row(_ group: Int) throws -> GroupRow {
      try cancellation.step()
      return GroupRow(groups: groups, group: group, linked: linked)
    }
    if let having { chosen = try chosen.filter { try having.holds(for: try row($0)) } }
    if !order.isEmpty {
      let keys = try order.map { key in try chosen.map { try key.expression.value(in: try row($0)) } }
      chosen = try keys.order(order.map(\.ascending), cancellation).map { chosen[$0] }
    }
    if !distinct.isEmpty {
      var seen: Set<[Value]> = []
      chosen = try chosen.filter { group in
        let row = try row(group)
        return seen.insert(try distinct.map { DistinctKey.of(try $0.value(in: row)) }).inserted
      }
    }
    return Array(chosen.dropFirst(offset).prefix(limit ?? .max))
  }
}
