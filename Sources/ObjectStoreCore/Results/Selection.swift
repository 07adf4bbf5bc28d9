internal import Diagnostics
internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

/// A query with its source, shared by `Results` and `DynamicResults`.
///
/// It handles object IDs only; the others make objects from them.
struct Selection: Sendable {
  private(set) var source: QuerySource
  private(set) var description: QueryDescription
  /// The objects it starts from; nil for all of the entity.
  let linked: LinkedNumbers?
  /// The error of the query, if it was found in a place that cannot throw.
  private(set) var failure: (any Error)?
  private(set) var cancellation: Cancellation?
  private(set) var evaluation = Evaluation()
  /// The key of the query, without a filter that is not bound yet; nil if the query cannot be cached.
  private var madeOf: QueryKey?
  /// What it was made of, whether it is bound or not.
  private var key: QueryKey? { madeOf ?? unbound?.key }
  /// The filter that one index may answer, if its shape is known and its arguments are not bound.
  private var unbound: UnboundFilter?
  /// The value of `now()`; nil for the time of evaluation.
  var now: Instant?

  init(
    _ entity: String, isOfModel: Bool = false, linked: LinkedNumbers? = nil, in source: QuerySource,
    cancellation: Cancellation? = nil
  ) {
    self.source = source
    self.linked = linked
    self.cancellation = cancellation
    madeOf = QueryKey(entity)
    description = QueryDescription(entity: entity, isOfModel: isOfModel)
  }

  init(_ description: QueryDescription, in source: QuerySource, cancellation: Cancellation? = nil) {
    self.source = source
    linked = nil
    self.cancellation = cancellation
    self.description = description
  }

  /// All objects of an entity, compiled before.
  init(_ base: QueryCache.BaseQuery, in source: QuerySource) {
    self.source = source
    linked = nil
    description = base.known.description
    madeOf = base.key
    evaluation.keep(base.known.query, for: base.known.schema)
  }

  /// The cached query for all objects of the entity; nil if this query cannot be cached.
  func baseQuery(for schema: StoredSchema, _ layout: DynamicLayout) throws -> QueryCache.BaseQuery? {
    guard let key, description.stages.isEmpty, linked == nil else { return nil }
    let known = QueryCache.CachedQuery(description: description, query: try query(for: schema), schema: schema)
    return QueryCache.BaseQuery(known, as: key, layout)
  }

  /// A query that was compiled before.
  init(
    _ description: QueryDescription, compiled query: CompiledQuery, for schema: StoredSchema, in source: QuerySource,
    cancellation: Cancellation? = nil
  ) {
    self.init(description, in: source, cancellation: cancellation)
    evaluation.keep(query, for: schema)
  }

  /// Whether it is all objects of the entity.
  var isWhole: Bool { description.stages.isEmpty && linked == nil }

  // MARK: Refining

  /// Adds a filter and tails from a text; throws all errors in it.
  func filter(_ text: String, _ arguments: Arguments) throws -> Selection {
    try source.store.limits.check(arguments)
    if description.stages.isEmpty, let key, !arguments.isEmpty {
      let schema = try source.schema()
      if let (shape, known) = shape(key, text, arguments, for: schema) {
        return try filter(text, arguments, shape, known, for: schema)
      }
    }
    return try refined(key?.adding(.filter, text, arguments)) { description in
      try description.append(try parsed(text), SourceContext(source: text, arguments: arguments))
    }
  }

  /// A filter with its tails, parsed; throws all errors in the text.
  private func parsed(_ text: String) throws -> FilterSyntax {
    try parsing { interruption throws(DiagnosticError) in
      try PredicateParser.filter(text, interruption: interruption)
    }
  }

  /// Parses a text of the query, unless that is cancelled.
  func parsing<Tree>(_ parse: (ParseInterruption?) throws(DiagnosticError) -> Tree) throws -> Tree {
    try source.store.limits.timed(cancellation).parsing(parse)
  }

