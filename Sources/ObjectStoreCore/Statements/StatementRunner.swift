internal import Diagnostics
internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

/// Runs a parsed statement as a query or a change. It knows neither where statements come from nor how results are
/// shown.
struct StatementRunner {
  let source: String
  let arguments: Arguments
  let definitions: [String: PredicateSyntax]
  let defaultEntity: String?
  var cancellation: Cancellation?
  /// Whether the caller undoes the whole write when a change is cancelled, so that the change may stop halfway. In a
  /// transaction that continues, a change that has begun is completed.
  var isUndone = false

  /// Whether the statement changes objects.
  func isWrite(_ statement: StatementSyntax) -> Bool {
    switch statement {
    case .delete, .update, .insert: true
    case .select, .count, .explain, .begin, .commit, .rollback, .define, .schema: false
    }
  }

  /// Runs a statement that changes nothing.
  func read(_ statement: StatementSyntax, in place: QuerySource) throws -> StatementResult {
    switch statement {
    case .select(let select):
      switch try query(select, in: place) {
      case .objects(let selection): return .objects(try DynamicResults(selection))
      case .rows(let rows):
        let results = try RowResults(rows)
        return select.sectionsBy == nil ? .rows(results) : .sections(SectionResults(results))
      }
    case .count(let select):
      switch try query(select, in: place) {
      case .objects(let selection): return .count(try selection.count)
      case .rows(let rows): return .count(try RowResults(rows).count)
      }
    case .explain(let analyze, let inner):
      let explained = try explanation(of: inner, analyze: analyze, in: place)
      try cancellation?.check()
      return .explanation(explained)
    case .define: return .none
    case .begin, .commit, .rollback:
      throw unsupported("BEGIN, COMMIT and ROLLBACK are for a session: here each statement commits by itself", nil)
    case .delete, .update, .insert: throw unsupported("a statement that changes objects needs a write", nil)
    case .schema: throw SchemaStatement.misplaced(source)
    }
  }

  /// Warns about parts of a statement on objects or groups that are valid but probably not intended.
  func warnings(of statement: StatementSyntax, in place: QuerySource) throws -> [Diagnostic] {
    switch statement {
    case .select(let select), .count(let select):
      switch try query(select, in: place) {
      case .objects(let selection): return try selection.compiled().warnings
      case .rows(let rows): return try rows.compiled().warnings
      }
    case .delete(let select): return try targets(select, of: "DELETE", in: place).compiled().warnings
    case .update(let select, let assignments):
      // Checks the assignments first: their errors come before the warning that all objects are affected.
      return try update(select, assignments, in: place).0.compiled().warnings
    case .explain(_, let inner): return try warnings(of: inner, in: place)
    case .insert, .begin, .commit, .rollback, .define, .schema: return []
    }
  }

  /// Runs a statement that changes objects.
  func change(_ statement: StatementSyntax, in transaction: WriteTransaction) throws -> StatementResult {
    let place = QuerySource.transaction(transaction.scope)
    switch statement {
    case .delete(let select):
      let selection = try targets(select, of: "DELETE", in: place)
      return .changed(try transaction.deletion(of: selection, goesOn: goesOn))
    case .update(let select, let assignments):
      var (selection, changes, objects) = try update(select, assignments, in: place)
      let now = Instant.now
      selection.now = now
      let (entity, ids) = try selection.evaluate { (entity: $1, ids: $2) }
      // Everything is computed before anything is changed, so all right sides see the objects before the update.
      let computed = try selection.read { snapshot, _ in
        try changes.changes(of: ids, in: snapshot, now: now) { try cancellation?.ends() ?? false }
      }
      let (values, added) = try objects.added(to: computed, in: transaction)
      let session = try transaction.session
      for (step, (id, values)) in zip(ids, values).enumerated() {
        if step & 255 == 0, !goesOn() { throw QueryCancelled() }
        try session.update(id, of: entity, values)
      }
      var done = ObjectChanges(.changed, ids.count, of: entity.name)
      done.add(added)
      return .changed(done)
    case .insert(let entity, let fields):
      let row = try row(of: entity, fields, in: place)
      let root = try transaction.inserter(for: row.entity, refusingDuplicates: true)
      let inserter = GraphInserter(transaction, root: root)
      let outcome = try inserter.telling(ObjectText(fields, entity: entity.range, source: source)) {
        try $0.insert(row)
      }
      var changes = ObjectChanges(.inserted, 1, of: row.entity)
      changes.add(outcome.within)
      return .changed(changes)
    default: return try read(statement, in: place)
    }
  }

