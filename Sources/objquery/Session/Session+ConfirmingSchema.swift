import ObjectStoreCore

extension Session {
  /// Shows what a statement would do to the schema, and asks. Without a terminal, `--yes` is required.
  ///
  /// - Returns: Whether there is anything to do.
  func confirm(_ change: SchemaStatementSyntax, source: String) throws -> Bool {
    // The statement is refused when it runs, and nothing needs to be asked before.
    if statements.isInTransaction { return true }
    if isReadOnly { throw StoreError.readOnly(path: storePath ?? "the store") }
    let preview = try Interrupted.telling("nothing was changed") {
      try stoppedByInterrupts {
        try store.migrationPreview(of: change, source: source, cancellation: running)
      }
    }
    shownChange = preview
    return try preview.confirm(
      withoutAsking: answersYes, canAsk: client == .command && Confirmation.canAsk, console, running
    ) { changes in
      DiagnosticError(
        source: source,
        Diagnostic(
          code: .needsYes, message: "this would change the schema: \(changes)", range: nil,
          notes: [client.confirmation]))
    }
  }

  /// Keeps the entity of `.use` when it was renamed, and forgets it when it was removed.
  func followChange(_ change: SchemaStatementSyntax) {
    switch change {
    case .renameEntity(let name, let new) where name.text == defaultEntity: defaultEntity = new.text
    case .dropEntity(let name) where name.text == defaultEntity: defaultEntity = nil
    case .createIndex, .dropIndex, .addProperty, .changeProperty, .dropProperty, .renameProperty, .renameEntity,
      .dropEntity:
      break
    }
  }
}

extension MigrationPreview {
  /// Shows the changes and asks for confirmation.
  ///
  /// - Parameters:
  ///   - canAsk: Whether somebody can be asked.
  ///   - unasked: Makes the error where nobody can be asked, from the changes in one line.
  /// - Returns: Whether anything changes.
  func confirm(
    withoutAsking: Bool, canAsk: Bool = Confirmation.canAsk, _ console: Console, _ cancellation: Cancellation?,
    unasked: (String) -> any Error
  ) throws -> Bool {
    guard problems.isEmpty else {
      let rest = problems.count > 3 ? ["and \(problems.count - 3) more reasons"] : []
      throw CommandFailure(
        description: (problems.prefix(3) + rest).joined(separator: ";\n  ") + "; nothing was changed",
        code: "migration-needed")
    }
    if isEmpty {
      console.note("nothing changes")
      return false
    }
    if !withoutAsking, !canAsk { throw unasked(changes.map(\.line).joined(separator: "; ")) }
    for change in changes { console.note(Screen.harmless(change.line)) }
    if withoutAsking { return true }
    let losses = changes.contains { $0.kind == .lost && ($0.count ?? 0) > 0 } ? " What is marked with '-' is lost." : ""
    try Confirmation.ask("Change the schema?\(losses)", cancellation)
    return true
  }
}
