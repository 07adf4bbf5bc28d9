import ArgumentParser
import Glibc
import ObjectStoreCore

extension ShellRequest {
  /// Runs the request. Errors have been reported when this returns; the exit status is thrown.
  func run() throws {
    do {
      if let store, !creates, let failure = Self.misspeltSubcommand([store]) { throw failure }
      let session = try Session(
        path: store, create: creates, readOnly: isReadOnly, safe: isSafe, limits: limits)
      configure(session)
      session.openingNotes.forEach { console.note($0) }
      try runAll(session)
      session.end()
      do { try session.output.finish() } catch is OutputClosed {}
      // An interactive user has seen the errors and continued, so leaving is not a failure.
      if session.isInteractive { return }
      try leave(session.status)
      if var failure = session.openingFailure, !allowsBadRows {
        failure.description += "; with --allow-errors this is no failure"
        throw failure
      }
    } catch let failure as CommandFailure {
      console.report(failure)
      throw ExitCode(failure.status.rawValue)
    } catch let error as DiagnosticError {
      console.report(error)
      throw ExitCode(ExitStatus.failed.rawValue)
    } catch let error as StoreError {
      console.report(error)
      throw ExitCode(ExitStatus.unopened.rawValue)
    }
  }

  private func configure(_ session: Session) {
    session.console = console
    session.style.mode = mode ?? (isatty(1) == 1 ? .box : .jsonl)
    session.explicitMode = mode != nil
    session.parameters = parameters
    session.explaining = explaining
    session.showsTime = showsTime
    session.echoes = echoes
    session.limit = limit
    session.maxRows = maxRows
    session.isStrict = isStrict
    session.style.isColored = console.color
    session.timeout = timeout
    session.answersYes = answersYes
    session.allowsBadRows = allowsBadRows
  }

  private func runAll(_ session: Session) throws {
    let isTyped = pieces.isEmpty && isatty(0) == 1
    session.bails = bails ?? !isTyped
    Interrupts.shared.listen(isTyped ? .staying : .leaving)
    if isTyped { return REPL(session, readsStartFile: readsStartFile ?? true).run() }
    if readsStartFile == true { StartFile.run(in: session) }
    if session.bails, session.status != .done { return }
    if pieces.isEmpty { return try runFile("-", session) }
    for piece in pieces where !session.isFinished {
      switch piece {
      case .text(let text): session.run(script: text)
      case .file(let path): try runFile(path, session)
      }
      if session.bails, session.status != .done { break }
    }
  }

  private func runFile(_ path: String, _ session: Session) throws {
    session.run(script: try TextFile.read(path), name: path == "-" ? nil : path)
  }

  private func leave(_ status: ExitStatus) throws {
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
