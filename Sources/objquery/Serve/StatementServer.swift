import ObjectStoreCore

/// Answers the requests that depend on the store and its transaction, one after the other, on the thread that made it.
final class StatementServer {
  let session: Session
  let options: ServeOptions
  private let writer: MessageWriter
  private let requests: OutstandingRequests
  private let editor: EditorServer
  private let watches: Watches
  private var cursors = OpenCursors()

  init(
    _ session: Session, _ options: ServeOptions, _ writer: MessageWriter, _ requests: OutstandingRequests,
    _ editor: EditorServer
  ) {
    self.session = session
    self.options = options
    self.writer = writer
    self.requests = requests
    self.editor = editor
    watches = Watches(writer, requests)
    session.console.isQuiet = true
    session.confirming = .byRequest
    session.limit = options.limit
  }

  /// Answers a request. A watch is answered by its own task.
  func answer(_ request: ServedRequest, _ cancellation: RequestCancellation) {
    let timeout = (try? request.parameters.timeout()) ?? nil
    let milliseconds = [timeout, options.timeout].compactMap(\.self).min()
    let start = ContinuousClock.now
    session.shownChange = nil
    do {
      if cancellation.isCancelled { throw Interrupted() }
      _ = try request.parameters.timeout()
      let limit = Limit(request: cancellation, start: start, milliseconds: milliseconds)
      let result = try session.stopping(by: cancellation.cancellation(after: milliseconds)) {
        try self.result(of: request, limit)
      }
      editor.context = EditorServer.Context(session)
      guard let result else { return }
      requests.end(request.id, cancellation)
      writer.answer(request.id, result: result)
    } catch {
      editor.context = EditorServer.Context(session)
      let stop: RequestCancellation.Reason? =
        cancellation.isCancelled ? .cancelled : milliseconds.map { .timeout(milliseconds: $0) }
      let changes = session.shownChange?.changes.map(\.line) ?? []
      requests.end(request.id, cancellation)
      if request.id != nil { writer.refuse(request.id, ResponseError(error, stop: stop, changes: changes)) }
    }
  }

  /// Ends what is open: a transaction is undone.
  func end() {
    watches.endAll(telling: false)
    cursors.closeAll(.closed)
    session.end()
  }

  /// What stops a request.
  private struct Limit {
    var request: RequestCancellation
    var start: ContinuousClock.Instant
    var milliseconds: Int?

    var deadline: ContinuousClock.Instant? { milliseconds.map { start + .milliseconds($0) } }

    /// The milliseconds since the request was begun.
    var elapsed: Value {
      let duration = start.duration(to: .now).components
      let milliseconds = Double(duration.seconds) * 1e3 + Double(duration.attoseconds) / 1e15
      return .double((milliseconds * 1_000).rounded() / 1_000)
    }
  }

  /// The result as JSON; nil for what another task answers.
  private func result(of request: ServedRequest, _ limit: Limit) throws -> String? {
    let parameters = request.parameters
    switch request.method {
    case .info: return try info()
    case .open: return try open(parameters)
    case .run: return try run(parameters, limit)
    case .next: return try next(parameters, limit)
    case .close: return try close(parameters)
    case .explain: return try explain(parameters)
    case .schema: return try schema(of: parameters.text("entity"))
    case .describe: return try describe(parameters.text("entity"))
    case .watch:
      try settle(parameters, confirmed: false)
      let watch = try QueryWatch(parameters.requiredText("statement"), in: session)
      watches.begin(watch, request.id, limit.request)
      return nil
    case .unwatch:
      let number = try parameters.requiredNumber("watch", in: 1...Int.max)
      guard watches.end(number) else {
        throw ResponseError(.invalidParameters, "there is no watch \(number)")
      }
      return "null"
    case .shutdown: return "null"
    case .cancel, .complete, .parse, .format:
      throw ResponseError(.internal, "\(request.method.rawValue) is not done in order")
    }
  }

  /// Gives the session what a request says about its statement.
  private func settle(_ parameters: RequestParameters, confirmed: Bool) throws {
    session.parameters = try parameters.values()
    session.defaultEntity = try parameters.text("entity").map { try session.entity(named: $0).name }
    session.answersYes = options.answersYes || confirmed
  }

  // MARK: Statements

