import Diagnostics
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import Values

/// What the engine and the oracle say about queries on the objects of one snapshot.
struct DifferentialCase {
  let store: RandomStore
  let world: OracleWorld
  let snapshot: Snapshot

  /// In insertion order.
  var objects: [OracleObject] { world.all(store.entity.name) }

  /// How the engine and the oracle disagree about a query; nil when they do not.
  func disagreement(
    on query: RandomQuery, _ coverage: inout PlanCoverage, mistake: NaiveEvaluator.Mistake? = nil
  ) throws -> String? {
    let text = query.filter.predicateFormat
    let read: FilterSyntax
    do throws(DiagnosticError) {
      read = try PredicateParser.filter(text)
    } catch {
      return "the printed text is refused: \(error)"
    }
    // NaN is not equal to itself, so a tree with one is compared by its text alone.
    if read.predicateFormat != text || (read != query.filter && !text.contains("nan")) {
      return "the printed text reads back as \(read.predicateFormat)\n\(read)\nnot\n\(query.filter)"
    }
    let oracle = NaiveEvaluator(
      schema: store.schema, entity: store.entity, arguments: query.arguments, definitions: query.definitions,
      mistake: mistake, world: world)
    var expected: [UInt64]?
    var refusal = ""
    do throws(OracleError) { expected = try oracle.rows(read, of: objects) } catch { refusal = error.description }
    let compiled: CompiledQuery
    do throws(DiagnosticError) {
      compiled = try compile(read, text, query)
    } catch {
      if expected == nil { coverage.refused += 1 }
      return expected == nil ? nil : "the engine refuses it: \(error)"
    }
    guard let expected else { return "the engine takes it, but it is an error: \(refusal)" }
    let problem = try disagreement(of: compiled, expected, &coverage)
    if problem != nil,
      oracle.doubt.isThere
        || OracleDeviation.isInDoubt(text, isSame: { try oracle.rows(read, of: objects) == expected })
    {
      coverage.doubted += 1
      return nil
    }
    coverage.answered += 1
    return try problem ?? partition(read, text, query)
  }

  /// How some plan of a query does not find what it should; nil when all do.
  private func disagreement(
    of compiled: CompiledQuery, _ expected: [UInt64], _ coverage: inout PlanCoverage
  ) throws -> String? {
    let count = try compiled.planCount(in: snapshot)
    if count == 0 { return "there is no plan" }
    var ways: [Plan] = []
    for number in -1..<count {
      let access: AccessChoice = number < 0 ? .cheapest : .enumerated(number)
      var options = PlannerOptions(access: access)
      // Scans on one thread and on several, by turns.
      options.threads = (coverage.asked + number) % 2 == 0 ? .one : .always(3)
      let plan = try compiled.plan(in: snapshot, options: options)
      let text = plan.explanation.text
      coverage.add(text)
      ways.append(plan)
      if let problem = try disagreement(of: plan, expected) { return "plan \(number) \(problem)\n\(text)" }
      // Aggregates know nothing of the query but what it finds: some are enough.
      if number < 0, coverage.asked % 3 == 0, let problem = try disagreementOfAggregates(plan, expected) {
        return "\(problem)\n\(text)"
      }
    }
    for options in PlannerOptions.everyWay() {
      let plan = try compiled.plan(in: snapshot, options: options)
      if let problem = try disagreement(of: plan, expected) {
        return "\(options.way) \(problem)\n\(plan.explanation.text)"
      }
    }
    // As a store runs it, that remembers what was asked before.
    for _ in 0..<2 {
      let plan = try compiled.plan(in: snapshot, options: .remembering())
      if let problem = try disagreement(of: plan, expected) {
        return "remembering \(problem)\n\(plan.explanation.text)"
      }
    }
    if let problem = try disagreementByObject(compiled, expected) { return problem }
    for plan in ways.flatMap({ $0.givingUpItsOrder(for: ways, after: [0, 3, 60]) }) {
      coverage.givenUp += try plan.isGivenUp(in: snapshot) ? 1 : 0
      if let problem = try disagreement(of: plan, expected) { return "giving up \(problem)\n\(plan.explanation.text)" }
    }
    return nil
  }

