internal import QueryEngine
internal import Storage

/// What statements would cost with some further indexes, estimated by the planner.
///
/// The indexes are built on samples of the store. Where a sample has only a part of the objects, there is a second one
/// with half as many: from the costs of each way to find the objects in both follows how the cost grows with the number
/// of objects, and so the cost in the whole store. It knows the plans and not how they come about.
final class SampledCosts {
  /// Every way to find a statement's objects in one sample.
  private struct Ways: Equatable {
    /// The name and the cost of the cheapest.
    var name: String
    var cost: Double
    /// The cost of each, by name.
    var all: [String: Double]
    /// The number of objects of the statement's entity.
    var objects: Double

    init(_ plan: Plan, objects: Int) {
      name = plan.name
      cost = plan.cost
      all = [plan.name: plan.cost]
      for (name, cost) in plan.rejected { all[name] = min(all[name] ?? .infinity, cost) }
      self.objects = Double(objects)
    }

    func isSameChoice(as other: Ways) -> Bool { name == other.name && cost == other.cost }
  }

  private struct Asked: Hashable {
    let statement: Int
    let indexes: Set<IndexCandidate>
  }

  private let statements: [PlannedStatement]
  /// The larger sample first.
  private let samples: [StoreSample]
  private let cancellation: Cancellation?
  private var known: [Asked: Double] = [:]
  private var choices: [Int: [Ways]] = [:]

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
    let usual = try usualWays(of: statement)
    let ways = try ways(of: planned, with: asked.indexes)
    let isSame = zip(ways, usual).allSatisfy { $0.isSameChoice(as: $1) }
    let cost = isSame ? planned.cost : Self.cost(ways, inAll: Double(planned.objects))
    known[asked] = cost
    return cost
  }

  private func usualWays(of statement: Int) throws -> [Ways] {
    if let known = choices[statement] { return known }
    let found = try ways(of: statements[statement], with: [])
    choices[statement] = found
    return found
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

  /// The cost of the cheapest way among many objects, from the costs among fewer.
  private static func cost(_ ways: [Ways], inAll objects: Double) -> Double {
    guard let large = ways.first else { return 0 }
    let costs = large.all.map { name, cost in
      let small = ways.dropFirst().last.flatMap { small in small.all[name].map { (small.objects, $0) } }
      return SampledGrowth(large: (large.objects, cost), small: small).amount(with: objects)
    }
    return costs.min() ?? large.cost
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
