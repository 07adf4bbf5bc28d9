package import Storage
package import Values

/// The rows of a plan in one snapshot. Their values are computed when they are read. Valid as long as the snapshot.
package final class FoundRows {
  private let members: RowMembers
  private let plan: Plan
  private let snapshot: Snapshot
  private let metrics: ExecutionMetrics?
  private var rows: RowStages { plan.rows }

  init(_ members: RowMembers, of plan: Plan, in snapshot: Snapshot, metrics: ExecutionMetrics? = nil) {
    self.members = members
    self.plan = plan
    self.snapshot = snapshot
    self.metrics = metrics
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
      let projection = try ObjectProjection(values, plan.compiler, snapshot, cancellation, metrics)
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
      let executor = Executor(plan, snapshot, metrics: metrics)
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
    return FoundRows(try executor.cancellation.during { try executor.members(root) }, of: self, in: snapshot)
  }
}
