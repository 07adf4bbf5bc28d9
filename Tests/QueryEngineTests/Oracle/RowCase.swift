import Diagnostics
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import Values

/// What the engine and the oracle say about one statement.
struct RowCase {
  enum Outcome {
    case agreed(rows: Int)
    case refused, doubted
    case disagreed(String)
  }

  let world: OracleWorld
  let entity: Entity
  let objects: [OracleObject]
  let snapshot: Snapshot
  let arguments: Arguments
  let mistake: RowOracle.Mistake?

  func outcome(of select: SelectSyntax) throws -> Outcome {
    let text = StatementSyntax.select(select).description
    let read: StatementSyntax
    do throws(DiagnosticError) {
      read = try StatementParser.statement(text)
    } catch {
      return .disagreed("the printed text is refused: \(error)")
    }
    guard case .select(let again) = read, read.description == text else {
      return .disagreed("the printed text reads back as \(read)")
    }
    // A list of structs is shown where its count stands, not leaf by leaf.
    let columns = snapshot.schema.entity(named: entity.name)?.columns.map(\.column).filter { !$0.kind.isPart } ?? []
    let oracle = RowOracle(
      world: world, entity: entity, leaves: columns.map(\.path), arguments: arguments, mistake: mistake)
    var expected: (answer: RowOracle.Answer, inDoubt: Bool)?
    var refusal = ""
    do throws(OracleError) { expected = try oracle.answer(again, objects) } catch { refusal = error.description }
    let compiled: CompiledRows
    do throws(DiagnosticError) {
      compiled = try compile(again, text)
    } catch {
      return expected == nil ? .refused : .disagreed("the engine refuses it: \(error)")
    }
    guard let expected else { return .disagreed("the engine takes it, but it is an error: \(refusal)") }
    var others: [PlannerOptions] = [.remembering(), .remembering()]
    others += (0..<(try compiled.planCount(in: snapshot))).map { PlannerOptions(access: .enumerated($0)) }
    for number in others.indices {
      others[number].threads = [.one, .always(2), .always(3)][(number + text.utf8.count) % 3]
    }
    let links = LinkAccess.allCases[text.utf8.count % LinkAccess.allCases.count]
    for options in PlannerOptions.everyWay(links: links) + others {
      let plan = try compiled.plan(in: snapshot, options: options)
      if let problem = try disagreement(
        of: plan, compiled.columns, expected.answer, hasSections: again.sectionsBy != nil,
        isWhole: again.select == nil && !again.isGrouped,
        sums: Set((again.select ?? []).indices.filter { again.select?[$0].expression.isOfSums ?? false }))
      {
        if expected.inDoubt { return .doubted }
        return .disagreed("\(options.way): \(problem)\n\(plan.explanation.text)")
      }
    }
    return .agreed(rows: expected.answer.rows.count)
  }

  /// The clauses in their one order, as statements have them.
  private func compile(_ select: SelectSyntax, _ text: String) throws(DiagnosticError) -> CompiledRows {
    let context = SourceContext(
      source: text, arguments: arguments, usedElsewhere: select.allPlaceholders, refusesExtraArguments: false)
    var found = QueryDescription(entity: entity.name)
    try found.append(select.filter, context)
    let offset =
      try select.offset.map { syntax throws(DiagnosticError) in try context.count(syntax, of: "OFFSET") } ?? 0
    let limit = try select.limit.map { syntax throws(DiagnosticError) in try context.count(syntax, of: "LIMIT") }
    let isGrouped = select.isGrouped
    if !isGrouped {
      if !select.sortBy.isEmpty { found.stages.append(.sort(select.sortBy, context)) }
      if !select.distinct.isEmpty { found.stages.append(.distinct(select.distinct, context)) }
      if offset > 0 || limit != nil { found.stages.append(.window(offset: offset, limit: limit)) }
    }
    let rows = RowDescription(
      select: select.select, groupBy: select.groupBy, having: select.having, sortBy: isGrouped ? select.sortBy : [],
      distinct: isGrouped ? select.distinct : [], offset: isGrouped ? offset : 0, limit: isGrouped ? limit : nil,
      sectionsBy: select.sectionsBy, sectionOptions: select.sectionOptions, context: context)
    return try CompiledRows(found, rows, schema: snapshot.schema)
  }

  private func disagreement(
    of plan: Plan, _ columns: [RowColumn], _ expected: RowOracle.Answer, hasSections: Bool, isWhole: Bool,
    sums: Set<Int>
  ) throws -> String? {
    let found = try plan.found(in: snapshot)
    var rows: [[Value]] = []
    try found.forEach { row in
      rows.append(isWhole ? row : RowTree.values(of: row, columns))
      return true
    }
    if try plan.count(in: snapshot) != expected.rows.count { return "counts others than \(expected.rows.count)" }
    if rows.count != expected.rows.count || !zip(rows, expected.rows).allSatisfy({ same($0, $1, sums) }) {
      return "shows \(rows.prefix(20)), expected \(expected.rows.prefix(20))"
    }
    guard hasSections else { return nil }
    let sections = try found.sections()
    let agree =
      sections.count == expected.sections.count
      && zip(sections, expected.sections).allSatisfy { OracleValues.same($0.key, $1.key) && $0.rows == $1.rows }
    return agree ? nil : "has sections \(sections.map { ($0.key, $0.rows) }), expected \(expected.sections)"
  }

  /// Whether two rows are the same: bit by bit in the columns that are sums.
  private func same(_ found: [Value], _ wanted: [Value], _ sums: Set<Int>) -> Bool {
    found.count == wanted.count
      && found.indices.allSatisfy {
        sums.contains($0) ? OracleValues.identical(found[$0], wanted[$0]) : OracleValues.same(found[$0], wanted[$0])
      }
  }
}

extension ExpressionSyntax {
  /// Whether it is an aggregate that is a sum or made of sums.
  fileprivate var isOfSums: Bool {
    guard case .path(let path) = kind else { return false }
    return path.steps.contains {
      if case .operation(let name) = $0.kind { OracleAggregates.isOfSums(name) } else { false }
    }
  }
}
