import ObjectStoreCore

/// Shows the results of statements: whole, or on a terminal the first and last rows of a long one.
extension Session {
  /// A query whose result was shown, for `.all`.
  struct LastQuery {
    var statement: StatementSyntax
    var source: String
    var arguments: Arguments
  }

  /// - Parameters:
  ///   - identified: Whether whole objects are shown with their numbers.
  ///   - isWhole: Whether all rows are shown, however many there are.
  func show(
    _ result: StatementResult, source: String, identified: Bool = false, isWhole: Bool = false
  ) throws {
    switch result {
    case .objects(let results):
      results.warnings.forEach { console.warn($0, source: source) }
      try show(limit.map { results.limit($0) } ?? results, identified: identified, isWhole: isWhole)
    case .rows(let rows):
      rows.warnings.forEach { console.warn($0, source: source) }
      try show(limit.map { rows.limit($0) } ?? rows, isWhole: isWhole)
    case .sections(let sections):
      sections.warnings.forEach { console.warn($0, source: source) }
      try show(limit.map { sections.limit($0) } ?? sections, isWhole: isWhole)
    case .count(let count): try show(count: count)
    case .explanation(let explanation):
      let asJSON = explicitMode && (style.mode == .json || style.mode == .jsonl)
      try output.result { try $0.write(line(asJSON ? explanation.json : explanation.text)) }
    case .changed(let changes): console.note(changes.words)
    // The changes were shown before.
    case .schemaChanged: if isInteractive { console.note("done") }
    case .none: break
    }
  }

  private func show(_ results: DynamicResults, identified: Bool, isWhole: Bool) throws {
    let whole = results.cancellable(by: running)
    if style.mode == .count { return try show(count: whole.count) }
    if style.mode == .ids { return try showIdentities(of: whole) }
    let shape = OutputShape(entity: results.entity, columns: results.columns, identified: identified)
    let rows = AbridgedRows(
      shape: shape, entity: results.entity.name, count: { try results.cancellable(by: $0).count },
      part: { part, body in
        let results = part.of(
          results.cancellable(by: part.cancellation), offset: { $0.offset($1) }, limit: { $0.limit($1) })
        try results.forEachNamedRow(shape.paths) { try body(identified ? $1 + [$0.asValue] : $1) }
      })
    try show(rows, isWhole: isWhole)
  }

  private func show(_ results: RowResults, isWhole: Bool) throws {
    let whole = results.cancellable(by: running)
    if style.mode == .count { return try show(count: whole.count) }
    if style.mode == .ids {
      guard let objects = try whole.objects() else { throw Self.noIdentities }
      return try showIdentities(of: objects)
    }
    // Columns that are properties can be inserted.
    let entity = try results.objects()?.entity
    let isOfProperties = results.columns.allSatisfy { entity?.property(named: $0.heading) != nil }
    let rows = AbridgedRows(
      shape: OutputShape(columns: results.columns), entity: isOfProperties ? entity?.name : nil,
      noun: results.isGrouped ? "row" : "object",
      count: { try results.cancellable(by: $0).count },
      part: { part, body in
        try part.of(results.cancellable(by: part.cancellation), offset: { $0.offset($1) }, limit: { $0.limit($1) })
          .forEachFlat(naming: true, body)
      })
    try show(rows, isWhole: isWhole)
  }

  private func show(_ sections: SectionResults, isWhole: Bool) throws {
    let whole = sections.cancellable(by: running)
    if style.mode == .count { return try show(count: whole.rowCount) }
    if style.mode == .ids {
      guard let objects = try whole.objects() else { throw Self.noIdentities }
      return try showIdentities(of: objects, in: whole.sections().flatMap(\.ids))
    }
    var count: Int?
    var isCut = false
    if let most = mostRows(isWhole: isWhole) {
      count = try quickly { try sections.cancellable(by: $0).rowCount }
      isCut = count ?? .max > most
    }
    var shown = 0
    let entity = try sections.objects()?.entity
    let isOfProperties = sections.columns.allSatisfy { entity?.property(named: $0.heading) != nil }
    let isWritten = try written { sink in
      let writer = SectionWriter(fittedStyle(of: isOfProperties ? entity?.name : nil), sections.columns, sink)
      try writer.begin()
      try (isCut ? whole.limit(maxRows) : whole).forEachFlat(naming: true) { section in
        if running?.isCancelled == true { throw Interrupted() }
        shown += section.count
        try writer.section(section)
      }
      if isCut { try writer.gap(leftOut(count.map { $0 - shown })) }
      try writer.end()
    }
    if isWritten { printCount(isCut ? count : shown, atLeast: shown, sections.isGrouped ? "row" : "object") }
  }

  // MARK: Rows

  private func show(_ rows: AbridgedRows, isWhole: Bool) throws {
    if let most = mostRows(isWhole: isWhole), try showAbridged(rows, most) { return }
    var shown = 0
    let isWritten = try written { sink in
      let writer = fittedStyle(of: rows.entity).writer(rows.shape, identity: nil, sink: sink)
      try writer.begin()
      do {
        try rows.part(AbridgedRows.Part(cancellation: running)) { row in
          if shown & 255 == 0, running?.isCancelled == true { throw Interrupted() }
          shown += 1
          try writer.row(row)
        }
      } catch let error where sink.isTerminal && Interrupted.isMeant(by: error) {
        // A person sees where the output ends.
        try writer.end()
        throw error
      }
      try writer.end()
    }
    if isWritten { printCount(shown, atLeast: shown, rows.noun) }
  }

