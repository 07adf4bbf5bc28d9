import PredicateLanguage
import Storage

/// A store with a world of the oracle that has the same objects, about which random statements can be made.
protocol RowWorld {
  var file: StoreFile { get }

  /// A random statement about it; nil for one that can't be compared.
  func statement(_ random: OracleRandom, in snapshot: Snapshot, _ mistake: RowOracle.Mistake?) throws -> RowQuestion?
}

/// A statement to be answered by every plan and by the oracle.
struct RowQuestion {
  let asked: RowCase
  let select: SelectSyntax
  /// What it takes to ask it again.
  let reproduction: () -> String
}

/// Asks random statements about rows in one random world after the other, and counts what came of them.
struct RowDifferential {
  private(set) var answered = 0, refused = 0, doubted = 0, groups = 0, sections = 0, rows = 0

  /// What was tried, to be printed.
  var summary: String {
    "\(answered) answered (\(groups) grouped, \(sections) in sections, \(rows) rows), \(refused) refused, \(doubted) in doubt"
  }

  /// All statements.
  var asked: Int { answered + refused + doubted }

  /// Asks until there were so many; what is wrong with the first answer that is not the oracle's.
  mutating func run(
    queries: Int, seed: UInt64, _ mistake: RowOracle.Mistake? = nil,
    _ makeWorld: (inout OracleRandom) throws -> any RowWorld
  ) throws -> String? {
    var random = OracleRandom(seed: seed)
    while asked < queries {
      let world = try makeWorld(&random)
      let failure: String? = try world.file.read { snapshot -> String? in
        for _ in 0..<60 {
          guard let question = try world.statement(OracleRandom(seed: random.next()), in: snapshot, mistake) else {
            continue
          }
          if let failure = try ask(question) { return failure }
        }
        return nil
      }
      if let failure { return failure }
    }
    return nil
  }

  private mutating func ask(_ question: RowQuestion) throws -> String? {
    switch try question.asked.outcome(of: question.select) {
    case .agreed(let count):
      answered += 1
      if question.select.sectionsBy != nil { sections += 1 }
      if !question.select.groupBy.isEmpty { groups += 1 }
      rows += count
    case .refused: refused += 1
    case .doubted: doubted += 1
    case .disagreed(let problem):
      return "\(question.reproduction())\n\(StatementSyntax.select(question.select).description)\n\(problem)"
    }
    return nil
  }
}