  private func run(_ parameters: RequestParameters, _ limit: Limit) throws -> String {
    let text = try parameters.requiredText("statement")
    let size = try parameters.pageSize()
    let identified = try parameters.flag("ids") ?? false
    try settle(parameters, confirmed: parameters.flag("confirmed") ?? false)
    try Self.refuseScripts(text)
    var warnings: [String] = []
    func warn(_ diagnostic: Diagnostic) { warnings.append(ResponseError.renderer.json(diagnostic, source: text)) }
    let performed = try session.perform(text) { diagnostic, _ in warn(diagnostic) }
    let isInTransaction = session.statements.isInTransaction
    if !isInTransaction { cursors.closeThoseOfTransaction() }
    var members = JSONMembers()
    var rows: JSONRows?
    switch performed?.result {
    case .objects(let results)?: rows = JSONRows(session.limited(results), identified: identified)
    case .rows(let results)?: rows = JSONRows(session.limit.map { results.limit($0) } ?? results)
    case .sections(let results)?: rows = JSONRows(session.limit.map { results.limit($0) } ?? results)
    case .count(let count)?:
      members.add("kind", .string("count"))
      members.add("count", .int(Int64(count)))
    case .explanation(let explanation)?:
      members.add("kind", .string("plan"))
      members.add(explanation)
    case .changed(let changes)?:
      members.add("kind", .string("changed"))
      members.add("count", .int(Int64(changes.count)))
      members.add("changes", .list(changes.parts.map(\.asValue)))
    case .schemaChanged(let changes)?:
      members.add("kind", .string("schemaChanged"))
      members.add("changes", .list((session.shownChange?.changes.map(\.line) ?? changes.map { "\($0)" }).map { .string($0) }))
    case nil:
      members.add("kind", .string("schemaChanged"))
      members.add("changes", .list([]))
    case .none?: members.add("kind", .string("done"))
    }
    if let rows {
      rows.warnings.forEach(warn)
      members.add("kind", .string("rows"))
      members.add("columns", raw: rows.columns)
      try add(rows, size, limit, isInTransaction: isInTransaction, to: &members)
    }
    if isInTransaction { members.add("transaction", .bool(true)) }
    if !warnings.isEmpty { members.add("warnings", raw: "[\(warnings.joined(separator: ","))]") }
    members.add("elapsed", limit.elapsed)
    return members.object
  }

  /// Adds the first page of rows, and a cursor if there are more.
  private func add(
    _ rows: JSONRows, _ size: Int, _ limit: Limit, isInTransaction: Bool, to members: inout JSONMembers
  ) throws {
    let cursor: any RowCursor
    if isInTransaction {
      var all: [(row: String, section: String?)] = []
      let cancellation = session.running ?? Cancellation()
      try rows.forEach(cancellation) { all.append((row: $0, section: $1)) }
      cursor = KeptCursor(all)
    } else {
      cursor = try StreamedCursor(rows, options.lease)
    }
    let page = try cursor.next(size, limit.request, until: limit.deadline)
    page.write(to: &members, hasSections: rows.hasSections)
    let name =
      page.isLast ? nil : cursors.add(cursor, hasSections: rows.hasSections, isOfTransaction: isInTransaction)
    members.add("cursor", name.map { .string($0) } ?? .null)
  }

  private func next(_ parameters: RequestParameters, _ limit: Limit) throws -> String {
    let name = try parameters.requiredText("cursor")
    let size = try parameters.pageSize()
    let (cursor, hasSections) = try cursors.use(name)
    let page: RowPage
    do {
      page = try cursor.next(size, limit.request, until: limit.deadline)
    } catch {
      // Its own error says why it is closed.
      let isClosed = (error as? ResponseError)?.code == .cursorClosed
      if !isClosed { cursors.close(name, .finished) }
      throw error
    }
    if page.isLast { cursors.close(name, .finished) }
    var members = JSONMembers()
    page.write(to: &members, hasSections: hasSections)
    members.add("cursor", page.isLast ? .null : .string(name))
    members.add("elapsed", limit.elapsed)
    return members.object
  }

  private func explain(_ parameters: RequestParameters) throws -> String {
    let text = try parameters.requiredText("statement")
    let analyzes = try parameters.flag("analyze") ?? false
    try settle(parameters, confirmed: false)
    try Self.refuseScripts(text)
    var statement = try StatementParser.statement(text, defaultEntity: session.defaultEntity)
    if case .explain(let analyze, let inner) = statement {
      statement = .explain(analyze: analyze || analyzes, inner)
    } else {
      statement = .explain(analyze: analyzes, statement)
    }
    let arguments = try session.parameters.arguments(
      for: statement, source: text, schema: session.store.schema, defaultEntity: session.defaultEntity,
      definitions: session.statements.definitions)
    let result = try session.statements.run(
      statement, source: text, arguments: arguments, cancellation: session.running)
    guard case .explanation(let explanation) = result else {
      throw ResponseError(.internal, "the statement has no plan")
    }
    var members = JSONMembers()
    members.add(explanation)
    return members.object
  }

