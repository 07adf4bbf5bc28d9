internal import PredicateLanguage
internal import Storage

/// Builds the nodes that make groups, rows and sections of the objects.
extension CandidateBuilder {
  /// The stages for about `objects` objects. Values of linked objects are read for all rows at once where that costs less
  /// than following links row by row. Groups follow no links: their keys and aggregates are read with the objects.
  func gatheredRows(for objects: Double) throws -> RowStages {
    guard rows.grouping == nil, let links = compiler.links else { return rows }
    func gathered(_ value: BoundExpression) throws -> BoundExpression {
      guard value.firstLink != nil else { return value }
      // A value of a row costs about an eighth of a condition on an object.
      return try links.key(value, of: entity, for: objects / 8)
    }
    var gatheredRows = rows
    gatheredRows.values = try rows.values.map(gathered)
    gatheredRows.section = try rows.section.map { (try gathered($0.key), $0.syntax) }
    return gatheredRows
  }

  /// Adds the nodes for groups, rows and sections on top of a node that finds objects.
  ///
  /// - Parameter gathered: The values and the key of the sections as they are read.
  func withRows(_ objects: PlanNode, _ gathered: RowStages) throws -> PlanNode {
    var node = objects
    if let grouping = rows.grouping { node = try grouped(node, grouping) }
    if let headings = gathered.headings {
      node = PlanNode(kind: .select(gathered.values, headings: headings), children: [node], rows: node.rows)
    }
    if let (key, syntax) = gathered.section {
      let count =
        rows.grouping == nil
        ? try distinctCount(of: rows.section.map { [$0.key] } ?? [], among: node.rows)
        : Self.quickDistinctCount(among: node.rows)
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