  /// Adds a filter from a tree; throws all errors in it.
  ///
  /// - Parameter source: The text that its ranges refer to; empty for a tree made by code.
  func filter(_ predicate: PredicateSyntax, source: String) throws -> Selection {
    let violation = SyntaxLimits.violation(of: predicate)
    if let violation { throw QueryError(source: source, violation) }
    // Equal texts have equal trees, so they share a cache entry.
    let text = predicate.predicateFormat
    let key = key?.adding(.filter, text)
    do {
      return try refined(key) { $0.stages.append(.filter(predicate, SourceContext(source: source))) }
    } catch let error as QueryError where source.isEmpty {
      // A tree made by code has no ranges. Its text does, so its errors have positions.
      guard let read = try? PredicateParser.predicate(text) else { throw error }
      _ = try refined(nil) { $0.stages.append(.filter(read, SourceContext(source: text))) }
      throw error
    }
  }

  /// Adds a filter whose shape may be cached.
  private func filter(
    _ text: String, _ arguments: Arguments, _ shape: QueryKey, _ known: QueryCache.Shape?, for schema: StoredSchema
  ) throws -> Selection {
    var selection = self
    selection.evaluation = Evaluation()
    selection.unbound = nil
    if let known, let prepared = known.prepared?.prepared(arguments), let predicate = known.syntax.predicate {
      // Nothing is bound unless more than the index knows is needed.
      selection.description.stages.append(.filter(predicate, SourceContext(source: text, arguments: arguments)))
      selection.madeOf = nil
      selection.unbound = UnboundFilter(prepared, known, arguments, for: schema)
      return selection
    }
    selection.madeOf = shape.addingArguments(arguments)
    try selection.add(text, arguments, shape, known, for: schema)
    return selection
  }

  /// The shape of a filter of all objects, and the cached entry; nil for a filter without a shape.
  private func shape(
    _ key: QueryKey, _ text: String, _ arguments: Arguments, for schema: StoredSchema
  ) -> (key: QueryKey, known: QueryCache.Shape?)? {
    let queries = source.store.queries
    if let last = queries.lastShape(of: key, text, arguments, for: schema) { return (last.key, last) }
    guard let shape = key.addingShape(text, arguments) else { return nil }
    return (shape, queries.shape(shape, for: schema))
  }

  /// Adds a filter whose shape may be cached; a cached one is neither parsed nor checked again.
  private mutating func add(
    _ text: String, _ arguments: Arguments, _ shape: QueryKey, _ known: QueryCache.Shape?, for schema: StoredSchema
  ) throws {
    let queries = source.store.queries
    if let key, let known = queries.query(key, for: schema) {
      description = known.description
      evaluation.keep(known.query, for: schema)
      return
    }
    let syntax = try known?.syntax ?? parsed(text)
    try description.append(
      syntax, SourceContext(source: text, arguments: arguments), placeholders: known?.placeholders)
    if let known, let query = known.query.refilled(syntax, from: known.arguments, to: arguments, sharing: known.memory)
    {
      evaluation.keep(query, for: schema)
      if let key {
        queries.keep(QueryCache.CachedQuery(description: description, query: query, schema: schema), as: key)
      }
      return
    }
    let query = try query(for: schema)
    if FilterSyntax(predicate: nil, tails: syntax.tails).placeholders().isEmpty {
      queries.keep(QueryCache.Shape(syntax, text, arguments, query, as: shape, for: schema))
    }
  }

  /// Sorts by the content of `SORT(…)`.
  func sorted(by text: String, ascending: Bool = true) throws -> Selection {
    try refined(key?.adding(ascending ? .sort : .reversedSort, text)) { description in
      let source = "SORT(\(text))"
      let syntax = try parsed(source)
      guard syntax.predicate == nil, syntax.tails.count == 1, case .sort(var keys) = syntax.tails[0] else {
        throw QueryError(
          source: source, Diagnostic(code: .unexpectedClause, message: "expected paths to sort by", range: nil))
      }
      if !ascending { for index in keys.indices { keys[index].ascending.toggle() } }
      description.stages.append(.sort(keys, SourceContext(source: source)))
    }
  }