  /// Whether a change that has begun should continue.
  private func goesOn() -> Bool { !isUndone || cancellation?.isCancelled != true }

  // MARK: Queries

  /// The kind of query that a SELECT makes.
  private enum Query {
    case objects(Selection)
    case rows(RowSelection)
  }

  private func query(_ select: SelectSyntax, in place: QuerySource) throws -> Query {
    guard let name = select.entity?.text ?? defaultEntity else {
      throw QueryError(
        source: source,
        Diagnostic(code: .missingEntity, message: "no entity is named: write one before the condition, or '.use' it"))
    }
    let schema = try place.schema()
    let queries = place.store.queries
    let key = key(of: select, entity: name)
    if let known = key.flatMap({ queries.statement($0, for: schema) }) {
      return query(known, for: schema, in: place)
    }
    try place.store.limits.check(arguments)
    let timed = place.store.limits.timed(cancellation)
    // The text has just been parsed.
    try timed?.check()
    let query = try StatementQuery(select, entity: name, context, schema: schema)
    let kind: QueryCache.Statement.Kind
    if let rows = query.rows {
      let compiled = try CompiledRows(query.objects, rows, schema: schema, isCancelled: timed?.poll)
      kind = .rows(QueryCache.Statement.Rows(objects: query.objects, rows: rows, compiled: compiled))
    } else {
      kind = .objects(query.objects, try CompiledQuery(query.objects, schema: schema, isCancelled: timed?.poll))
    }
    try timed?.check()
    let statement = QueryCache.Statement(kind, for: schema)
    if let key { queries.keep(statement, as: key) }
    return self.query(statement, for: schema, in: place)
  }

  private func query(
    _ statement: QueryCache.Statement, for schema: StoredSchema, in place: QuerySource
  ) -> Query {
    switch statement.kind {
    case .objects(let description, let query):
      .objects(Selection(description, compiled: query, for: schema, in: place, cancellation: cancellation))
    case .rows(let rows): .rows(RowSelection(rows, for: schema, in: place, cancellation: cancellation))
    }
  }

  /// The cache key for the objects or rows of a statement; nil where names stand for predicates, or the text is long.
  private func key(of select: SelectSyntax, entity: String) -> QueryCache.StatementKey? {
    guard definitions.isEmpty, let text = QueryKey(entity).adding(.statement, source, arguments) else { return nil }
    return QueryCache.StatementKey(text: text, select: select)
  }

  private var context: SourceContext {
    SourceContext(source: source, arguments: arguments, definitions: definitions)
  }

  /// The objects that a DELETE or UPDATE is about.
  private func targets(
    _ select: SelectSyntax, of statement: String, in place: QuerySource, _ assignments: [AssignmentSyntax] = []
  ) throws -> Selection {
    let refused: (name: String, range: SourceRange?)? =
      if let group = select.groupBy.first { ("GROUP BY", group.range) } else if let having = select.having {
        ("HAVING", having.range)
      } else if let section = select.sectionsBy { ("SECTIONS BY", section.range) } else if let items = select.select {
        ("SELECT", items.first?.expression.range)
      } else { nil }
    if let refused {
      throw QueryError(
        source: source,
        Diagnostic(
          code: .clauseNotHere, message: "\(statement) has no \(refused.name)", range: refused.range,
          notes: ["it takes WHERE, SORT BY, DISTINCT, OFFSET and LIMIT"]))
    }
    guard let name = select.entity?.text ?? defaultEntity else {
      throw QueryError(
        source: source, Diagnostic(code: .missingEntity, message: "no entity is named: write one, or '.use' it"))
    }
    try place.store.limits.check(arguments)
    let context = assignments.reduce(context) { $0.using($1.value.allPlaceholders) }
    let query = try StatementQuery(select, entity: name, context, schema: try place.schema())
    let selection = Selection(query.objects, in: place, cancellation: cancellation)
    // Names and types are checked here, where the text is available.
    _ = try selection.compiled()
    return selection
  }

