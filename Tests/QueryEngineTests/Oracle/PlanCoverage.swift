/// Which kinds of plan were compared, so that a test shows what it has tried.
struct PlanCoverage: CustomStringConvertible {
  /// Queries with an answer.
  var answered = 0
  /// Queries that are errors.
  var refused = 0
  /// Queries whose answer depends on the last bits of a distance, and that the oracle answers otherwise.
  var doubted = 0
  /// Walks in order that were given up.
  var givenUp = 0
  /// Plans whose filter ran on several threads because the engine chose so.
  var shared = 0
  /// Plans whose filter was made to run on several threads, over so many clusters that the engine might choose so too.
  var forced = 0
  /// Plans.
  private(set) var plans = 0
  private(set) var nodes: [String: Int] = [:]

  /// All queries.
  var asked: Int { answered + refused + doubted }

  /// Whether so few queries are in doubt that each can be one: distances and deviations differ in their last bits, and
  /// hardly any query of the random ones depends on these. A mistake that passes for doubt shows in more queries.
  static func isRare(_ doubted: Int, of asked: Int) -> Bool { doubted <= 2 + asked / 1000 }

  /// Counts a plan by its explanation: the first word of each line is a node.
  mutating func add(_ explanation: String) {
    plans += 1
    for line in explanation.split(separator: "\n") {
      let word = line.drop { !$0.isLetter }.prefix { $0.isLetter }
      if let first = word.first, first.isUppercase { nodes[String(word), default: 0] += 1 }
    }
  }

  var description: String {
    let kinds = nodes.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let queries = "\(answered) queries answered, \(refused) refused, \(doubted) in doubt"
    let threads = "\(shared) shared by threads of their own accord, \(forced) where they were made to"
    return "\(queries), \(plans) plans (\(kinds)), \(givenUp) orders given up, \(threads)"
  }
}
