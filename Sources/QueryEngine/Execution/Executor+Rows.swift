internal import Storage
internal import Values

/// The objects or groups that rows are made of, in order.
enum RowMembers {
  case objects([UInt64])
  /// Some of the groups, by their positions among all.
  case groups(FoundGroups, [Int])

  var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .groups(_, let chosen): chosen.count
    }
  }
}

/// Operators over groups and rows.
extension Executor {
  /// The objects or groups that the rows of a plan are made of.
  func members(_ root: PlanNode) throws -> RowMembers { try attempt(root, members(of:)) }

  func members(of node: PlanNode) throws -> RowMembers {
    switch node.kind {
    case .select, .sections, .statement:
      let members = try members(of: node.children[0])
      note(node, rows: members.count)
      return members
    case .nothing, .scan, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds, .filter, .group, .having, .sort, .topK, .distinct, .window:
      if !node.returnsGroups { return .objects(try gathered(node, limit: nil)) }
      let (groups, chosen) = try groups(
        of: node, LinkedObjects(snapshot, LinkedSets(snapshot, nil, cancellation)))
      return .groups(groups, chosen)
    }
  }

  /// The groups of a node that returns groups, and the positions of those that it returns, in order.
  private func groups(of node: PlanNode, _ linked: LinkedObjects) throws -> (FoundGroups, [Int]) {
    if case .group(let grouping) = node.kind {
      let groups = try groups(node.children[0], grouping.keys, grouping.aggregates)
      note(node, rows: groups.count)
      return (groups, Array(0..<groups.count))
    }
    var (groups, chosen) = try groups(of: node.children[0], linked)
    func row(_ group: Int) throws -> GroupRow {
      try cancellation.step()
      return GroupRow(groups: groups, group: group, linked: linked)
    }
    switch node.kind {
    case .having(let predicate, _): chosen = try chosen.filter { try predicate.holds(for: try row($0)) }
    case .sort(let keys):
      let columns = try keys.map { key in try chosen.map { try key.expression.value(in: try row($0)) } }
      chosen = try columns.order(keys.map(\.ascending), cancellation).map { chosen[$0] }
    case .distinct(let expressions, _):
      var seen: Set<[Value]> = []
      chosen = try chosen.filter { group in
        let row = try row(group)
        return seen.insert(try expressions.map { DistinctKey.of(try $0.value(in: row)) }).inserted
      }
    case .window(let offset, let limit): chosen = Array(chosen.dropFirst(offset).prefix(limit ?? .max))
    case .nothing, .scan, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds, .filter, .group, .topK, .select, .sections, .statement:
      throw node.isMisplaced
    }
    note(node, rows: chosen.count)
    return (groups, chosen)
  }

  /// Records how many rows a node returned.
  func note(_ node: PlanNode, rows: Int) {
    metrics?.nodes[node.id].ran = true
    metrics?.nodes[node.id].rows = rows
  }
}
