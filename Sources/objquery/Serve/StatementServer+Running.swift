import ObjectStoreCore
internal import PredicateLanguage

/// The requests that run statements.
extension StatementServer {
  func run(_ parameters: RequestParameters, _ limit: Limit) throws -> String {
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
      let lines = performed?.shownChange?.changes.map(\.line) ?? changes.map(\.description)
      members.add("changes", .list(lines.map { .string($0) }))
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

  func next(_ parameters: RequestParameters, _ limit: Limit) throws -> String {
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

  func explain(_ parameters: RequestParameters) throws -> String {
    let text = try parameters.requiredText("statement")
    let analyzes = try parameters.flag("analyze") ?? false
    try settle(parameters, confirmed: false)
    try Self.refuseScripts(text)
    var statement = try session.statements.parse(text, cancellation: session.running)
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
