import ObjectStoreCore

/// A row of a watched result, and what became of it with a commit.
struct WatchedRow {
  enum Event: String {
    case insert, update, delete

    /// How a table marks it.
    var mark: String {
      switch self {
      case .insert: "+"
      case .update: "~"
      case .delete: "-"
      }
    }
  }

  var event: Event?
  var values: [Value]
}

/// The rows of a watched result as of one commit, and what the commit changed.
struct WatchedRows {
  /// All rows, in order.
  private(set) var rows: [WatchedRow] = []
  /// The rows that are gone since the commit before.
  private(set) var deleted: [WatchedRow] = []

  /// The rows that the commit changed, those that are gone first.
  var changed: [WatchedRow] { deleted + rows.filter { $0.event != nil } }

  /// The first rows, which are all new.
  init(_ rows: [[Value]] = []) { self.rows = rows.map { WatchedRow(event: .insert, values: $0) } }

  /// Takes the next state of results whose positions have changed.
  ///
  /// - Parameter read: Reads the rows at positions after the change.
  mutating func follow(
    deletions: [Int], insertions: [Int], modifications: [Int], moves: [ResultMove], read: ([Int]) throws -> [[Value]]
  ) throws {
    for place in rows.indices { rows[place].event = nil }
    deleted = deletions.compactMap { place in
      rows.indices.contains(place) ? WatchedRow(event: .delete, values: rows[place].values) : nil
    }
    let new = Set(insertions)
    try rows.rearrange(deletions: deletions, insertions: insertions, moves: moves) { place in
      WatchedRow(event: new.contains(place) ? .insert : .update, values: [])
    }
    for place in modifications where rows.indices.contains(place) { rows[place].event = .update }
    let places = rows.indices.filter { rows[$0].event != nil }
    for (place, values) in zip(places, try read(places)) { rows[place].values = values }
  }

  /// Takes the next state of rows that have no identity: equal rows stay, and of the others one with the first value of a
  /// former one is that row, changed. Returns whether anything has changed.
  mutating func follow(_ next: [[Value]]) -> Bool {
    var former: [[Value]: Int] = [:]
    for row in rows { former[row.values, default: 0] += 1 }
    var arrived: [Int] = []
    for (place, row) in next.enumerated() {
      if let count = former[row], count > 0 { former[row] = count - 1 } else { arrived.append(place) }
    }
    var gone: [[Value]] = []
    for row in rows {
      guard let count = former[row.values], count > 0 else { continue }
      former[row.values] = count - 1
      gone.append(row.values)
    }
    rows = next.map { WatchedRow(event: nil, values: $0) }
    var replaced: [Value: Int] = [:]
    for row in gone { if let first = row.first { replaced[first, default: 0] += 1 } }
    var changed: [Value: Int] = [:]
    for place in arrived {
      guard let first = next[place].first, let count = replaced[first], count > 0 else {
        rows[place].event = .insert
        continue
      }
      rows[place].event = .update
      replaced[first] = count - 1
      changed[first, default: 0] += 1
    }
    deleted = []
    for row in gone {
      if let first = row.first, let count = changed[first], count > 0 {
        changed[first] = count - 1
      } else {
        deleted.append(WatchedRow(event: .delete, values: row))
      }
    }
    return !arrived.isEmpty || !gone.isEmpty
  }
}