  /// Keeps distinct objects by the content of `DISTINCT(…)`.
  func distinct(by text: String) throws -> Selection {
    try refined(key?.adding(.distinct, text)) { description in
      let source = "DISTINCT(\(text))"
      let syntax = try parsed(source)
      guard syntax.predicate == nil, syntax.tails.count == 1, case .distinct(let values) = syntax.tails[0] else {
        throw QueryError(
          source: source, Diagnostic(code: .unexpectedClause, message: "expected paths to be distinct by", range: nil))
      }
      description.stages.append(.distinct(values, SourceContext(source: source)))
    }
  }

  /// Adds a stage that cannot be invalid, or whose error is thrown when the query is evaluated.
  func adding(_ stage: QueryDescription.Stage) -> Selection {
    var selection = self
    selection.add(stage)
    return selection
  }

  private mutating func add(_ stage: QueryDescription.Stage) {
    description.stages.append(stage)
    evaluation = Evaluation()
    madeOf = nil
    unbound = nil
  }

  /// Skips the first `offset` objects and keeps at most `limit`; combined with a window that is the last stage. As in
  /// the language, the offset applies first.
  func window(offset: Int, limit: Int?) -> Selection {
    var selection = self
    var stage = (offset: Swift.max(0, offset), limit: limit.map { Swift.max(0, $0) })
    if case .window(let before, let atMost)? = description.stages.last {
      selection.description.stages.removeLast()
      let (sum, overflow) = before.addingReportingOverflow(stage.offset)
      stage.offset = overflow ? .max : sum
      stage.limit = [atMost, stage.limit].compactMap(\.self).min()
    }
    selection.add(.window(offset: stage.offset, limit: stage.limit))
    selection.madeOf = key?.addingWindow(offset: Swift.max(0, offset), limit: limit.map { Swift.max(0, $0) })
    // A query that is already compiled gets the window without compiling again.
    if let (query, schema) = evaluation.compiled ?? unbound?.compiled {
      selection.keep(for: schema) { query.withWindow(offset: stage.offset, limit: stage.limit) }
    }
    return selection
  }

  /// A query that throws `error` when it is evaluated.
  func failing(_ error: any Error) -> Selection {
    var selection = self
    selection.failure = selection.failure ?? error
    selection.madeOf = nil
    selection.unbound = nil
    return selection
  }

  /// The query with another source in the same store. Cached results of a version are valid there, too.
  func reading(in source: QuerySource) -> Selection {
    var selection = self
    selection.source = source
    return selection
  }

  func cancellable(by cancellation: Cancellation?) -> Selection {
    var selection = self
    selection.cancellation = cancellation
    return selection
  }

  private func refined(
    _ key: QueryKey?, _ change: (inout QueryDescription) throws -> Void
  ) throws -> Selection {
    var selection = self
    selection.madeOf = key
    selection.evaluation = Evaluation()
    selection.unbound = nil
    let schema = try source.schema()
    if let key, let known = source.store.queries.query(key, for: schema) {
      selection.description = known.description
      selection.evaluation.keep(known.query, for: schema)
      return selection
    }
    try change(&selection.description)
    // Names and types are checked here, where the text is available.
    _ = try selection.query(for: schema)
    return selection
  }

  // MARK: Evaluating

  /// The query for the schema of the current version.
  func compiled() throws -> CompiledQuery { try query(for: try source.schema()) }

  /// Runs `body` in a snapshot with the query for its schema.
  func read<R>(_ body: (Snapshot, CompiledQuery) throws -> R) throws -> R {
    try source.read { snapshot in try body(snapshot, query(for: snapshot.schema)) }
  }

  /// Runs `body` with a snapshot and the objects found in it, in order.
  func evaluate<R>(_ body: (Snapshot, StoredEntity, [ObjectNumber]) throws -> R) throws -> R {
    try source.read { snapshot in
      let (entity, ids) = try found(in: snapshot)
      return try body(snapshot, entity, ids)
    }
  }

