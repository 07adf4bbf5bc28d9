internal import PredicateLanguage
internal import Storage

/// Builds the nodes that make groups, rows and sections of the objects.
extension CandidateBuilder {
  /// The node with what is made of its objects over it.
  func withRows(_ objects: PlanNode) throws -> PlanNode {
    var node = objects
    if let grouping = rows.grouping { node = try grouped(node, grouping) }
    if let headings = rows.headings {
      node = PlanNode(kind: .select(rows.values, headings: headings), children: [node], rows: node.rows)
    }
    if let (key, syntax) = rows.section {
      let count =
        rows.grouping == nil
        ? try distinctCount(of: [key], among: node.rows) : Self.quickDistinctCount(among: node.rows)
      node = PlanNode(kind: .sections(by: key, syntax), children: [node], rows: count)
    }
    return node
  }

  private func grouped(_ objects: PlanNode, _ grouping: Grouping) throws -> PlanNode {
    var linked = grouping
    if let links = compiler.links {
      linked.keys = try linked.keys.map { try links.key($0, of: entity, for: objects.rows) }
      linked.aggregates = try linked.aggregates.map { aggregate in
        let argument = try aggregate.argument.map { try links.number($0, of: entity, for: objects.rows) }
        return GroupAggregate(function: aggregate.function, argument: argument)
      }
    }
    var node = PlanNode(kind: .group(linked), children: [objects], rows: try groupCount(objects, grouping.keys))
    func add(_ kind: PlanNode.Kind, rows: Double) { node = PlanNode(kind: kind, children: [node], rows: rows) }
    if let (predicate, syntax) = grouping.having { add(.having(predicate, syntax), rows: node.rows / 2) }
    if !grouping.order.isEmpty { add(.sort(grouping.order), rows: node.rows) }
    if !grouping.distinct.isEmpty {
      add(
        .distinct(grouping.distinct, syntax: grouping.distinctSyntax), rows: Self.quickDistinctCount(among: node.rows))
    }
    if grouping.offset > 0 || grouping.limit != nil {
      add(
        .window(offset: grouping.offset, limit: grouping.limit),
        rows: Self.windowCount(grouping.offset, grouping.limit, of: node.rows))
    }
    return node
  }

  /// The estimated number of groups. The keys of an index are one object for each group.
  private func groupCount(_ objects: PlanNode, _ keys: [BoundExpression]) throws -> Double {
    if keys.isEmpty { return 1 }
    if case .indexKeys = objects.kind { return objects.rows }
    return try distinctCount(of: keys, among: objects.rows)
  }
}