  /// Refuses what is not one statement.
  private static func refuseScripts(_ text: String) throws {
    let pieces = StatementParser.split(text)
    if let command = pieces.first(where: { $0.kind == .command }) {
      let word = command.text.prefix { !$0.isWhitespace }
      throw CommandFailure(
        description: "\(word) is a command of the shell: a server has methods instead, such as open, schema, describe "
          + "and watch", code: "not-a-statement")
    }
    guard pieces.count > 1 else { return }
    throw CommandFailure(
      description: "run takes one statement, and these are \(pieces.count): send each in a request of its own",
      code: "several-statements")
  }

  // MARK: Stores

  private func open(_ parameters: RequestParameters) throws -> String {
    let path = try parameters.text("path")
    let creates = try parameters.flag("create") ?? false
    let readOnly = try parameters.flag("readonly") ?? false
    if options.isSafe, path != nil {
      throw CommandFailure(description: "no other store is opened with --safe", code: "not-safe")
    }
    if creates, readOnly || options.isReadOnly {
      throw ResponseError(.invalidParameters, "a store that is only read is not created")
    }
    try session.open(path, create: creates, readOnly: readOnly || options.isReadOnly || options.isSafe)
    leaveStore()
    return try info()
  }

  /// Ends what belongs to the store before.
  private func leaveStore() {
    watches.endAll(telling: true)
    cursors.closeAll(.closed)
    session.statements.definitions = [:]
  }

  private func close(_ parameters: RequestParameters) throws -> String {
    if let name = try parameters.text("cursor") {
      _ = try cursors.use(name)
      cursors.close(name, .closed)
      return "null"
    }
    try session.open(nil, readOnly: false)
    leaveStore()
    return "null"
  }

  private func info() throws -> String {
    var members = JSONMembers()
    members.add("version", .string(version))
    members.add("store", session.storePath.map { .string($0) } ?? .null)
    members.add("readonly", .bool(session.isReadOnly))
    let entities = try session.store.schema.entities.map { entity in
      var members = JSONMembers()
      members.add("name", .string(entity.name))
      members.add("objects", .int(Int64(try session.objects(of: entity.name).count)))
      return members.object
    }
    members.add("entities", raw: "[\(entities.joined(separator: ","))]")
    if !session.openingNotes.isEmpty { members.add("notes", .list(session.openingNotes.map { .string($0) })) }
    var capabilities = JSONMembers()
    capabilities.add("methods", .list(ServedMethod.allCases.map { .string($0.rawValue) }))
    capabilities.add("notifications", .list(Watches.Notification.allCases.map { .string($0.rawValue) }))
    capabilities.add("pageSize", .int(Int64(ServeOptions.mostRows)))
    capabilities.add("cursors", .int(Int64(OpenCursors.most)))
    capabilities.add("cursorSeconds", .int(options.lease.unused.components.seconds))
    capabilities.add("requests", .int(Int64(OutstandingRequests.most)))
    capabilities.add("lineBytes", .int(Int64(MessageReader.mostBytes)))
    members.add("capabilities", raw: capabilities.object)
    return members.object
  }

  private func schema(of entity: String?) throws -> String {
    var members = JSONMembers()
    members.add("swift", .string(try session.schemaText(of: entity, asJSON: false)))
    members.add("json", raw: try session.schemaText(of: entity, asJSON: true))
    return members.object
  }

  private func describe(_ entity: String?) throws -> String {
    session.defaultEntity = nil
    let table = try session.description(of: entity, asJSON: true)
    let columns = table.columns.map { ResultColumn(heading: $0.name, content: .value) }
    let encoder = JSONObjectEncoder(OutputShape(columns: columns))
    var members = JSONMembers()
    members.add("properties", raw: "[\(table.rows.map(encoder.text).joined(separator: ","))]")
    return members.object
  }
}

extension RequestParameters {
  /// The time limit in milliseconds.
  func timeout() throws(ResponseError) -> Int? { try number("timeout", in: 1...Int.max) }

  func pageSize() throws(ResponseError) -> Int {
    try number("pageSize", in: 1...ServeOptions.mostRows) ?? ServeOptions.pageSize
  }
}

extension Session {
  /// Results with the session's limit.
  func limited(_ results: DynamicResults) -> DynamicResults { limit.map { results.limit($0) } ?? results }
}

extension JSONMembers {
  /// Adds a plan in both forms.
  mutating func add(_ explanation: QueryExplanation) {
    add("text", .string(explanation.text))
    add("plan", raw: explanation.json)
  }
}

extension ObjectChanges.Part {
  /// `{"kind": "changed", "entity": "Quake", "count": 3}`
  fileprivate var asValue: Value {
    .embedded([
      EmbeddedField(name: "kind", value: .string("\(kind)")), EmbeddedField(name: "entity", value: .string(entity)),
      EmbeddedField(name: "count", value: .int(Int64(count))),
    ])
  }
}
