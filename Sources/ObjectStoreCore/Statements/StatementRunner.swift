internal import Diagnostics
internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

/// Makes queries and changes of a parsed statement. It does not know where statements come from nor how results are
/// shown.
struct StatementRunner {
  let source: String
  let arguments: Arguments
  let definitions: [String: PredicateSyntax]
  let defaultEntity: String?
  let cancellation: Cancellation?

  /// Whether the statement changes objects.
  func isWrite(_ statement: StatementSyntax) -> Bool {
    switch statement {
    case .delete, .update, .insert: true
    case .select, .count, .explain, .begin, .commit, .rollback, .define: false
    }
  }

  /// Runs a statement that changes nothing.
  func read(_ statement: StatementSyntax, in place: QuerySource) throws -> StatementResult {
    switch statement {
    case .select(let select):
      let results = try DynamicResults(try selection(select, in: place))
      return .objects(results, columns: try columns(select, of: results))
    case .count(let select): return .count(try selection(select, in: place).count)
    case .explain(let analyze, let inner):
      guard let select = inner.objects else { throw unsupported("there is nothing to explain here", nil) }
      return .explanation(try selection(select, in: place).explanation(analyze: analyze))
    case .define: return .none
    case .begin, .commit, .rollback:
      throw unsupported("BEGIN, COMMIT and ROLLBACK are not supported yet: each statement commits by itself", nil)
    case .delete, .update, .insert: throw unsupported("a statement that changes objects needs a write", nil)
    }
  }

  /// Runs a statement that changes objects.
  func change(_ statement: StatementSyntax, in transaction: WriteTransaction) throws -> StatementResult {
    switch statement {
    case .delete(let select):
      return .changed(
        try transaction.delete(DynamicResults(try selection(select, in: .transaction(transaction.scope)))))
    case .update(let select, let assignments):
      return .changed(try update(select, assignments, in: transaction))
    case .insert(let entity, let fields):
      let stored = try self.entity(entity, in: transaction)
      let schema = try transaction.session.schema.schema
      let row = try InsertRow(stored, schema: schema, source: source).values(of: fields, at: entity.range)
      _ = try transaction.session.insert(row, into: stored)
      return .changed(1)
    default: return try read(statement, in: .transaction(transaction.scope))
    }
  }

  // MARK: Queries

  /// The query of a statement: WHERE, SORT, DISTINCT, OFFSET, LIMIT, in that order however they were written.
  private func selection(_ select: SelectSyntax, in place: QuerySource) throws -> Selection {
    try refuse(select)
    guard let name = select.entity?.text ?? defaultEntity else {
      throw QueryError(
        source: source,
        Diagnostic(code: .missingEntity, message: "no entity is named: write one before the condition, or '.use' it"))
    }
    var query = QueryDescription(entity: name)
    if let entity = select.entity { query.entitySource = (source, entity.range) }
    var context = SourceContext(source: source, arguments: arguments, definitions: definitions)
    for expression in [select.offset, select.limit] {
      if case .placeholder(let placeholder)? = expression?.kind { context.usedElsewhere.insert(placeholder) }
    }
    try query.append(select.filter, context)
    if !select.sortBy.isEmpty { query.stages.append(.sort(select.sortBy, context)) }
    if !select.distinct.isEmpty { query.stages.append(.distinct(select.distinct, context)) }
    if select.offset != nil || select.limit != nil {
      query.stages.append(
        .window(
          offset: try select.offset.map { try context.count($0, of: "OFFSET") } ?? 0,
          limit: try select.limit.map { try context.count($0, of: "LIMIT") }))
    }
    return Selection(query, in: place, cancellation: cancellation)
  }

  private func refuse(_ select: SelectSyntax) throws {
    if let group = select.groupBy.first { throw unsupported("GROUP BY is not supported yet", group.range) }
    if let having = select.having { throw unsupported("HAVING is not supported yet", having.range) }
    if let sections = select.sectionsBy { throw unsupported("SECTIONS BY is not supported yet", sections.range) }
  }

  /// The columns of the SELECT; nil for whole objects.
  private func columns(_ select: SelectSyntax, of results: DynamicResults) throws -> [SelectedColumn]? {
    guard let items = select.select else { return nil }
    return try results.selection.read { snapshot, query in
      try items.map { item in
        guard case .path(let path) = item.expression.kind, let names = path.names else {
          throw unsupported("SELECT shows properties; expressions are not supported yet", item.expression.range)
        }
        _ = try resolve(
          path, range: item.expression.range, source: source, entity: query.entity, schema: snapshot.schema.schema)
        return SelectedColumn(heading: item.heading, path: names.joined(separator: "."))
      }
    }
  }

  // MARK: Changes

  private func update(
    _ select: SelectSyntax, _ assignments: [AssignmentSyntax], in transaction: WriteTransaction
  ) throws -> Int {
    let selection = try selection(select, in: .transaction(transaction.scope))
    let (entity, ids) = try selection.evaluate { (entity: $1, ids: $2) }
    let schema = try transaction.session.schema.schema
    var changes: [(column: Int, value: Value)] = []
    for assignment in assignments {
      let columns = try resolve(
        assignment.path, range: assignment.range, source: source, entity: entity, schema: schema)
      guard columns.count == 1, let column = columns.first, entity.columns[column].column.kind != .presence else {
        throw unsupported("an embedded struct is set property by property", assignment.range)
      }
      let value = try constant(assignment.value)
      guard let kept = entity.columns[column].converted(value) else {
        throw entity.columns[column].mismatch(value, source: source, range: assignment.value.range)
      }
      changes.append((column, kept))
    }
    let session = try transaction.session
    for id in ids { try session.update(id, of: entity, changes) }
    return ids.count
  }

  private func constant(_ expression: ExpressionSyntax) throws -> Value {
    switch expression.kind {
    case .literal(let value): return value
    case .placeholder(let placeholder):
      if let value = arguments[placeholder] { return value }
      throw QueryError(
        source: source,
        Diagnostic(code: .missingArgument, message: "there is no argument for this", range: expression.range))
    default: throw unsupported("UPDATE sets constants; expressions are not supported yet", expression.range)
    }
  }

  private func entity(_ name: NameSyntax, in transaction: WriteTransaction) throws -> StoredEntity {
    // Goes by the binder, whose error shows the place.
    var query = QueryDescription(entity: name.text)
    query.entitySource = (source, name.range)
    return try Selection(query, in: .transaction(transaction.scope)).compiled().entity
  }

  private func unsupported(_ message: String, _ range: SourceRange?) -> QueryError {
    QueryError(source: source, Diagnostic(code: .unsupported, message: message, range: range))
  }
}

extension StatementSyntax {
  /// The query in it, where there is one.
  fileprivate var objects: SelectSyntax? {
    switch self {
    case .select(let select), .count(let select), .delete(let select), .update(let select, _): select
    case .explain(_, let inner): inner.objects
    case .insert, .begin, .commit, .rollback, .define: nil
    }
  }
}

extension PathSyntax {
  /// The names, when it consists of nothing else.
  fileprivate var names: [String]? {
    guard variable == nil, !steps.isEmpty else { return nil }
    var names: [String] = []
    for step in steps {
      guard case .name(let name) = step.kind else { return nil }
      names.append(name)
    }
    return names
  }
}

extension Arguments {
  /// The value for a placeholder; nil when none was given.
  fileprivate subscript(placeholder: Placeholder) -> Value? {
    switch placeholder {
    case .sequential(let index, _), .positional(let index):
      positional.indices.contains(index) ? positional[index] : nil
    case .named(let name): named[name]
    }
  }
}