  /// Shows the first and the last of the rows if there are more than `most`; false if it shows nothing.
  ///
  /// The first rows are there before the others are found. Those are counted only as far as nobody has to wait for it.
  private func showAbridged(_ rows: AbridgedRows, _ most: Int) throws -> Bool {
    func found(_ part: AbridgedRows.Part) throws -> [[Value]] {
      var found: [[Value]] = []
      try rows.part(part) { found.append($0) }
      return found
    }
    // More than a person wants to see at a time is not collected.
    guard most < 10_000 else { return false }
    let head = try found(AbridgedRows.Part(limit: most + 1, cancellation: running))
    var count: Int? = head.count
    var last: [[Value]] = []
    if head.count > most {
      count = try quickly { try rows.count($0) }
      if let count, count > most {
        let few = most / 2
        last = try quickly { try found(AbridgedRows.Part(offset: count - few, limit: few, cancellation: $0)) } ?? []
      }
    }
    let first = head.prefix(head.count > most ? most - last.count : most)
    let left = count.map { max($0, head.count) - first.count - last.count }
    _ = try written { sink in
      let writer = fittedStyle(of: rows.entity).writer(rows.shape, identity: nil, sink: sink)
      try writer.begin()
      for row in first { try writer.row(row) }
      if left != 0 { try writer.gap(leftOut(left)) }
      for row in last { try writer.row(row) }
      try writer.end()
    }
    printCount(count, atLeast: head.count, rows.noun)
    return true
  }

  /// The most rows that are shown; nil for all of them.
  private func mostRows(isWhole: Bool) -> Int? {
    !isWhole && maxRows > 0 && output.isTerminal && style.mode.isAbridged ? maxRows : nil
  }

  /// What `body` finds within the time that nobody notices; nil when that is over.
  private func quickly<R>(_ body: (Cancellation) throws -> R) throws -> R? {
    do {
      return try body(Cancellation(after: Self.unnoticed))
    } catch let error where Interrupted.isMeant(by: error) {
      if running?.isCancelled == true { throw error }
      return nil
    }
  }

  /// The time that nobody notices. A build for debugging takes many times as long for the same work.
  #if DEBUG
    private static let unnoticed = Duration.seconds(2)
  #else
    private static let unnoticed = Duration.milliseconds(60)
  #endif

  private func leftOut(_ count: Int?) -> String {
    "… \(count.map { grouped($0) + " " } ?? "")more (\(isInteractive ? ".all" : "--max-rows 0"), or LIMIT)"
  }

  /// Says below a result how many there are.
  private func printCount(_ count: Int?, atLeast shown: Int, _ noun: String) {
    guard isInteractive else { return }
    console.note(count.map { counted($0, noun) } ?? "at least \(counted(shown, noun))")
  }

  private func show(count: Int) throws { try output.result { try $0.write("\(count)\n") } }

  /// Runs `write` with the output for results: through the pager when they are taller than the screen. Returns false
  /// when the user left the pager before the end.
  private func written(_ write: (OutputSink) throws -> Void) throws -> Bool {
    guard isInteractive, output.isStandard, let size = Screen.size else {
      try output.result(write)
      return true
    }
    let choice = pager
    let sink = OutputSink.screen(rows: size.rows - 2) { Pager(choice) }
    do {
      try write(sink)
      try sink.finish()
      return true
    } catch let error where Interrupted.isMeant(by: error) {
      try? sink.finish()
      throw error
    } catch is OutputClosed {
      return false
    }
  }

  // MARK: Identities

  /// Each object's unique property, else its number.
  private func showIdentities(of results: DynamicResults) throws {
    let unique = results.entity.singleKey
    try output.result { sink in
      let writer = IdentityWriter(0, sink)
      try results.forEachNamedRow(unique.map { [$0] } ?? []) { number, row in
        try writer.row(unique == nil ? [number.asValue] : row)
      }
    }
  }

  /// The same in the order of `ids`.
  private func showIdentities(of results: DynamicResults, in ids: [ObjectNumber]) throws {
    guard let unique = results.entity.singleKey else {
      return try output.result { sink in for id in ids { try sink.write("\(id.rawValue)\n") } }
    }
    let values = Dictionary(zip(try results.ids, try results.rows([unique])), uniquingKeysWith: { first, _ in first })
    try output.result { sink in
      let writer = IdentityWriter(0, sink)
      for id in ids { try writer.row(values[id] ?? [.null]) }
    }
  }

  private static let noIdentities = CommandFailure(
    description: "groups are not objects, so they have no ids: choose another mode", code: "no-ids")

  /// The style for rows that are objects of an entity, or others.
  private func fittedStyle(of entity: String?) -> OutputStyle {
    var fitted = style
    fitted.entity = entity
    fitted.screenWidth = Screen.size?.columns
    return fitted
  }

  private func line(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}

/// The rows of a result of any kind, in parts.
private struct AbridgedRows {
  /// A part of the rows.
  struct Part {
    var offset = 0
    /// How many at most; nil for all.
    var limit: Int?
    var cancellation: Cancellation?

    /// The part of `rows`.
    func of<R>(_ rows: R, offset skip: (R, Int) -> R, limit keep: (R, Int) -> R) -> R {
      let rest = offset > 0 ? skip(rows, offset) : rows
      return limit.map { keep(rest, $0) } ?? rest
    }
  }

  var shape: OutputShape
  /// The entity that the rows are objects of; nil for other rows.
  var entity: String?
  /// What the rows are called.
  var noun = "object"
  var count: (Cancellation?) throws -> Int
  /// Calls its second argument with each row of a part.
  var part: (Part, ([Value]) throws -> Void) throws -> Void
}

extension Entity {
  /// The path of the first unique index over one property.
  fileprivate var singleKey: String? {
    indexes.first { $0.kind == .unique && $0.paths.count == 1 }?.paths.first
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