  // MARK: Changes

  private func update(
    _ select: SelectSyntax, _ assignments: [AssignmentSyntax], in place: QuerySource
  ) throws -> (Selection, CompiledAssignments, AssignedObjects) {
    let selection = try targets(select, of: "UPDATE", in: place, assignments)
    let context = context.using(select.allPlaceholders)
    return try selection.read { snapshot, query in
      var objects = try AssignedObjects(assignments, of: query.entity, schema: snapshot.schema, source: source)
      let changes = try CompiledAssignments(
        objects.assignments, context: context, entity: query.entity, in: snapshot,
        structs: { objects.structure($0, $1) })
      return (selection, changes, objects)
    }
  }

  private func row(
    of name: NameSyntax, _ fields: [ObjectFieldSyntax], in place: QuerySource
  ) throws -> NewRow {
    // The binder checks the name, so that the error shows the place.
    var query = QueryDescription(entity: name.text)
    query.entitySource = (source, name.range)
    return try Selection(query, in: place).read { snapshot, query in
      let text = ObjectText(fields, entity: name.range, source: source)
      var row = InsertRow(query.entity, schema: snapshot.schema, text: text)
      return try row.row(of: fields)
    }
  }

  // MARK: Plans

  /// How a statement would be run; with `analyze`, how its objects were found. It never changes anything.
  private func explanation(
    of statement: StatementSyntax, analyze: Bool, in place: QuerySource
  ) throws -> QueryExplanation {
    if let found = try planned(statement, in: place, { try QueryExplanation($1, analyze: analyze, in: $0) }) {
      return isWrite(statement) ? found.unchanging(analyze) : found
    }
    switch statement {
    case .insert(let entity, let fields):
      _ = try row(of: entity, fields, in: place)
      return try Selection(QueryDescription(entity: entity.text), in: place).read { snapshot, query in
        try QueryExplanation(.insertion(into: query.entity), analyze: analyze, in: snapshot).unchanging(analyze)
      }
    case .schema(let change):
      guard case .store(let store) = place else { throw SchemaStatement.misplaced(source) }
      return try QueryExplanation(store.migrationPreview(of: change, source: source, cancellation: cancellation))
    case .select, .count, .delete, .update, .explain, .begin, .commit, .rollback, .define:
      throw unsupported("there is nothing to explain here", nil)
    }
  }

  /// Runs `body` with a snapshot and the plan by which a statement finds its objects in it, beside all other plans. Nil
  /// for a statement that finds no objects.
  ///
  /// - Parameter questions: Collects what the statement asks of indexes.
  func planned<R>(
    _ statement: StatementSyntax, in place: QuerySource, noting questions: IndexQuestions? = nil,
    _ body: (Snapshot, Plan) throws -> R
  ) throws -> R? {
    func planned(_ select: SelectSyntax, _ operation: StatementOperation?) throws -> R {
      switch try query(select, in: place) {
      case .objects(let selection): try selection.planned(for: operation, noting: questions, body)
      case .rows(let rows): try rows.planned(for: operation, noting: questions, body)
      }
    }
    switch statement {
    case .select(let select): return try planned(select, nil)
    case .count(let select): return try planned(select, .count)
    case .delete(let select):
      return try targets(select, of: "DELETE", in: place).planned(for: .delete, noting: questions, body)
    case .update(let select, let assignments):
      let (selection, changes, _) = try update(select, assignments, in: place)
      return try selection.planned(for: .update(changes.paths, computed: changes.computed), noting: questions, body)
    case .insert, .explain, .begin, .commit, .rollback, .define, .schema: return nil
    }
  }

  private func unsupported(_ message: String, _ range: SourceRange?) -> QueryError {
    QueryError(source: source, Diagnostic(code: .unsupported, message: message, range: range))
  }
}

extension QueryExplanation {
  /// The same explanation, with a note that nothing was changed when the statement was run only to find its objects.
  fileprivate func unchanging(_ analyze: Bool) -> QueryExplanation {
    analyze
      ? QueryExplanation(text: text + "\nnothing was changed: EXPLAIN ANALYZE only finds the objects", json: json)
      : self
  }
}