  /// How the query evaluated object by object finds something else among some objects, or another position for one.
  private func disagreementByObject(_ compiled: CompiledQuery, _ expected: [UInt64]) throws -> String? {
    guard compiled.reads.form == .all, !compiled.readsMoment else { return nil }
    let query = QueryByObject(compiled)
    let some = objects.indices.filter { $0 % max(1, objects.count / 16) == 0 }.prefix(31).map { objects[$0].number }
    let wanted = expected.filter(Set(some).contains)
    if let found = try query.found(among: some.map { ObjectNumber($0) }, in: snapshot)?.map(\.rawValue),
      found != wanted
    {
      return "by object finds \(Self.shown(found)) among \(some), expected \(Self.shown(wanted))"
    }
    for place in [0, expected.count / 3, expected.count - 1] where expected.indices.contains(place) {
      var others = expected
      let object = others.remove(at: place)
      let position = try query.position(
        of: ObjectNumber(object), among: others.count, at: { ObjectNumber(others[$0]) }, in: snapshot)
      if position != place { return "by object \(object) has position \(position), expected \(place)" }
    }
    return nil
  }

  /// Whether a plan finds, counts and streams what it should.
  private func disagreement(of plan: Plan, _ expected: [UInt64]) throws -> String? {
    let found = try plan.objects(in: snapshot).map(\.rawValue)
    if found != expected { return "finds \(Self.shown(found)), expected \(Self.shown(expected))" }
    let counted = try plan.count(in: snapshot)
    if counted != expected.count { return "counts \(counted), expected \(expected.count)" }
    var first: [UInt64] = []
    try plan.forEach(in: snapshot) {
      first.append($0.rawValue)
      return first.count < 3
    }
    return first == Array(expected.prefix(3)) ? nil : "streams \(first), expected \(Self.shown(expected))"
  }

  /// Least, greatest, sum and average of every column over what was found.
  private func disagreementOfAggregates(_ plan: Plan, _ expected: [UInt64]) throws -> String? {
    let chosen = Set(expected)
    let rows = objects.filter { chosen.contains($0.number) }
    for (place, column) in plan.entity.columns.enumerated() {
      guard case .scalar(let type) = column.column.kind, type.isNumeric || type == .date else { continue }
      let values = rows.compactMap { $0.values[column.column.path] }
      for aggregate in AggregateFunction.functions where aggregate != .count {
        if !type.isNumeric, ![.minimum, .maximum, .mode].contains(aggregate) { continue }
        let found = try plan.aggregate(aggregate, column: place, in: snapshot)
        let wanted = OracleAggregates.reduce(aggregate.rawValue, values, type: OracleType(type))
        if !OracleAggregates.agree(aggregate.rawValue, found, wanted) {
          return "\(aggregate.rawValue) of \(column.column.path) is \(found), expected \(wanted)"
        }
      }
    }
    return nil
  }

  /// What a predicate finds and what its opposite finds are all objects, each once.
  private func partition(
    _ filter: FilterSyntax, _ text: String, _ query: RandomQuery
  ) throws -> String? {
    guard let predicate = filter.predicate else { return nil }
    let opposite = PredicateSyntax(.not(predicate))
    var found: [UInt64] = []
    for side in [predicate, opposite] {
      let compiled = try compile(FilterSyntax(predicate: side), text, query)
      found += try compiled.plan(in: snapshot).objects(in: snapshot).map(\.rawValue)
    }
    return found.sorted() == objects.map(\.number) ? nil : "it and its opposite do not share the objects between them"
  }

  private func compile(
    _ filter: FilterSyntax, _ text: String, _ query: RandomQuery
  ) throws(DiagnosticError) -> CompiledQuery {
    var description = QueryDescription(entity: store.entity.name)
    try description.append(
      filter,
      SourceContext(
        source: text, arguments: query.arguments, definitions: query.definitions, refusesExtraArguments: false))
    return try CompiledQuery(description, schema: snapshot.schema)
  }

  private static func shown(_ numbers: [UInt64]) -> String {
    numbers.count > 30 ? "\(numbers.prefix(30))… (\(numbers.count))" : "\(numbers)"
  }

  /// The case as text that can be typed in again.
  static func reproduction(_ store: RandomStore, _ query: RandomQuery) -> String {
    var lines = [SchemaText.print(store.schema)]
    for (number, transaction) in store.transactions.enumerated() {
      lines.append("transaction \(number):")
      for change in transaction.prefix(20) { lines.append(String("  \(change)".prefix(600))) }
      if transaction.count > 20 { lines.append("  … \(transaction.count) changes") }
    }
    lines.append(query.filter.predicateFormat)
    if !query.arguments.positional.isEmpty { lines.append("arguments \(query.arguments.positional)") }
    if !query.arguments.named.isEmpty { lines.append("arguments \(query.arguments.named)") }
    return lines.joined(separator: "\n")
  }
}
