import ObjectStoreCore
internal import PredicateLanguage

/// The interactive shell: reads lines until they form a statement, runs it, and continues until Ctrl-D.
///
/// It knows when a statement is complete, not what it means.
struct REPL {
  private let session: Session
  private let editor: LineEditor
  private let readsStartFile: Bool

  init(_ session: Session, readsStartFile: Bool) {
    self.session = session
    self.readsStartFile = readsStartFile
    editor = LineEditor(name: "objquery", completer: Completer(session))
    session.isInteractive = true
    session.history = { [weak editor] in editor?.remembered ?? [] }
    editor.suggestion = { [weak session] in session?.mended }
  }

  func run() {
    let place =
      session.storePath == nil ? "a store in memory: .open FILE turns to another" : "\(session.storePath ?? "")"
    session.console.note("objquery \(version), \(place). .help for help, Ctrl-D to leave.")
    if readsStartFile { StartFile.run(in: session) }
    while !session.isFinished, let text = readStatement() {
      for piece in StatementParser.split(text) where !session.isFinished { session.run(piece, of: text) }
    }
    editor.saveHistory()
  }

  /// Reads lines up to a complete statement; nil when the user leaves.
  private func readStatement() -> String? {
    var text = ""
    while true {
      switch editor.read(prompt: text.isEmpty ? prompt : continuation, beginning: session.takeLineToEdit()) {
      case .end:
        if text.isEmpty {
          StandardError.write("\n")
          return nil
        }
        text = ""
        StandardError.write("\n")
      case .dropped:
        text = ""
      case .line(let line):
        if text.isEmpty, let command = OtherShells.command(for: line, in: (try? session.store.schema) ?? Schema()) {
          editor.remember(line)
          return command
        }
        text += text.isEmpty ? line : "\n" + line
        if trimmed(text).isEmpty {
          text = ""
          continue
        }
        let pieces = StatementParser.split(text)
        // An empty line ends input that can't be completed, so that an open quote does not trap the user.
        guard trimmed(line).isEmpty || pieces.last.map({ $0.isComplete || $0.isTerminated }) ?? true else { continue }
        editor.remember(text)
        return text
      }
    }
  }

  private var prompt: String {
    if let text = session.prompt { return PromptText.filled(text, session) }
    return Screen.harmless(PromptText.storeName(session)) + (session.defaultEntity.map { ":" + $0 } ?? "")
      + (session.statements.isInTransaction ? "*> " : "> ")
  }

  private var continuation: String { String(repeating: " ", count: max(0, Screen.width(prompt) - 5)) + "...> " }
}
