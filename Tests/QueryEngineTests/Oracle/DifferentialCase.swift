import Diagnostics
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import Values

/// What the engine and the oracle say about queries on one written store.
struct DifferentialCase {
  let written: WrittenStore
  private var store: RandomStore { written.store }
  private var objects: [OracleObject] { written.objects }

  init(_ store: RandomStore) throws { written = try WrittenStore(store) }

  /// How the engine and the oracle disagree about a query; nil when they do not.
  func disagreement(
    on query: RandomQuery, counting plans: inout Int, mistake: NaiveEvaluator.Mistake? = nil
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
      schema: store.schema, entity: store.entity, arguments: query.arguments, mistake: mistake)
    var expected: [UInt64]?
    var refusal = ""
    do throws(OracleError) { expected = try oracle.rows(read, of: objects) } catch { refusal = error.description }
    return try written.file.read { snapshot in
      let compiled: CompiledQuery
      do throws(DiagnosticError) {
        compiled = try compile(read, text, query.arguments, snapshot)
      } catch {
        return expected == nil ? nil : "the engine refuses it: \(error)"
      }
      guard let expected else { return "the engine takes it, but it is an error: \(refusal)" }
      let count = try compiled.planCount(in: snapshot)
      if count == 0 { return "there is no plan" }
      for number in -1..<count {
        let access: AccessChoice = number < 0 ? .cheapest : .enumerated(number)
        let plan = try compiled.plan(in: snapshot, options: PlannerOptions(access: access))
        plans += 1
        let found = try plan.objects(in: snapshot).map(\.rawValue)
        if found != expected {
          return "plan \(number) finds \(Self.shown(found)), expected \(Self.shown(expected))\n\(plan.explanation.text)"
        }
        let counted = try plan.count(in: snapshot)
        if counted != expected.count {
          return "plan \(number) counts \(counted), expected \(expected.count)\n\(plan.explanation.text)"
        }
      }
      return try partition(read, text, query.arguments, snapshot)
    }
  }

  /// What a predicate finds and what its opposite finds are all objects, each once.
  private func partition(
    _ filter: FilterSyntax, _ text: String, _ arguments: Arguments, _ snapshot: Snapshot
  ) throws -> String? {
    guard let predicate = filter.predicate else { return nil }
    let opposite = PredicateSyntax(.not(predicate))
    var found: [UInt64] = []
    for side in [predicate, opposite] {
      let compiled = try compile(FilterSyntax(predicate: side), text, arguments, snapshot)
      found += try compiled.plan(in: snapshot).objects(in: snapshot).map(\.rawValue)
    }
    return found.sorted() == objects.map(\.number) ? nil : "it and its opposite do not share the objects between them"
  }

  private func compile(
    _ filter: FilterSyntax, _ text: String, _ arguments: Arguments, _ snapshot: Snapshot
  ) throws(DiagnosticError) -> CompiledQuery {
    var description = QueryDescription(entity: store.entity.name)
    try description.append(
      filter, SourceContext(source: text, arguments: arguments, refusesExtraArguments: false))
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
