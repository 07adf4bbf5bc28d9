internal import Diagnostics
package import Storage
internal import Values

extension CompiledRows {
  /// How many plans `AccessChoice.enumerated` can choose from in this snapshot.
  package func planCount(in snapshot: Snapshot) throws -> Int {
    var options = PlannerOptions()
    options.groupColumns = groups?.countedColumns
    options.reduction = groups?.reduction
    return try objects.planCount(in: snapshot, options: options)
  }

  /// Chooses how to find the objects in `snapshot`, whose schema must be the one it was compiled for.
  package func plan(in snapshot: Snapshot, options: PlannerOptions = PlannerOptions()) throws -> RowPlan {
    var options = options
    let now = options.now ?? .now
    options.now = now
    let rows = fixed(at: now)
    options.groupColumns = rows.groups?.countedColumns
    options.reduction = rows.groups?.reduction
    let plan = try objects.plan(in: snapshot, options: options)
    return RowPlan(
      objects: plan, rows: try rows.gathered(snapshot, options, for: plan.root.rows), links: options.links)
  }

  /// With what groups are made of gathered from linked objects, where that is less work.
  private func gathered(_ snapshot: Snapshot, _ options: PlannerOptions, for rows: Double) throws -> CompiledRows {
    guard var changed = groups else { return self }
    let links = LinkPlanner(snapshot: snapshot, options: options, depth: 0)
    let entity = objects.entity
    changed.keys = try changed.keys.map { try links.key($0, of: entity, for: rows) }
    changed.aggregates = try changed.aggregates.map { aggregate in
      let argument = try aggregate.argument.map { try links.number($0, of: entity, for: rows) }
      return GroupAggregate(kind: aggregate.kind, argument: argument)
    }
    return CompiledRows(self, values: values, section: section, groups: changed)
  }

  /// With what rows show of linked objects gathered, where that is less work for so many.
  fileprivate func shown(by links: LinkPlanner, for rows: Double) throws -> CompiledRows {
    let entity = objects.entity
    func gathered(_ value: BoundExpression) throws -> BoundExpression {
      guard value.firstLink != nil else { return value }
      return try links.key(value, of: entity, for: rows)
    }
    return CompiledRows(
      self, values: try values.map(gathered), section: try section.map(gathered), groups: groups)
  }

  /// With the moment in the place of every `now()`, and constants computed.
  private func fixed(at moment: Instant) -> CompiledRows {
    let context = RuleContext(entity: objects.entity, now: moment)
    func fixed(_ expression: BoundExpression) -> BoundExpression {
      expression.mapped { PlannerRule.constantFolded($0, context) }
    }
    var groups = groups
    if var changed = groups {
      changed.keys = changed.keys.map(fixed)
      changed.aggregates = changed.aggregates.map {
        GroupAggregate(kind: $0.kind, argument: $0.argument.map(fixed))
      }
      changed.having = changed.having?.mapExpressions { PlannerRule.constantFolded($0, context) }
      changed.order = changed.order.map {
        BoundSortKey(expression: fixed($0.expression), ascending: $0.ascending, syntax: $0.syntax)
      }
      changed.distinct = changed.distinct.map(fixed)
      groups = changed
    }
    return CompiledRows(self, values: values.map(fixed), section: section.map(fixed), groups: groups)
  }

  private init(
    _ rows: CompiledRows, values: [BoundExpression], section: BoundExpression?, groups: Grouping?
  ) {
    objects = rows.objects
    columns = rows.columns
    warnings = rows.warnings
    sectionText = rows.sectionText
    isWhole = rows.isWhole
    self.values = values
    self.section = section
    self.groups = groups
  }
}

extension CompiledRows.Grouping {
  /// The columns of the keys, where they are nothing but columns and the groups are only counted.
  var countedColumns: [Int]? { GroupAggregate.countedColumns(keys, aggregates) }
}

extension GroupAggregate {
  /// The columns of the keys of groups, where they are nothing but columns and the groups are only counted.
  static func countedColumns(_ keys: [BoundExpression], _ aggregates: [GroupAggregate]) -> [Int]? {
    let columns = keys.compactMap(\.column)
    guard !columns.isEmpty, columns.count == keys.count, Set(columns).count == columns.count,
      aggregates.allSatisfy({ $0.kind == .count && $0.argument == nil })
    else { return nil }
    return columns
  }
}

/// A way to get at rows, chosen for one snapshot and good for it. It holds nothing open.
package struct RowPlan: Sendable {
  /// The plan for the objects.
  package let objects: Plan
  let rows: CompiledRows
  let links: LinkAccess

  /// What is in a row.
  package var columns: [RowColumn] { rows.columns }

  /// Finds the rows.
  package func found(in snapshot: Snapshot) throws -> FoundRows {
    try found(try members(in: snapshot, metrics: nil), in: snapshot)
  }

  /// How many rows there are.
  package func count(in snapshot: Snapshot) throws -> Int {
    if rows.groups == nil { return try objects.count(in: snapshot) }
    return try found(in: snapshot).count
  }

  /// The rows of some members. Only now it is known how many they are, and so whether what they show of linked objects
  /// is better found for all of these at once: for one by one it takes far less than where a question is asked of each.
  func found(_ members: FoundRows.Members, in snapshot: Snapshot) throws -> FoundRows {
    guard case .objects(let found) = members else { return FoundRows(rows, members, objects, snapshot) }
    var options = PlannerOptions(links: links, isCancelled: objects.isCancelled)
    options.threads = objects.threads
    let links = LinkPlanner(snapshot: snapshot, options: options, depth: 0)
    return FoundRows(try rows.shown(by: links, for: Double(found.count) / 8), members, objects, snapshot)
  }

  func members(
    in snapshot: Snapshot, metrics: ExecutionMetrics?, _ counted: (Int) -> Void = { _ in }
  ) throws -> FoundRows.Members {
    let executor = Executor(objects, snapshot, metrics: metrics)
    guard let groups = rows.groups else {
      return .objects(try executor.objects(objects.root))
    }
    let all = try executor.groups(objects.root, groups.keys, groups.aggregates)
    counted(all.count)
    let linked = LinkedObjects(snapshot, LinkedSets(snapshot, nil, executor.cancellation))
    return .groups(all, try groups.chosen(from: all, linked))
  }
}
