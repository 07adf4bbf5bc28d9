import ObjectStoreCore

extension Session {
  /// Runs one statement and shows what it gives.
  func runStatement(_ text: String) throws {
    var statement = try StatementParser.statement(text, defaultEntity: defaultEntity)
    if case .define(let name, let predicate) = statement {
      definitions[name.text] = predicate
      return
    }
    if isSafe, statement.writes {
      throw CommandFailure(description: "nothing is written with --safe", code: "not-safe")
    }
    switch (explaining, statement) {
    case (.on, .select), (.on, .count): statement = .explain(analyze: false, statement)
    case (.analyze, .select), (.analyze, .count): statement = .explain(analyze: true, statement)
    default: break
    }
    let arguments = try parameters.arguments(
      for: statement, source: text, schema: store.schema, defaultEntity: defaultEntity)
    let result = try store.run(
      statement, source: text, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
      cancellation: running)
    try show(result, of: statement, source: text)
  }

  private func show(_ result: StatementResult, of statement: StatementSyntax, source: String) throws {
    switch result {
    case .objects(let results, let columns):
      results.warnings.forEach { console.warn($0, source: source) }
      try show(results, columns)
    case .count(let count):
      try output.result { try $0.write("\(count)\n") }
    case .explanation(let explanation):
      let asJSON = explicitMode && (style.mode == .json || style.mode == .jsonl)
      try output.result { try $0.write(line(asJSON ? explanation.json : explanation.text)) }
    case .changed(let count):
      console.note("\(counted(count, "object")) \(statement.pastVerb)")
    case .none: break
    }
  }

  private func show(_ results: DynamicResults, _ columns: [SelectedColumn]?) throws {
    let results = limit.map { results.limit($0) } ?? results
    let cancellable = results.cancellable(by: running)
    if style.mode == .count {
      let count = try cancellable.count
      return try output.result { try $0.write("\(count)\n") }
    }
    if style.mode == .ids { return try showIdentities(cancellable) }
    let shape =
      columns.map { OutputShape(selected: $0, columns: cancellable.columns) }
      ?? OutputShape(entity: cancellable.entity, columns: cancellable.columns)
    var shown = 0
    let fit = style.fitted(to: Screen.size?.columns)
    let rowsOnScreen = try isInteractive && output.isTerminal ? cancellable.count : 0
    let pager = style.needsPager(rows: rowsOnScreen, fields: shape.leaves.count) ? Pager() : nil
    let write: (OutputSink) throws -> Void = { sink in
      let writer = fit.writer(shape, identity: nil, sink: sink)
      try writer.begin()
      try cancellable.forEachRow(shape.paths) { row in
        if shown & 255 == 0, self.running?.isCancelled == true { throw Stopped() }
        shown += 1
        try writer.row(row)
      }
      try writer.end()
    }
    if let pager {
      let sink = OutputSink.pager(pager)
      do {
        try write(sink)
        try sink.finish()
      } catch is OutputClosed {
        pager.wait()
      }
    } else {
      try output.result(write)
    }
    if isInteractive { console.note(counted(shown, "object")) }
  }

  /// Each object's unique property, else its number.
  private func showIdentities(_ results: DynamicResults) throws {
    let unique = results.entity.indexes.first { $0.kind == .unique && $0.paths.count == 1 }?.paths.first
    try output.result { sink in
      if let unique {
        let writer = IdentityWriter(0, sink)
        try results.forEachRow([unique]) { try writer.row($0) }
      } else {
        for id in try results.ids { try sink.write("\(id.rawValue)\n") }
      }
    }
  }

  private func line(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}

extension OutputStyle {
  /// The style for a screen of that width.
  fileprivate func fitted(to columns: Int?) -> OutputStyle {
    var style = self
    style.width = width ?? columns
    return style
  }

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

extension StatementSyntax {
  /// Whether it may change the store.
  var writes: Bool {
    switch self {
    case .delete, .update, .insert, .begin, .commit: true
    case .explain(_, let inner): inner.writes
    case .select, .count, .rollback, .define: false
    }
  }

  /// `3 objects …`
  var pastVerb: String {
    switch self {
    case .delete: "deleted"
    case .insert: "inserted"
    default: "changed"
    }
  }
}
