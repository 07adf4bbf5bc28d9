internal import Storage
package import Values

/// The rows of a plan in one snapshot, found and not yet worked out. Valid as long as the snapshot.
package final class FoundRows {
  /// What rows are made of, in order.
  enum Members {
    case objects([UInt64])
    case groups([[Value]])
  }

  private let rows: CompiledRows
  private let members: Members
  private let plan: Plan
  private let snapshot: Snapshot

  init(_ rows: CompiledRows, _ members: Members, _ plan: Plan, _ snapshot: Snapshot) throws {
    self.rows = rows
    self.members = members
    self.plan = plan
    self.snapshot = snapshot
  }

  /// How many rows.
  package var count: Int {
    switch members {
    case .objects(let objects): objects.count
    case .groups(let groups): groups.count
    }
  }

  /// The object of a row; nil where rows are groups.
  package func object(_ row: Int) -> ObjectNumber? {
    guard case .objects(let objects) = members, objects.indices.contains(row) else { return nil }
    return ObjectNumber(objects[row])
  }

  /// Calls `body` with the values of each row in order, until it returns false.
  package func forEach(_ body: ([Value]) throws -> Bool) throws {
    try forEach(0..<count, rows.values, body)
  }

  /// Calls `body` with the values of some rows, by their places, until it returns false.
  package func forEach(_ places: [Int], _ body: ([Value]) throws -> Bool) throws {
    try forEach(places, rows.values, body)
  }

  private func forEach(
    _ places: some Sequence<Int>, _ values: [BoundExpression], _ body: ([Value]) throws -> Bool
  ) throws {
    switch members {
    case .groups(let groups):
      for place in places {
        let group = GroupRow(values: groups[place])
        if try !body(try values.map { try $0.value(in: group) }) { return }
      }
    case .objects(let objects):
      let row = ObjectRow(plan.entity, snapshot)
      for place in places {
        if place & 1023 == 0, let isCancelled = plan.isCancelled, isCancelled() { throw QueryCancelled() }
        guard try row.move(to: objects[place]) else {
          throw StoreError.corrupted(
            location: "object \(objects[place]), which an index or a cluster named, is not there")
        }
        if try !body(try values.map { try $0.value(in: row) }) { return }
      }
    }
  }

  /// A section: its key, and the places of its rows in order.
  package struct Section {
    package let key: Value
    package internal(set) var rows: [Int]
  }

  /// The sections in the order of their first member.
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

/// One object after the other, in any order, as expressions see them. Clusters used lately are kept open.
private final class ObjectRow: RowValues {
  private let entity: StoredEntity
  private let snapshot: Snapshot
  private var cluster: OpenCluster?
  private var number: UInt64 = 0
  private var slot = 0
  private var earlier: [UInt64: OpenCluster] = [:]

  /// A cluster with those of its columns that were asked for.
  private final class OpenCluster {
    let view: ClusterView
    var columns: [ColumnView?]

    init(_ view: ClusterView, columnCount: Int) {
      self.view = view
      columns = Array(repeating: nil, count: columnCount)
    }
  }

  init(_ entity: StoredEntity, _ snapshot: Snapshot) {
    self.entity = entity
    self.snapshot = snapshot
  }

  /// Turns to an object; false when it is not there.
  func move(to object: UInt64) throws -> Bool {
    slot = Int(truncatingIfNeeded: object & 255)
    let wanted = object >> 8
    if cluster == nil || number != wanted {
      if let known = earlier[wanted] {
        cluster = known
      } else {
        guard let view = try snapshot.cluster(wanted, of: entity) else { return false }
        // Objects in order come once to each cluster: nothing is kept for those.
        if let cluster, wanted != number &+ 1 {
          if earlier.count >= 65_536 / max(entity.columns.count, 4) { earlier.removeAll(keepingCapacity: true) }
          earlier[number] = cluster
        }
        cluster = OpenCluster(view, columnCount: entity.columns.count)
      }
      number = wanted
    }
    return cluster?.view.present[slot] ?? false
  }

  func value(_ column: Int) throws -> Value {
    guard let cluster, cluster.columns.indices.contains(column) else { return .null }
    if let known = cluster.columns[column] { return try known.value(at: slot) }
    let view = try cluster.view.column(column)
    cluster.columns[column] = view
    return try view.value(at: slot)
  }
}