  /// The plan chosen in `snapshot`; with `comparing`, including the rejected ones. A plan for aggregates may return
  /// only these.
  func plan(
    _ query: CompiledQuery, in snapshot: Snapshot, comparing: Bool = false, for reduction: AggregateOnlyQuery? = nil,
    noting questions: IndexQuestions? = nil
  ) throws -> Plan {
    let threads = source.store.scanThreads
    let limits = source.store.limits
    if !comparing, reduction == nil, cancellation == nil, limits.areFree, linked == nil,
      let known = query.knownPlan(in: snapshot, threads: threads)
    {
      return known
    }
    var options = PlannerOptions()
    options.reduction = reduction
    options.questions = questions
    options.namesRejected = comparing
    options.limit(by: limits, cancellation)
    if let now { options.now = now }
    options.given = try linked?.numbers(of: query.entity, in: snapshot)
    options.threads = threads
    options.samples = source.store.queries.samples
    return try query.plan(in: snapshot, options: options)
  }

  /// Whether results stay valid for a version of the store; false if they depend on `now()`.
  private func keeps(_ query: CompiledQuery) -> Bool { source.keepsVersions && !query.readsMoment }

  /// The query without a plan, for a snapshot of a commit.
  private func prepared(in snapshot: Snapshot) throws -> PreparedQuery? {
    guard linked == nil, failure == nil, cancellation == nil, snapshot.isCommitted else { return nil }
    if let unbound, unbound.schema === snapshot.schema {
      // A bound query has a plan, which is as good as an index that may not have the answer.
      return unbound.prepared.isKey || evaluation.compiled == nil ? unbound.prepared : nil
    }
    return try query(for: snapshot.schema).prepared
  }

  /// The number of objects; finds each object only if the plan requires it.
  var count: Int { get throws { try source.read { try count(in: $0) } } }

  /// Whether there are no objects.
  var isEmpty: Bool {
    get throws {
      try source.read { snapshot in
        if let few = try prepared(in: snapshot)?.objects(in: snapshot) { return few.isEmpty }
        return try window(offset: 0, limit: 1).count(in: snapshot) == 0
      }
    }
  }

  private func count(in snapshot: Snapshot) throws -> Int {
    if let count = try prepared(in: snapshot)?.count(in: snapshot) { return count }
    let query = try query(for: snapshot.schema)
    if isAll(in: snapshot) { return try snapshot.objectCount(query.entity) }
    if keeps(query), let known = evaluation.count(in: snapshot.version) { return known }
    let count = try plan(query, in: snapshot).count(in: snapshot)
    if keeps(query) { evaluation.keep(count: count, in: snapshot.version) }
    return count
  }

  /// The numbers of the objects, in order.
  var ids: [ObjectNumber] { get throws { try evaluate { $2 } } }

  /// The objects that are found in a snapshot, in order, and their entity.
  func found(in snapshot: Snapshot) throws -> (entity: StoredEntity, ids: [ObjectNumber]) {
    if let prepared = try prepared(in: snapshot), let few = try prepared.objects(in: snapshot) {
      try source.store.limits.check(rows: few.count)
      return (prepared.entity, few)
    }
    let query = try query(for: snapshot.schema)
    let ids = try objects(of: query, in: snapshot)
    try source.store.limits.check(rows: ids.count)
    return (query.entity, ids)
  }

  /// The object at a position among the results in a snapshot, and its entity. In a query for all objects the others
  /// need not be found.
  func object(at index: Int, in snapshot: Snapshot) throws -> (entity: StoredEntity, id: ObjectNumber) {
    if isAll(in: snapshot), evaluation.ids(in: snapshot.version) == nil {
      let entity = try query(for: snapshot.schema).entity
      if let id = try snapshot.object(at: index, of: entity) { return (entity, id) }
    }
    let (entity, ids) = try found(in: snapshot)
    guard ids.indices.contains(index) else { throw IndexOutOfRange(index: index, count: ids.count) }
    return (entity, ids[index])
  }

  /// The last object found in a snapshot, and its entity.
  func last(in snapshot: Snapshot) throws -> (entity: StoredEntity, id: ObjectNumber)? {
    guard isAll(in: snapshot) else {
      let (entity, ids) = try found(in: snapshot)
      return ids.last.map { (entity, $0) }
    }
    let count = try count(in: snapshot)
    return count == 0 ? nil : try object(at: count - 1, in: snapshot)
  }

