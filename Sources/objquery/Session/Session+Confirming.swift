import Glibc
import ObjectStoreCore

extension Session {
  /// Asks before a statement changes or deletes objects without a condition that chooses them. Where nobody can be
  /// asked, `--yes` has to say it.
  func confirm(_ statement: StatementSyntax, source: String) throws {
    guard !answersYes, let (select, verb) = statement.unconditional else { return }
    guard let name = select.entity?.text ?? defaultEntity else { return }
    guard isatty(0) == 1, StandardError.isTerminal else {
      throw DiagnosticError(
        source: source,
        Diagnostic(
          code: .needsYes, message: "without WHERE this would \(verb) all objects of \(name)",
          range: select.entity?.range, notes: ["say which with WHERE, or call the command with --yes"]))
    }
    // An entity that is not there is told of when the statement runs.
    guard case .count(let all)? = try? statements.run(.count(SelectSyntax(entity: NameSyntax(name))), source: source),
      all > 0
    else { return }
    let isBare =
      select.limit == nil && select.offset == nil && select.distinct.isEmpty && select.filter.tails.isEmpty
    let what =
      isBare
      ? "all \(counted(all, "object")) of \(name)" : "some of the \(counted(all, "object")) of \(name), without WHERE"
    StandardError.write("\(verb.prefix(1).uppercased() + verb.dropFirst()) \(what)? [y/N] ")
    let answer = readAnswer().lowercased()
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure(description: "nothing was changed", code: "not-confirmed")
    }
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
  /// The objects that it would change or delete without any condition, and what it would do to them.
  fileprivate var unconditional: (SelectSyntax, String)? {
    switch self {
    case .delete(let select) where select.filter.predicate == nil: (select, "delete")
    case .update(let select, _) where select.filter.predicate == nil: (select, "change")
    default: nil
    }
  }
}
