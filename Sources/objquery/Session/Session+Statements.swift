import ObjectStoreCore

extension Session {
  /// Runs one statement and shows its result.
  func runStatement(_ text: String) throws {
    var statement = try StatementParser.statement(text, defaultEntity: defaultEntity)
    if running?.isCancelled == true { throw Interrupted() }
    if isSafe, statement.writes {
      throw CommandFailure(description: "nothing is written with --safe", code: "not-safe")
    }
    switch (explaining, statement) {
    case (.on, .select), (.on, .count): statement = .explain(analyze: false, statement)
    case (.analyze, .select), (.analyze, .count): statement = .explain(analyze: true, statement)
    default: break
    }
    let arguments = try parameters.arguments(
      for: statement, source: text, schema: store.schema, defaultEntity: defaultEntity,
      definitions: statements.definitions)
    // Results with objects or rows include their warnings.
    switch statement {
    case .count, .update, .delete:
      try statements.warnings(of: statement, source: text, arguments: arguments, cancellation: running)
        .forEach { console.warn($0, source: text) }
    default: break
    }
    try confirm(statement, source: text)
    if case .schema(let change) = statement, try !confirm(change, source: text) { return }
    let result: StatementResult
    do {
      result = try run(statement, source: text, arguments)
    } catch let error as StoreError {
      guard case .commit = statement else { throw error }
      throw CommandFailure(
        description: "\(error); everything since BEGIN was undone", code: Console.code(of: error)
      )
    }
    if case .schema(let change) = statement { followChange(change) }
    try show(result, source: text)
  }

  /// Runs a statement; when it is interrupted, the error says whether changes were made.
  private func run(_ statement: StatementSyntax, source: String, _ arguments: Arguments) throws -> StatementResult {
    func run() throws -> StatementResult {
      try statements.run(statement, source: source, arguments: arguments, cancellation: running)
    }
    // From here on, the transaction may have ended.
    if statement.endsTransaction { Interrupts.shared.isInTransaction = false }
    defer { Interrupts.shared.isInTransaction = statements.isInTransaction }
    switch statement {
    case .begin: return try Interrupted.telling("no transaction was begun") { try stoppedByInterrupts(run) }
    case .delete, .update, .insert:
      // Of several statements of a transaction none is stopped halfway.
      if statements.isInTransaction { return try run() }
      return try Interrupted.telling("nothing was changed") { try stoppedByInterrupts(run) }
    case .schema: return try Interrupted.telling("nothing was changed") { try stoppedByInterrupts(run) }
    case .select, .count, .explain, .commit, .rollback, .define: return try run()
    }
  }

  /// Runs `body`, which Ctrl-C also cancels in a script: otherwise the process would end without reporting what
  /// happened to the change.
  func stoppedByInterrupts<R>(_ body: () throws -> R) rethrows -> R {
    guard !isInteractive, let running else { return try body() }
    return try Interrupts.shared.stopping(by: running, body)
  }

  /// - Parameter identified: Whether whole objects are shown with their numbers.
  func show(
    _ result: StatementResult, source: String, identified: Bool = false
  ) throws {
    switch result {
    case .objects(let results):
      results.warnings.forEach { console.warn($0, source: source) }
      try show(limit.map { results.limit($0) } ?? results, identified: identified)
    case .rows(let rows):
      rows.warnings.forEach { console.warn($0, source: source) }
      try show(limit.map { rows.limit($0) } ?? rows)
    case .sections(let sections):
      sections.warnings.forEach { console.warn($0, source: source) }
      try show(limit.map { sections.limit($0) } ?? sections)
    case .count(let count):
      try output.result { try $0.write("\(count)\n") }
    case .explanation(let explanation):
      let asJSON = explicitMode && (style.mode == .json || style.mode == .jsonl)
      try output.result { try $0.write(line(asJSON ? explanation.json : explanation.text)) }
    case .changed(let changes): console.note(changes.words)
    // The changes were shown before.
    case .schemaChanged: if isInteractive { console.note("done") }
    case .none: break
    }
  }

  // MARK: Results

  private func show(_ results: DynamicResults, identified: Bool) throws {
    let results = results.cancellable(by: running)
    if style.mode == .count { return try show(count: results.count) }
    if style.mode == .ids { return try showIdentities(of: results, in: results.ids) }
    let shape = OutputShape(entity: results.entity, columns: results.columns, identified: identified)
    try show(shape, of: results.entity.name, count: { try results.count }) { row in
      try results.forEachNamedRow(shape.paths) { try row(identified ? $1 + [$0.asValue] : $1) }
    }
  }

  private func show(_ rows: RowResults) throws {
    let rows = rows.cancellable(by: running)
    if style.mode == .count { return try show(count: rows.count) }
    if style.mode == .ids {
      guard let objects = try rows.objects() else { throw Self.noIdentities }
      return try showIdentities(of: objects, in: objects.ids)
    }
    let noun = rows.isGrouped ? "row" : "object"
    // Columns that are properties can be inserted.
    let entity = try rows.objects()?.entity
    let isOfProperties = rows.columns.allSatisfy { entity?.property(named: $0.heading) != nil }
    let name = isOfProperties ? entity?.name : nil
    try show(OutputShape(columns: rows.columns), of: name, noun, count: { try rows.count }) {
      try rows.forEachFlat(naming: true, $0)
    }
  }

