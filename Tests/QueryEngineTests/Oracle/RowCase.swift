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
    let precisions = (again.select ?? []).map(\.expression.precision)
    let links = LinkAccess.allCases[text.utf8.count % LinkAccess.allCases.count]
    for options in PlannerOptions.everyWay(links: links) + others {
      let plan = try compiled.plan(in: snapshot, options: options)
      if let problem = try disagreement(
        of: plan, compiled.columns, expected.answer, hasSections: again.sectionsBy != nil,
        isWhole: again.select == nil && !again.isGrouped,
        precisions: precisions)
      {
        let isInDoubt =
          expected.inDoubt
          || OracleDeviation.isInDoubt(
            text, isSame: { same(try oracle.answer(again, objects).answer, expected.answer, precisions) })
        if isInDoubt { return .doubted }
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
    precisions: [OracleAggregates.Precision]
  ) throws -> String? {
    let found = try plan.found(in: snapshot)
    var rows: [[Value]] = []
    try found.forEach { row in
      rows.append(isWhole ? row : RowTree.values(of: row, columns))
      return true
    }
    if try plan.count(in: snapshot) != expected.rows.count { return "counts others than \(expected.rows.count)" }
    if !same(rows, expected.rows, precisions) {
      return "shows \(rows.prefix(20)), expected \(expected.rows.prefix(20))"
    }
    guard hasSections else { return nil }
    let sections = try found.sections()
    return same(sections.map { ($0.key, $0.rows) }, expected.sections)
      ? nil : "has sections \(sections.map { ($0.key, $0.rows) }), expected \(expected.sections)"
  }

  private func same(
    _ found: RowOracle.Answer, _ wanted: RowOracle.Answer, _ precisions: [OracleAggregates.Precision]
  ) -> Bool {
    same(found.rows, wanted.rows, precisions) && same(found.sections, wanted.sections)
  }

  private func same(_ found: [(key: Value, rows: [Int])], _ wanted: [(key: Value, rows: [Int])]) -> Bool {
    found.count == wanted.count
      && zip(found, wanted).allSatisfy { OracleValues.same($0.key, $1.key) && $0.rows == $1.rows }
  }

  private func same(
    _ found: [[Value]], _ wanted: [[Value]], _ precisions: [OracleAggregates.Precision]
  ) -> Bool {
    found.count == wanted.count && zip(found, wanted).allSatisfy { same($0, $1, precisions) }
  }

  /// Whether two rows are the same: bit by bit in the columns that are made of sums.
  private func same(_ found: [Value], _ wanted: [Value], _ precisions: [OracleAggregates.Precision]) -> Bool {
    found.count == wanted.count
      && found.indices.allSatisfy {
        let precision = precisions.count == found.count ? precisions[$0] : .value
        return OracleAggregates.agree(precision, found[$0], wanted[$0])
      }
  }
}

extension ExpressionSyntax {
  /// What is defined of its values: the bits where it is made of sums and of nothing of which less is defined.
  fileprivate var precision: OracleAggregates.Precision {
    var hasSum = false
    var least: OracleAggregates.Precision?
    func note(_ name: String) {
      switch OracleAggregates.precision(name) {
      case .bits: hasSum = true
      case .digits: least = .digits
      case .value: if least == nil { least = .value }
      }
    }
    walk { node in
      guard case .expression(let expression) = node else { return true }
      if case .call(let name, _) = expression.kind, OracleAggregates.functions.contains(name) { note(name) }
      return true
    }
    for path in SyntaxNode.expression(self).paths() {
      for case .operation(let name) in path.steps.map(\.kind) where name != "count" { note(name) }
    }
    return least ?? (hasSum ? .bits : .value)
  }
}
