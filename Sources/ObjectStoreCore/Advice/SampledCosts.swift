internal import QueryEngine
internal import Storage

/// What statements would cost with some further indexes, estimated by the planner.
///
/// The indexes are built on a sample of the store. Where that has only a part of the objects, they are also built on
/// both halves of it: from the costs of each way to find the objects in all three follows the cost in the whole store.
/// It knows the plans and not how they come about.
final class SampledCosts {
  /// Every way to find a statement's objects in one sample.
  private struct Ways {
    /// The cost of each, by name.
    var all: [String: Double]
    /// The number of objects of the statement's entity.
    var objects: Double

    init(_ plan: Plan, objects: Int) {
      all = [plan.name: plan.cost]
      for (name, cost) in plan.rejected { all[name] = min(all[name] ?? .infinity, cost) }
      self.objects = Double(objects)
    }
  }

  /// A way with its cost in the whole store.
  private typealias Choice = (name: String, cost: Double)

  private struct Asked: Hashable {
    let statement: Int
    let indexes: Set<IndexCandidate>
  }

  private let statements: [PlannedStatement]
  /// The sample, then its halves.
  private let samples: [StoreSample]
  private let cancellation: Cancellation?
  private var known: [Asked: Double] = [:]
  private var choices: [Int: Choice] = [:]

  init(_ statements: [PlannedStatement], samples: [StoreSample], cancellation: Cancellation?) {
    self.statements = statements
    self.samples = samples
    self.cancellation = cancellation
  }

  /// What a statement costs with some of the indexes, once.
  func cost(of statement: Int, with indexes: Set<IndexCandidate>) throws -> Double {
    let planned = statements[statement]
    // Other indexes change nothing.
    let asked = Asked(statement: statement, indexes: indexes.filter(planned.mayUse))
    if asked.indexes.isEmpty { return planned.cost }
    if let known = known[asked] { return known }
    let usual = try usualChoice(of: statement)
    let choice = Self.cheapest(try ways(of: planned, with: asked.indexes), inAll: Double(planned.objects))
    // An index also makes the estimates of plans without it a little better.
    let isSame = choice.name == usual.name && abs(choice.cost - usual.cost) <= Self.likeness * usual.cost
    let cost = isSame ? planned.cost : choice.cost
    known[asked] = cost
    return cost
  }

  /// Estimates of the same plan differ by less than this fraction.
  private static let likeness = 0.05

  /// The choice without any of the indexes.
  private func usualChoice(of statement: Int) throws -> Choice {
    if let known = choices[statement] { return known }
    let planned = statements[statement]
    let choice = Self.cheapest(try ways(of: planned, with: []), inAll: Double(planned.objects))
    choices[statement] = choice
    return choice
  }

  private func ways(of planned: PlannedStatement, with indexes: Set<IndexCandidate>) throws -> [Ways] {
    try samples.map { sample in
      try sample.read(with: indexes) { place in
        let runner = planned.statement.runner(cancellation)
        let found = try runner.planned(planned.statement.syntax, in: place) { snapshot, plan in
          Ways(plan, objects: try snapshot.objectCount(plan.entity))
        }
        guard let found else { throw StoreError.unsupported("a statement without a plan was to be planned") }
        return found
      }
    }
  }

  /// The cheapest way among many objects, from the costs among fewer. It may be another than in the samples: an index
  /// that costs more than a scan of few objects costs less than one of many.
  private static func cheapest(_ ways: [Ways], inAll objects: Double) -> Choice {
    guard let sample = ways.first else { return ("", 0) }
    let halves = ways.dropFirst()
    let choices = sample.all.map { name, cost in
      let costs = halves.compactMap { $0.all[name] }
      let growth = SampledGrowth(objects: sample.objects, amount: cost, halves: costs)
      return (name, growth.amount(with: objects))
    }
    return choices.min { ($0.1, $0.0) < ($1.1, $1.0) } ?? ("", 0)
  }
}

/// A statement with the plan that it has in the store.
struct PlannedStatement {
  let statement: AdvisedStatement
  let cost: Double
  /// The entity whose objects it finds, and their number.
  let entity: String
  let objects: Int
  /// The indexes of its plan.
  let indexes: Set<StoredIndex>
  let questions: [IndexQuestion]

  /// The statement in one version of the store; nil if it finds no objects.
  init?(_ statement: AdvisedStatement, in place: QuerySource, _ cancellation: Cancellation?) throws {
    let questions = IndexQuestions()
    let found = try statement.runner(cancellation).planned(statement.syntax, in: place, noting: questions) {
      snapshot, plan in
      (plan.cost, plan.entity.name, try snapshot.objectCount(plan.entity), plan.indexes)
    }
    guard let found else { return nil }
    self.statement = statement
    (cost, entity, objects, indexes) = found
    self.questions = questions.all
  }

  /// Whether an index may change its plan.
  func mayUse(_ candidate: IndexCandidate) -> Bool {
    guard let first = candidate.index.paths.first else { return false }
    return questions.contains { $0.entity == candidate.entity && $0.mentions(first) }
  }
}

extension AdvisedStatement {
  fileprivate func runner(_ cancellation: Cancellation?) -> StatementRunner {
    StatementRunner(
      source: source, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
      cancellation: cancellation)
  }
}