  private func show(_ sections: SectionResults) throws {
    let sections = sections.cancellable(by: running)
    if style.mode == .count { return try show(count: sections.rowCount) }
    if style.mode == .ids {
      guard let objects = try sections.objects() else { throw Self.noIdentities }
      return try showIdentities(of: objects, in: sections.sections().flatMap(\.ids))
    }
    let rowsOnScreen = try isInteractive && output.isTerminal ? sections.rowCount : 0
    var shown = 0
    try paged(rows: rowsOnScreen, fields: sections.columns.count) { sink in
      var fitted = fittedStyle
      fitted.entity = try sections.objects()?.entity.name
      let writer = SectionWriter(fitted, sections.columns, sink)
      try writer.begin()
      try sections.forEachFlat(naming: true) { section in
        if running?.isCancelled == true { throw Interrupted() }
        shown += section.count
        try writer.section(section)
      }
      try writer.end()
    }
    if isInteractive { console.note(counted(shown, sections.isGrouped ? "row" : "object")) }
  }

  /// Shows rows of any origin; `rows` calls its argument with each.
  private func show(
    _ shape: OutputShape, of entity: String?, _ noun: String = "object", count: () throws -> Int,
    _ rows: (([Value]) throws -> Void) throws -> Void
  ) throws {
    var shown = 0
    let rowsOnScreen = try isInteractive && output.isTerminal ? count() : 0
    try paged(rows: rowsOnScreen, fields: shape.leaves.count) { sink in
      var fitted = fittedStyle
      fitted.entity = entity
      let writer = fitted.writer(shape, identity: nil, sink: sink)
      try writer.begin()
      try rows { row in
        if shown & 255 == 0, running?.isCancelled == true { throw Interrupted() }
        shown += 1
        try writer.row(row)
      }
      try writer.end()
    }
    if isInteractive { console.note(counted(shown, noun)) }
  }

  private func show(count: Int) throws { try output.result { try $0.write("\(count)\n") } }

  /// Runs `write` with the output for results: through the pager when they are taller than the screen.
  private func paged(rows: Int, fields: Int, _ write: (OutputSink) throws -> Void) throws {
    guard style.needsPager(rows: rows, fields: fields), let pager = Pager() else { return try output.result(write) }
    let sink = OutputSink.pager(pager)
    do {
      try write(sink)
      try sink.finish()
    } catch is OutputClosed {
      pager.wait()
    }
  }

  // MARK: Identities

  /// Each object's unique property, else its number, in the order of `ids`.
  private func showIdentities(of results: DynamicResults, in ids: [ObjectNumber]) throws {
    let unique = results.entity.indexes.first { $0.kind == .unique && $0.paths.count == 1 }?.paths.first
    try output.result { sink in
      guard let unique else {
        for id in ids { try sink.write("\(id.rawValue)\n") }
        return
      }
      let writer = IdentityWriter(0, sink)
      let own = try results.ids
      guard own != ids else { return try results.forEachRow([unique]) { try writer.row($0) } }
      let values = Dictionary(zip(own, try results.rows([unique])), uniquingKeysWith: { first, _ in first })
      for id in ids { try writer.row(values[id] ?? [.null]) }
    }
  }

  private static let noIdentities = CommandFailure(
    description: "groups are not objects, so they have no ids: choose another mode", code: "no-ids")

  private var fittedStyle: OutputStyle {
    var fitted = style
    fitted.screenWidth = Screen.size?.columns
    return fitted
  }

  private func line(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}

extension OutputStyle {
  /// Whether that many rows are more than the screen has room for.
  fileprivate func needsPager(rows: Int, fields: Int) -> Bool {
    guard rows > 0, let size = Screen.size else { return false }
    switch mode {
    case .none, .count, .ids: return false
    case .line: return rows.multipliedReportingOverflow(by: fields + 1).partialValue > size.rows - 2
    default: return rows + 4 > size.rows - 2
    }
  }
}

extension ObjectNumber {
  /// The number as a value.
  var asValue: Value { .int(Int64(bitPattern: rawValue)) }
}

extension Schema {
  /// Whether objects of an entity are exported with their numbers: links to them may have no other name for them.
  func isReferredByNumber(_ entity: Entity) -> Bool {
    let links = entities.contains { columns(of: $0).contains { $0.target == entity.name } }
    guard links, let key = entity.keyPath else { return links }
    return columns(of: entity).first { $0.path == key }?.isOptional ?? true
  }
}

extension StatementSyntax {
  /// Whether it may change the store.
  var writes: Bool {
    switch self {
    case .delete, .update, .insert, .begin, .commit, .schema: true
    case .explain, .select, .count, .rollback, .define: false
    }
  }
}

extension StatementSyntax {
  /// Whether a transaction may be over after it.
  fileprivate var endsTransaction: Bool {
    switch self {
    case .commit, .rollback: true
    case .begin, .delete, .update, .insert, .select, .count, .explain, .define, .schema: false
    }
  }
}