  /// Whether the query is for all objects of an entity in a commit, and cannot be cancelled: a cancellable query must
  /// check for cancellation.
  private func isAll(in snapshot: Snapshot) -> Bool {
    description.stages.isEmpty && linked == nil && cancellation == nil && snapshot.isCommitted
  }

  private func objects(of query: CompiledQuery, in snapshot: Snapshot) throws -> [ObjectNumber] {
    if keeps(query), let known = evaluation.ids(in: snapshot.version) { return known }
    let ids = try plan(query, in: snapshot).objects(in: snapshot)
    // A commit's objects are missed when they are read; a write would take one that is not there for deleted.
    if !snapshot.isCommitted { try snapshot.reader(of: query.entity).expect(ids) }
    if keeps(query) { evaluation.keep(ids: ids, in: snapshot.version) }
    return ids
  }

  /// The query for a schema.
  func query(for schema: StoredSchema) throws -> CompiledQuery {
    if let failure { throw failure }
    return try evaluation.query(for: schema) {
      try remembered(for: schema) {
        if let query = unbound?.query(for: schema) { return query }
        let timed = source.store.limits.timed(cancellation)
        let query = try CompiledQuery(description, schema: schema, isCancelled: timed?.poll)
        try timed?.check()
        return query
      }
    }
  }

  /// Has the query for a schema ready.
  private func keep(for schema: StoredSchema, _ compile: () -> CompiledQuery) {
    evaluation.keep(remembered(for: schema, compile), for: schema)
  }

  /// The query for a schema from the store's cache; compiled and cached if missing.
  private func remembered(for schema: StoredSchema, _ compile: () throws -> CompiledQuery) rethrows -> CompiledQuery {
    guard let key else { return try compile() }
    let queries = source.store.queries
    if let known = queries.query(key, for: schema) { return known.query }
    let query = try compile()
    queries.keep(QueryCache.CachedQuery(description: description, query: query, schema: schema), as: key)
    return query
  }
}

extension Selection {
  /// How the query would be answered; with `analyze`, how it was.
  func explanation(analyze: Bool) throws -> QueryExplanation {
    try planned { try QueryExplanation($1, analyze: analyze, in: $0) }
  }

  /// Runs `body` with a snapshot and the plan in it, beside all others.
  ///
  /// - Parameters:
  ///   - operation: What a statement does with the objects.
  ///   - questions: Collects what the query asks of indexes.
  func planned<R>(
    for operation: StatementOperation? = nil, noting questions: IndexQuestions? = nil,
    _ body: (Snapshot, Plan) throws -> R
  ) throws -> R {
    try read { snapshot, query in
      let plan = try plan(query, in: snapshot, comparing: true, noting: questions)
      return try body(snapshot, operation.map(plan.under) ?? plan)
    }
  }

  /// The value a leaf column of all objects is reduced to.
  func aggregate(_ function: AggregateFunction, of path: String) throws -> Value {
    try read { snapshot, query in
      guard let column = query.entity.column(at: path) else {
        throw query.entity.unknownProperty(path)
      }
      let reduction = AggregateOnlyQuery(function, of: column)
      return try plan(query, in: snapshot, for: reduction).aggregate(function, column: column, in: snapshot)
    }
  }

  /// The first object in a snapshot; finds no others unless they are cached.
  func first(in snapshot: Snapshot) throws -> (entity: StoredEntity, id: ObjectNumber)? {
    if let prepared = try prepared(in: snapshot), let few = try prepared.objects(in: snapshot) {
      return few.first.map { (prepared.entity, $0) }
    }
    let isKnown = source.keepsVersions && evaluation.hasIDs
    let (entity, ids) = try (isKnown ? self : window(offset: 0, limit: 1)).found(in: snapshot)
    return ids.first.map { (entity, $0) }
  }
}

extension StoredEntity {
  /// The error for a path that leads to no single value.
  func unknownProperty(_ path: String) -> StoreError {
    .unknownProperty(
      entity: name, path: path, suggestion: Suggestion.nearest(to: path, among: columns.map(\.path)))
  }
}
