/// One line of the result: what was done, and how long each side took.
struct Row: Sendable {
  /// What was done.
  var row: String
  /// `ms`, `us`, `ns` (less is better), `objects/s` (more is better), `bytes` (less is better).
  var unit: String
  var ours: Double
  /// What SQLite takes for the same answer; nil where it has no such thing.
  var sqlite: Double?
  /// What realm-core takes for the same answer; nil where it has no such thing, or was not asked.
  var realm: Double?
  /// A plain loop over arrays in memory that gives the same answer: as fast as this machine can.
  var limit: Double?
  var goal: Double?
  /// What a similar question takes, of which this one should be no large multiple; nil without one.
  var neighbour: Double?
  /// Whether it is a question that is asked of data, which the mean of all ratios is made of.
  var isQuery = true

  /// Whether more is better.
  var isRate: Bool { unit.hasSuffix("/s") }

  /// How many times as good as SQLite.
  var ratio: Double? { sqlite.flatMap { isRate ? quotient(ours, $0) : quotient($0, ours) } }

  /// How many times as good as realm-core.
  var realmRatio: Double? { realm.flatMap { isRate ? quotient(ours, $0) : quotient($0, ours) } }

  /// How many times as long as the limit.
  var overLimit: Double? { limit.flatMap { isRate ? quotient($0, ours) : quotient(ours, $0) } }

  /// How many times as long as the similar question.
  var overNeighbour: Double? { neighbour.flatMap { isRate ? quotient($0, ours) : quotient(ours, $0) } }

  /// Whether the goal is reached; nil without one.
  var reachesGoal: Bool? { goal.map { isRate ? ours >= $0 : ours <= $0 } }

  private func quotient(_ above: Double, _ below: Double) -> Double? { below > 0 ? above / below : nil }
}

extension Row: Encodable {
  private enum Key: String, CodingKey { case row, unit, ours, sqlite, realm, limit, goal, neighbour }

  /// Every key is there, with null for what was not measured.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(row, forKey: .row)
    try container.encode(unit, forKey: .unit)
    try container.encode(ours, forKey: .ours)
    try container.encode(sqlite, forKey: .sqlite)
    try container.encode(realm, forKey: .realm)
    try container.encode(limit, forKey: .limit)
    try container.encode(goal, forKey: .goal)
    try container.encode(neighbour, forKey: .neighbour)
  }
}
