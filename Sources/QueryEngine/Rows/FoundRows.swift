internal import Storage
package import Values

/// The rows that a plan found in one snapshot; their values are computed on demand. Valid as long as the snapshot.
package final class FoundRows {
  /// The objects or groups of the rows, in order.
  enum Members {
    case objects([UInt64])
    /// Some of the groups, by position.
    case groups(FoundGroups, [Int])
  }

  private let rows: CompiledRows
  private let members: Members
  private let plan: Plan
  private let snapshot: Snapshot

  init(_ rows: CompiledRows, _ members: Members, _ plan: Plan, _ snapshot: Snapshot) {
    self.rows = rows
    self.members = members
    self.plan = plan
    self.snapshot = snapshot
  }

  /// The number of rows.
  package var count: Int {
    switch members {
    case .objects(let objects): objects.count
    case .groups(_, let chosen): chosen.count
    }
  }

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
    let values = values.map { ($0.prepared, $0.objects(of: plan.entity, rows.groups)) }
    func row(_ row: some RowValues) throws -> [Value] {
      try values.map { value, entity in
        let value = try value.value(in: row)
        return entity.map(value.objects) ?? value
      }
    }
    let cancellation = CancellationCheck(plan.isCancelled)
    switch members {
    case .groups(let groups, let chosen):
      let linked = LinkedObjects(snapshot, LinkedSets(snapshot, nil, cancellation))
      for place in places {
        try cancellation.step()
        if try !body(try row(GroupRow(groups: groups, group: chosen[place], linked: linked))) { return }
      }
    case .objects(let objects):
      let object = ObjectRow(plan.entity, snapshot, cancellation)
      for place in places {
        try cancellation.step()
        guard try object.move(to: objects[place]) else {
          throw StoreError.corrupted(
            location: "object \(objects[place]), which an index or a cluster named, is not there")
        }
        if try !body(try row(object)) { return }
      }
    }
  }

  /// A section: its key, and the positions of its rows in order.
  package struct Section {
    package let key: Value
    package internal(set) var rows: [Int]
  }

  /// The sections in the order of their first row.
  package func sections() throws -> [Section] {
    guard let section = rows.section else { return [] }
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

/// Moves from object to object in any order and provides their values to expressions.
private final class ObjectRow: RowValues {
  private let clusters: OpenClusters
  private var cluster: OpenCluster?
  private var object: UInt64 = 0
  let linked: LinkedObjects?
  let cancellation: CancellationCheck?

  init(_ entity: StoredEntity, _ snapshot: Snapshot, _ cancellation: CancellationCheck) {
    clusters = OpenClusters(entity, snapshot)
    linked = LinkedObjects(snapshot, LinkedSets(snapshot, nil, cancellation))
    self.cancellation = cancellation
  }

  private var slot: Int { Int(truncatingIfNeeded: object & 255) }

  var own: Value { .int(Int64(bitPattern: object)) }

  /// Moves to an object. Returns false if the object does not exist.
  func move(to object: UInt64) throws -> Bool {
    self.object = object
    cluster = try clusters.cluster(object >> 8)
    return cluster?.view.present[slot] ?? false
  }

  func value(_ column: Int) throws -> Value { try cluster?.value(column, at: slot) ?? .null }

  func element(_ column: Int, _ place: Int) throws -> Value {
    try cluster?.column(column).element(at: slot, place) ?? .null
  }
}
