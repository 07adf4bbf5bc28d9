import ObjectStoreCore
internal import PredicateLanguage

extension Session {
  /// Asks before a statement changes or deletes objects without WHERE or LIMIT. Without a terminal, `--yes` is
  /// required.
  func confirm(_ statement: StatementSyntax, source: String) throws {
    guard !answersYes, let (select, verb) = statement.unconditional else { return }
    guard let name = select.entity?.text ?? defaultEntity else { return }
    // Errors in the statement, such as an unknown entity, are reported when it runs.
    guard let all = count(SelectSyntax(entity: NameSyntax(name)), source), all > 0 else { return }
    let chosen = count(select, source) ?? all
    if chosen == 0 { return }
    let what =
      chosen < all
      ? "\(grouped(chosen)) of the \(counted(all, "object")) of \(name), without WHERE"
      : "all \(counted(all, "object")) of \(name)"
    guard client == .command, Confirmation.canAsk else {
      throw DiagnosticError(
        source: source,
        Diagnostic(
          code: .needsYes, message: "this would \(verb) \(what)", range: select.entity?.range,
          notes: ["say which with WHERE or how many with LIMIT, or \(client.confirmation)"]))
    }
    try Confirmation.ask("\(verb.prefix(1).uppercased() + verb.dropFirst()) \(what)?", running)
  }

  /// The number of objects of a query; nil when it is invalid.
  private func count(_ select: SelectSyntax, _ source: String) -> Int? {
    let statement = StatementSyntax.count(select)
    let arguments = try? parameters.arguments(
      for: statement, source: source, schema: store.schema, defaultEntity: defaultEntity)
    let result = try? statements.run(
      statement, source: source, arguments: arguments ?? Arguments(), cancellation: running)
    guard case .count(let count)? = result else { return nil }
    return count
  }
}

extension StatementSyntax {
  /// The objects that it would change or delete without WHERE or LIMIT, and the kind of the change.
  fileprivate var unconditional: (SelectSyntax, String)? {
    switch self {
    case .delete(let select) where select.isOpen: (select, "delete")
    case .update(let select, _) where select.isOpen: (select, "change")
    case .delete, .update, .select, .count, .explain, .insert, .begin, .commit, .rollback, .define, .schema:
      nil
    }
  }
}

extension SelectSyntax {
  /// Whether the statement has neither a condition nor a LIMIT.
  fileprivate var isOpen: Bool {
    let isClosed = filter.tails.contains { tail in
      switch tail {
      case .filter, .window(_, .some): true
      case .sort, .distinct, .window(_, nil): false
      }
    }
    return filter.predicate == nil && limit == nil && !isClosed
  }
}
