import ObjectStoreCore

extension DotCommand {
  /// `.advise`
  static let advise = DotCommand(
    name: ".advise", usage: "[apply [--drop-unused]]", summary: "indexes worth having for the queries of this session",
    help: """
      The indexes that would make the queries of this session cheaper, each with the queries that gain, what they cost now
      and then, its size, and what inserts will cost more; and the indexes that none of these queries uses. They are built
      on a part of the objects, in memory, where the planner estimates the costs; the store stays as it is.
        .advise
        .advise apply                creates what is worth having, asking as CREATE INDEX does
        .advise apply --drop-unused  removes what is not used, too
      Queries that were asked more often count as often. Unique indexes are never called unused: they also keep values
      unique. In the modes json and jsonl it is one JSON object.
      objquery advise STORE -f FILE is about the statements of a file, which are not run.
      """,
    isLong: true, words: 0...2, completes: .words(["apply"]),
    run: { session, words in
      let rest = words.filter { $0 != "apply" && $0 != "--drop-unused" }
      guard rest.isEmpty, words.isEmpty || words.first == "apply" else {
        throw CommandFailure(description: "usage: .advise [apply [--drop-unused]]")
      }
      try session.advise(applying: !words.isEmpty, droppingUnused: words.contains("--drop-unused"))
    })
}

extension Session {
  /// Shows the indexes worth having for the statements so far.
  ///
  /// - Parameters:
  ///   - applying: Whether they are created.
  ///   - droppingUnused: Whether those that none of the statements uses are then removed.
  func advise(applying: Bool, droppingUnused: Bool) throws {
    try refuseInTransaction(".advise")
    if applying, isReadOnly { throw StoreError.readOnly(path: storePath ?? "the store") }
    guard !asked.statements.isEmpty || !asked.leftOut.isEmpty else {
      let notes = asked.allNotes.map { "; " + $0 }.joined()
      throw CommandFailure(
        description: "there are no queries to advise on: ask some before, or call objquery advise with a file\(notes)",
        code: "no-statements")
    }
    var advisor = IndexAdvisor(store)
    advisor.cancellation = running
    let advice = try advisor.advice(for: asked.statements)
    let text = IndexAdviceText(advice, asked)
    switch style.mode {
    case .json, .jsonl: try print(text.json)
    case .none: break
    case .table, .box, .csv, .tsv, .line, .markdown, .count, .ids, .chart, .geojson, .html, .insert:
      try print(text.plain)
    }
    guard applying else { return }
    try output.flush()
    isAdvising = false
    for index in advice.advised { try runStatement(index.statement) }
    if droppingUnused { for index in advice.unused { try runStatement(index.statement) } }
  }

  /// Notes a statement for advice instead of running it. One that is wrong is noted with the reason; only LET is run,
  /// since others use its name.
  func noteStatement(_ text: String) throws {
    do {
      let syntax = try statements.parse(text, cancellation: running)
      if case .define = syntax {
        try statements.run(syntax, source: text)
        return
      }
      let arguments = try filledArguments(for: syntax, source: text)
      asked.add(adviceTarget(syntax, source: text, arguments))
    } catch let error as DiagnosticError {
      asked.leaveOut(text, error.diagnostics.first?.message ?? "it cannot be read")
    }
  }

  /// A statement as it is advised on; nil if it finds no objects.
  func adviceTarget(_ syntax: StatementSyntax, source: String, _ arguments: Arguments) -> AdvisedStatement? {
    AdvisedStatement(
      syntax, source: source, arguments: arguments, definitions: statements.definitions, defaultEntity: defaultEntity)
  }

  /// The values for the placeholders of a statement. One that has none gets the value of an object in the middle of the
  /// store, which is noted.
  private func filledArguments(for syntax: StatementSyntax, source: String) throws -> Arguments {
    let schema = try store.schema
    var uses = ParameterTypes(schema: schema, definitions: statements.definitions)
    uses.visit(syntax, defaultEntity: defaultEntity)
    var arguments = try parameters.arguments(
      for: syntax, source: source, schema: schema, defaultEntity: defaultEntity, definitions: statements.definitions)
    guard let entity = syntax.askedEntity ?? defaultEntity else { return arguments }
    for (name, use) in uses.named.sorted(by: { $0.key < $1.key })
    where parameters.named[name] == nil && statements.definitions[name] == nil {
      guard let value = example(of: use.path, entity) else { continue }
      arguments.named[name] = value
      asked.note(
        "$\(name) has no value and was taken as \(ValueText.plain(value, null: "nil")), from an object of \(entity)")
    }
    arguments.named = arguments.named.filter { uses.names.contains($0.key) }
    while let use = uses.positional[arguments.positional.count], let value = example(of: use.path, entity) {
      arguments.positional.append(value)
      let place = arguments.positional.count
      asked.note(
        "argument \(place) has no value and was taken as \(ValueText.plain(value, null: "nil")), from an object of \(entity)"
      )
    }
    return arguments
  }

  /// The value of a property that is not nil, of an object in the middle of the store.
  private func example(of path: String, _ entity: String) -> Value? {
    guard let all = try? store.run("COUNT \(entity) WHERE \(path) != nil"), case .count(let count) = all, count > 0,
      let found = try? store.run("\(entity) WHERE \(path) != nil SELECT \(path) OFFSET \(count / 2) LIMIT 1"),
      case .rows(let rows) = found
    else { return nil }
    var example: Value?
    try? rows.forEach { example = $0.first }
    return example
  }
}

extension StatementSyntax {
  /// The name of the entity that it names.
  fileprivate var askedEntity: String? {
    switch self {
    case .select(let select), .count(let select), .delete(let select), .update(let select, _): select.entity?.text
    case .explain(_, let inner): inner.askedEntity
    case .insert, .begin, .commit, .rollback, .define, .schema: nil
    }
  }
}
