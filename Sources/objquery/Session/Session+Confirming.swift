import Glibc
import ObjectStoreCore

extension Session {
  /// Asks before a statement changes or deletes objects that nothing in it chooses: WHERE says which, LIMIT how many.
  /// Where nobody can be asked, `--yes` has to say it.
  func confirm(_ statement: StatementSyntax, source: String) throws {
    guard !answersYes, let (select, verb) = statement.unconditional else { return }
    guard let name = select.entity?.text ?? defaultEntity else { return }
    // What is wrong with the statement, such as an entity that is not there, is told when it runs.
    guard let all = count(SelectSyntax(entity: NameSyntax(name)), source), all > 0 else { return }
    let chosen = count(select, source) ?? all
    if chosen == 0 { return }
    let what =
      chosen < all
      ? "\(grouped(chosen)) of the \(counted(all, "object")) of \(name), without WHERE"
      : "all \(counted(all, "object")) of \(name)"
    guard isatty(0) == 1, StandardError.isTerminal else {
      throw DiagnosticError(
        source: source,
        Diagnostic(
          code: .needsYes, message: "this would \(verb) \(what)", range: select.entity?.range,
          notes: ["say which with WHERE or how many with LIMIT, or call the command with --yes"]))
    }
    StandardError.write("\(verb.prefix(1).uppercased() + verb.dropFirst()) \(what)? [y/N] ")
    let answer = readAnswer().lowercased()
    if running?.isCancelled == true { throw Stopped(soFar: "nothing was changed") }
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure(description: "nothing was changed", code: "not-confirmed")
    }
  }

  /// How many objects a query has; nil when it is wrong.
  private func count(_ select: SelectSyntax, _ source: String) -> Int? {
    let statement = StatementSyntax.count(select)
    let arguments = try? parameters.arguments(
      for: statement, source: source, schema: store.schema, defaultEntity: defaultEntity)
    let result = try? statements.run(
      statement, source: source, arguments: arguments ?? Arguments(), cancellation: running)
    guard case .count(let count)? = result else { return nil }
    return count
  }

  /// A line from the terminal; empty when there is none, or Ctrl-C was pressed.
  private func readAnswer() -> String {
    var line: [UInt8] = []
    while running?.isCancelled != true {
      var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, 100)
      if count == 0 || count < 0 && errno == EINTR { continue }
      var byte: UInt8 = 0
      guard count > 0, read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { break }
      line.append(byte)
    }
    let text = String(decoding: line, as: UTF8.self)
    return String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
  }
}

extension StatementSyntax {
  /// The objects that it would change or delete although it says neither which nor how many, and what it would do to
  /// them.
  fileprivate var unconditional: (SelectSyntax, String)? {
    switch self {
    case .delete(let select) where select.isOpen: (select, "delete")
    case .update(let select, _) where select.isOpen: (select, "change")
    case .delete, .update, .select, .count, .explain, .insert, .begin, .commit, .rollback, .define: nil
    }
  }
}

extension SelectSyntax {
  /// Whether neither a condition nor a LIMIT says what it is about.
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
