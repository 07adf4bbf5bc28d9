package import Storage
package import Values

/// The rows of a plan in one snapshot. Their values are computed when they are read. Valid as long as the snapshot.
package final class FoundRows {
  private let rows: RowStages
  private let members: RowMembers
  private let plan: Plan
  private let snapshot: Snapshot

  init(_ members: RowMembers, of plan: Plan, in snapshot: Snapshot) throws {
    self.members = members
    self.plan = plan
    self.snapshot = snapshot
    rows = try plan.rows.gathered(for: members, of: plan, in: snapshot)
  }

  /// The number of rows.
  package var count: Int { members.count }

  /// The object of a row; nil if rows are groups.
  package func object(_ row: Int) -> ObjectNumber? {
    guard case .objects(let objects) = members, objects.indices.contains(row) else { return nil }
    return ObjectNumber(objects[row])
  }

  /// Calls `body` with the values of each row in order, until it returns false.
  package func forEach(_ body: ([Value]) throws -> Bool) throws {
    try forEach(0..<count, rows.values, body)
  }

  /// Calls `body` with the values of some rows, by position, until it returns false.
  package func forEach(_ places: [Int], _ body: ([Value]) throws -> Bool) throws {
    try forEach(places, rows.values, body)
  }

  private func forEach(
    _ places: some Sequence<Int>, _ values: [BoundExpression], _ body: ([Value]) throws -> Bool
  ) throws {
    let cancellation = CancellationCheck(plan.isCancelled, plan.memory)
    try cancellation.during { try forEach(places, values, cancellation, body) }
  }

  private func forEach(
    _ places: some Sequence<Int>, _ values: [BoundExpression], _ cancellation: CancellationCheck,
    _ body: ([Value]) throws -> Bool
  ) throws {
    switch members {
    case .objects(let objects):
      let projection = try ObjectProjection(values, plan.compiler, snapshot, cancellation)
      try projection.forEach(places.lazy.map { objects[$0] }, body)
    case .groups(let groups, let chosen):
      let values = values.map { ($0.prepared, $0.objects(of: plan.entity, rows.grouping)) }
      let linked = LinkedObjects(snapshot, LinkedSets(snapshot, nil, cancellation))
      for place in places {
        try cancellation.step(1 + values.count)
        let row = GroupRow(groups: groups, group: chosen[place], linked: linked)
        let shown = try values.map { value, entity in
          let value = try value.value(in: row)
          return entity.map(value.objects) ?? value
        }
        try cancellation.throwIfGivenUp()
        if try !body(shown) { return }
      }
    }
  }

  /// The objects of some rows, by position; none if rows are groups.
  package func objects(_ rows: [Int]) -> [ObjectNumber] {
    guard case .objects(let objects) = members else { return [] }
    return rows.map { ObjectNumber(objects[$0]) }
  }

  /// A section: its key, and the positions of its rows in order.
  package struct Section {
    package let key: Value
    package internal(set) var rows: [Int]
  }

  /// The sections in the order of their first row.
  package func sections() throws -> [Section] {
    guard let section = rows.section?.key else { return [] }
    switch members {
    case .objects(let objects):
      let executor = Executor(plan, snapshot)
      return try executor.cancellation.during { try executor.sections(of: objects, by: section) }
    case .groups: return try sections(by: section)
    }
  }

  /// The sections of rows that are groups, of which there are few.
  private func sections(by section: BoundExpression) throws -> [Section] {
    var sections: [Section] = []
    var places: [Value: Int] = [:]
    var row = 0
    try forEach(0..<count, [section]) { values in
      let value = values.first ?? .null
      let key = DistinctKey.of(value)
      if let place = places[key] {
        sections[place].rows.append(row)
      } else {
        places[key] = sections.count
        sections.append(Section(key: value, rows: [row]))
      }
      row += 1
      return true
    }
    return sections
  }
}

extension Plan {
  /// The rows of a plan that makes rows of its objects.
  package func found(in snapshot: Snapshot) throws -> FoundRows {
    let executor = Executor(self, snapshot)
    return try FoundRows(
      try executor.cancellation.during { try executor.members(root) }, of: self, in: snapshot)
  }
}

extension RowStages {
  /// The values of linked objects read for all rows at once, if that is less work than reading them row by row. Only
  /// now the number of rows is known.
  fileprivate func gathered(for members: RowMembers, of plan: Plan, in snapshot: Snapshot) throws -> RowStages {
    guard case .objects(let found) = members else { return self }
    var options = PlannerOptions(links: plan.links, evaluation: plan.evaluation, isCancelled: plan.isCancelled)
    options.threads = plan.threads
    options.tables = plan.tables
    options.memory = plan.memory
    let links = LinkPlanner(snapshot: snapshot, options: options, depth: 0)
    func gathered(_ value: BoundExpression) throws -> BoundExpression {
      guard value.firstLink != nil else { return value }
      // One row takes far less than one object of a condition.
      return try links.key(value, of: plan.entity, for: Double(found.count) / 8)
    }
    var stages = self
    stages.values = try values.map(gathered)
    stages.section = try section.map { (try gathered($0.key), $0.syntax) }
    return stages
  }
}
