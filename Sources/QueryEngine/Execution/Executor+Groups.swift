internal import Storage
internal import Values

extension Executor {
  /// The groups of a node's objects by keys, with their aggregates, in the order of their first object.
  func groups(_ root: PlanNode, _ keys: [BoundExpression], _ aggregates: [GroupAggregate]) throws -> FoundGroups {
    if keys.isEmpty, plan.evaluation == .cheapest, let row = try simpleTotals(root, aggregates) {
      return FoundGroups(row)
    }
    if case .indexEnds(let ends) = root.kind { return FoundGroups(try row(aggregates, ends, root)) }
    // The keys of an index give the number of objects, and nothing else about them.
    if case .indexKeys(let range) = root.kind, let columns = GroupAggregate.countedColumns(keys, aggregates) {
      return try groups(root, range, columns: columns, counts: aggregates.count)
    }
    if Self.isSet(root) {
      let table = try GroupTable(keys, aggregates, plan.compiler, cancellation)
      try eachPlace(root, reading: table.columns) { place, mask in
        try table.add(place, mask, context)
      }
      return FoundGroups(table)
    }
    let objects = try gathered(root, limit: nil)
    let set = try ObjectSet(objects, cancellation)
    let numbers = GroupNumbers(set)
    let table = try GroupTable(keys, aggregates, plan.compiler, cancellation, noting: numbers)
    try eachPlace(of: set, reading: table.columns) { place, mask in
      try table.add(place, mask, context)
      return true
    }
    if keys.isEmpty { return FoundGroups(table) }
    var order: [Int] = []
    try numbers.forEachFirst(of: objects, groups: table.count, cancellation) { _, group in
      order.append(group)
      return true
    }
    return FoundGroups(table, order: order)
  }

  /// Aggregates without groups that need no table of groups: counts alone, from the counters of the node, and over a scan
  /// of all objects, aggregates of plain columns, each in a pass of its own over zone maps and stored forms. nil for any
  /// others.
  private func simpleTotals(_ root: PlanNode, _ aggregates: [GroupAggregate]) throws -> [Value]? {
    let onlyCounts = aggregates.allSatisfy { $0.function == .count }
    if onlyCounts {
      let count = try counted(root)
      return aggregates.map { _ in .int(Int64(count)) }
    }
    guard case .scan = root.kind, aggregates.allSatisfy(\.isOfColumn) else { return nil }
    return try aggregates.map { aggregate in
      try pass(over: root) {
        guard let column = aggregate.argument?.column, aggregate.function != .count else {
          return .int(Int64(try counted(root)))
        }
        return try aggregated(aggregate.function, column: column, root)
      }
    }
  }

  /// Runs one of several passes over the objects of a node. All of them read the same objects, which count once.
  private func pass<Result>(over node: PlanNode, _ body: () throws -> Result) rethrows -> Result {
    guard let metrics else { return try body() }
    let before = metrics.nodes[node.id]
    metrics.nodes[node.id] = ExecutionMetrics.Counters()
    let result = try body()
    metrics.nodes[node.id] = metrics.nodes[node.id].greatest(before)
    return result
  }
}

extension GroupAggregate {
  /// Whether it is the number of objects, or computed from the counters and the stored form of one column.
  fileprivate var isOfColumn: Bool {
    if function == .count { return true }
    guard function.hasKernels, let argument, argument.column != nil else { return false }
    return argument.vectorForm.isNumeric || argument.type == .decimal
  }
}
