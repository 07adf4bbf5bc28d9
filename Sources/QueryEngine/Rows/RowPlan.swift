internal import Diagnostics
package import Storage
internal import Values

extension CompiledRows {
  /// The number of plans that `AccessChoice.enumerated` can select in this snapshot.
  package func planCount(in snapshot: Snapshot) throws -> Int {
    var options = PlannerOptions()
    options.groupColumns = groups?.countedColumns
    options.reduction = groups?.reduction
    return try objects.planCount(in: snapshot, options: options)
  }

  /// Plans the query in `snapshot`, which must have the schema that the query was compiled for.
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

  /// Gathers values of linked objects for keys and aggregates, if that is cheaper than following links row by row.
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

  /// Gathers values of linked objects for SELECT columns, if that is cheaper for `rows` rows.
  fileprivate func shown(by links: LinkPlanner, for rows: Double) throws -> CompiledRows {
    let entity = objects.entity
    func gathered(_ value: BoundExpression) throws -> BoundExpression {
      guard value.firstLink != nil else { return value }
      return try links.key(value, of: entity, for: rows)
    }
    return CompiledRows(
      self, values: try values.map(gathered), section: try section.map(gathered), groups: groups)
  }

  /// Replaces every `now()` by a time and evaluates constants.
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
  /// The columns of the keys, if all keys are columns and groups are only counted.
  var countedColumns: [Int]? { GroupAggregate.countedColumns(keys, aggregates) }
}

extension GroupAggregate {
  /// The columns of group keys, if all keys are columns and groups are only counted.
  static func countedColumns(_ keys: [BoundExpression], _ aggregates: [GroupAggregate]) -> [Int]? {
    let columns = keys.compactMap(\.column)
    guard !columns.isEmpty, columns.count == keys.count, Set(columns).count == columns.count,
      aggregates.allSatisfy({ $0.kind == .count && $0.argument == nil })
    else { return nil }
    return columns
  }
}

/// A plan for rows, chosen for one snapshot and valid for it. It holds no resources.
package struct RowPlan: Sendable {
  /// The plan for the objects.
  package let objects: Plan
  let rows: CompiledRows
  let links: LinkAccess

  /// The columns of a row.
  package var columns: [RowColumn] { rows.columns }

  /// Finds the rows.
  package func found(in snapshot: Snapshot) throws -> FoundRows {
    try found(try members(in: snapshot, metrics: nil), in: snapshot)
  }

  /// The number of rows.
  package func count(in snapshot: Snapshot) throws -> Int {
    if rows.groups == nil { return try objects.count(in: snapshot) }
    return try found(in: snapshot).count
  }

  /// The rows of some objects or groups. Their number is known only now, and so whether gathering linked values for all
  /// of them is cheaper than following the links of each.
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
