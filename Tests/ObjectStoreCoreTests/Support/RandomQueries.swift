import ObjectStoreCore

/// Random conditions about tasks and projects, as texts, and random tasks to ask them of.
struct RandomQueries {
  /// What may be compared, with what and how.
  struct Term {
    let operand: String
    let operators: [String]
    let values: [String]
  }

  private var random: Numbers

  init(_ seed: UInt64) { random = Numbers(seed) }

  private static let order = ["==", "!=", "<", "<=", ">", ">="]
  private static let text = ["==", "!=", "==[c]", "CONTAINS", "BEGINSWITH[cd]", "ENDSWITH", "LIKE", "IN", "<"]
  private static let numbers = ["-1", "0", "1", "2", "3", "5", "7", "10", "90", "2.5"]
  private static let names = ["'Ali'", "'alex'", "'step 1'", "'é'", "'b*'", "''", "'plan'"]

  static let task = [
    Term(operand: "priority", operators: order, values: numbers),
    Term(operand: "priority * 2 + progressMinutes", operators: order, values: numbers),
    Term(operand: "assignee", operators: ["==", "!="], values: ["nil"] + names),
    Term(operand: "assignee", operators: text, values: names),
    Term(operand: "name", operators: text, values: names),
    Term(operand: "isComplete", operators: ["==", "!="], values: ["TRUE", "FALSE"]),
    Term(operand: "labels", operators: ["CONTAINS", "=="], values: ["'bug'", "'quick win'", "'x'"]),
    Term(operand: "ALL labels", operators: ["CONTAINS[c]", "!="], values: ["'B'", "'bug'"]),
    Term(operand: "ratings", operators: order, values: numbers),
    Term(operand: "NONE ratings", operators: order, values: numbers),
    Term(operand: "ratings.@sum", operators: order, values: numbers),
    Term(operand: "ratings.@count", operators: order, values: numbers),
    Term(operand: "length(name)", operators: order, values: numbers),
    Term(operand: "projects.name", operators: text, values: names),
    Term(operand: "projects.@count", operators: order, values: ["0", "1"]),
    Term(operand: "TERNARY(isComplete, priority, progressMinutes)", operators: order, values: numbers),
  ]

  static let project = [
    Term(operand: "name", operators: text, values: names),
    Term(operand: "tasks.priority", operators: order, values: numbers),
    Term(operand: "ALL tasks.progressMinutes", operators: order, values: numbers),
    Term(operand: "NONE tasks.assignee", operators: ["==", "!="], values: ["nil"] + names),
    Term(operand: "tasks.@avg.priority", operators: order, values: numbers),
    Term(operand: "tasks.@count", operators: order, values: numbers),
    Term(
      operand: "SUBQUERY(tasks, $t, $t.isComplete == TRUE AND $t.priority > 2).@count", operators: order,
      values: numbers),
    Term(operand: "tasks.ratings", operators: order, values: numbers),
  ]

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

  mutating func condition(of terms: [Term], depth: Int = 3) -> String {
    switch depth == 0 ? 9 : below(10) {
    case 0, 1: return "(\(condition(of: terms, depth: depth - 1)) AND \(condition(of: terms, depth: depth - 1)))"
    case 2, 3: return "(\(condition(of: terms, depth: depth - 1)) OR \(condition(of: terms, depth: depth - 1)))"
    case 4: return "NOT (\(condition(of: terms, depth: depth - 1)))"
    default:
      let term = pick(terms)
      return "\(term.operand) \(pick(term.operators)) \(pick(term.values))"
    }
  }

  mutating func task() -> Task {
    Task(
      pick(["plan", "Plan", "étude", "", "step 1", "b"]), isComplete: below(2) == 0,
      assignee: pick(["Ali", "Alex", "ALEX", nil]), priority: below(12) - 1,
      progressMinutes: below(130), labels: Set((0..<below(3)).map { _ in pick(["bug", "quick win", "B"]) }),
      ratings: Set((0..<below(4)).map { _ in below(6) }))
  }
}
