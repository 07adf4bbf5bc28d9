import ObjectStoreCore
internal import PredicateLanguage

/// One session of the command: the store, the user's settings, and running statements and commands.
///
/// It does not know where statements come from (arguments, a file, a terminal).
final class Session {
  /// Runs statements, with transactions and predicates named by LET.
  private(set) var statements: StatementSession
  /// The name of the store in the prompt.
  private(set) var storePath: String?
  /// The store.
  var store: Store { statements.store }
  /// Set by `.use`.
  var defaultEntity: String? {
    get { statements.defaultEntity }
    set {
      statements.defaultEntity = newValue
      lastQuery = nil
    }
  }
  var style = OutputStyle()
  /// Whether the user chose the mode; otherwise it depends on the terminal.
  var explicitMode = false
  var console = Console()
  var parameters = Parameters()
  var showsTime = false
  /// Whether a script's statements are shown before their results.
  var echoes = false
  var explaining = Explaining.off
  /// The most objects a statement shows.
  var limit: Int?
  /// The most rows of a result that a terminal shows, half of them its last; 0 for all.
  var maxRows = OutputStyle.maxRows
  /// The pager for results that are taller than the screen.
  var pager = Pager.Choice.environment
  /// The query whose result was shown last.
  var lastQuery: LastQuery?
  /// The time limit of a statement in milliseconds, including waits for other writers.
  var timeout: Int?
  /// Whether changes to all objects run without confirmation.
  var answersYes = false
  /// Who gives it its statements.
  var client = SessionClient.command
  /// No files, no other programs, no writes.
  let isSafe: Bool
  private(set) var isReadOnly: Bool
  /// The limits of every store that it opens.
  let limits: Store.Limits
  /// Whether the session is interactive: results that don't fit the screen go through the pager, and counts of objects
  /// are shown.
  var isInteractive = false
  /// Whether rows of a file of data that are left out are no failure.
  var allowsBadRows = false
  /// Whether only statements of the language run, and not those that are read from another one.
  var isStrict = false
  /// The user's own prompt; nil for the usual one.
  var prompt: String?
  /// The last statement with its mistake mended; nil when there was none, or no fix.
  var mended: String?
  /// The statements that `.advise` is about.
  var asked = AskedStatements()
  /// Whether statements are noted for advice instead of being run.
  var isAdvising = false
  /// A text for the user to edit, which the next line begins with.
  var lineToEdit: String?
  /// The lines typed so far, oldest first.
  var history: () -> [String] = { [] }
  /// Whether to stop at the first error.
  var bails = true
  private(set) var status = ExitStatus.done
  var isFinished = false
  let output = Output()
  /// Cancels the current operation.
  private(set) var running: Cancellation?
  /// What a statement that changes the schema will do, as it was shown.
  var shownChange: MigrationPreview?
  /// What to tell about the opening of the store.
  private(set) var openingNotes: [String] = []
  /// Why not all of a file of data is there; nil when it is, and for a store.
  private(set) var openingFailure: CommandFailure?
  /// How many scripts are being run, one within the other.
  private(set) var depth = 0
  /// The damaged indexes that were reported.
  private var damagedIndexes: [SchemaPart] = []

  /// An action that replaces running statements.
  enum Explaining: String, CaseIterable { case off, on, analyze }

  /// Creates a session on a store; without a path, on a store in memory.
  init(
    path: String?, create: Bool = false, readOnly: Bool = false, safe: Bool = false, limits: Store.Limits = .init()
  ) throws {
    self.limits = limits
    isSafe = safe
    isReadOnly = readOnly || safe
    storePath = path
    let opened = try Self.open(path, create: create, readOnly: isReadOnly, limits, .command)
    statements = StatementSession(opened.store)
    openingNotes = opened.file?.notes ?? []
    openingFailure = opened.file?.failure
  }

  private static func open(
    _ path: String?, create: Bool, readOnly: Bool, _ limits: Store.Limits, _ client: SessionClient
  ) throws -> (store: Store, file: DataFile?) {
    guard let path else { return (try Store.inMemory(schema: Schema(), limits: limits), nil) }
    if DataFile.isOne(path) {
      let file = try DataFile(path, limits: limits)
      return (file.store, file)
    }
    do {
      let mode: OpenMode = readOnly ? .readOnly : create ? .create : .readWrite
      return (try StoreOpener.open(path, mode: mode, limits: limits), nil)
    } catch var failure as CommandFailure where !readOnly {
      if !create, !StoreOpener.exists(path) {
        failure.description += "; " + client.creation
      }
      if StoreOpener.isReadable(path), !StoreOpener.isWritable(path) {
        failure.description += "; " + client.readOnly
      }
      throw failure
    }
  }

  /// Switches to another store; a nil path creates a new store in memory.
  ///
  /// - Parameter readOnly: Whether it is never written to; nil for what holds for the one before.
  func open(_ path: String?, create: Bool = false, readOnly: Bool? = nil) throws {
    try refuseInTransaction(".open")
    let definitions = statements.definitions
    let readOnly = readOnly ?? isReadOnly
    let opened = try Self.open(path, create: create, readOnly: readOnly, limits, client)
    statements = StatementSession(opened.store)
    isReadOnly = readOnly
    openingNotes = opened.file?.notes ?? []
    statements.definitions = definitions
    storePath = path
    lastQuery = nil
    openingNotes.forEach { console.note($0) }
    if let failure = opened.file?.failure, !allowsBadRows { throw failure }
  }

  /// Opens a store, or a file of data, for a subcommand that only reads it.
  ///
  /// - Throws: Also when not all of a file of data is there, after `body`.
  static func reading(_ path: String, _ console: Console, _ body: (Session) throws -> Void) throws {
    let session = try Session(path: path, readOnly: true)
    session.console = console
    session.openingNotes.forEach { console.note($0) }
    try body(session)
    try session.output.finish()
    if let failure = session.openingFailure { throw failure }
  }

  /// Refuses an action that is not possible while a transaction is open.
  func refuseInTransaction(_ what: String) throws {
    guard statements.isInTransaction else { return }
    throw CommandFailure(
      description: "\(what) is not for an open transaction: COMMIT or ROLLBACK first", code: "transaction-open")
  }

  /// Ends the session: an open transaction is undone.
  func end() {
    guard statements.isInTransaction else { return }
    try? statements.rollback()
    console.warn(
      "the transaction was still open: what was done in it was undone; COMMIT keeps it",
      code: DiagnosticCode.transactionOpen.name)
  }

  // MARK: Running

  /// Runs a script of statements and dot commands. False when one failed.
  @discardableResult
  func run(script: String, name: String? = nil) -> Bool {
    // A script that reads itself would never end.
    guard depth < 16 else {
      fail(CommandFailure(description: "scripts are read 16 deep at most"), name)
      return false
    }
    depth += 1
    defer { depth -= 1 }
    var isGood = true
    var shownUpTo = 0
    for piece in StatementParser.split(script) where !isFinished {
      if echoes { shownUpTo = echo(piece, of: script, from: shownUpTo) }
      if !run(piece, of: script, name: name) {
        isGood = false
        if bails { break }
      }
    }
    return isGood
  }

  /// Runs one statement or command of a script. Returns false when it failed; the error has then been reported.
  @discardableResult
  func run(_ piece: ScriptPiece, of script: String, name: String? = nil) -> Bool {
    defer { warnOfDamage() }
    let start = ContinuousClock.now
    let cancellation = console.cancellation(after: timeout.map { .milliseconds($0) })
    do {
      try stopping(by: cancellation) {
        // Elsewhere Ctrl-C ends the process, unless long work runs.
        guard isInteractive else { return try perform(piece) }
        try Interrupts.shared.stopping(by: cancellation) { try perform(piece) }
      }
      try output.flush()
      // An interrupted statement may have changed something; the rest of the script does not run.
      if !isInteractive, Interrupts.shared.wasInterrupted { throw Interrupted() }
    } catch is OutputClosed {
      // The reader of the results has closed the pipe: this is not an error, and nothing more is done.
      output.discard()
      if !isInteractive { isFinished = true }
      return true
    } catch {
      try? output.flush()
      output.discard()
      let wasInterrupted = Interrupts.shared.take()
      let stop = Interrupted.isMeant(by: error) ? error as? Interrupted ?? Interrupted() : nil
      if let stop, wasInterrupted {
        status = .interrupted
        console.note(stop.told(as: "interrupted"))
        if !isInteractive { isFinished = true }
      } else if let stop, let timeout {
        status = .timeout
        let failure = CommandFailure(
          description: stop.told(as: "stopped after \(timeout) ms"), status: .timeout, code: "timeout")
        console.report(failure, sourceName: name)
      } else if error is AlreadyTold {
        if status == .done { status = .failed }
      } else {
        let line = name.map { "\($0):\(piece.line)" }
        fail(located(error, piece, script, name), line)
      }
      return false
    }
    if showsTime, piece.kind == .statement {
      let elapsed = start.duration(to: .now).components
      let milliseconds = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
      StandardError.write("time: \((milliseconds * 1000).rounded() / 1000) ms\n")
    }
    return true
  }

  /// Warns once of each index that is damaged and not used.
  private func warnOfDamage() {
    guard let damaged = try? store.damagedIndexes, damaged != damagedIndexes else { return }
    for part in damaged where !damagedIndexes.contains(part) {
      console.warn("\(part) is damaged and not used; .reindex builds it anew", code: "damaged-index")
    }
    damagedIndexes = damaged
  }

  /// Runs `body`, which `cancellation` stops.
  func stopping<R>(by cancellation: Cancellation, _ body: () throws -> R) rethrows -> R {
    let outer = running
    running = cancellation
    defer { running = outer }
    return try body()
  }

  /// The text for the user to edit, which is then forgotten.
  func takeLineToEdit() -> String? {
    defer { lineToEdit = nil }
    return lineToEdit
  }

  private func perform(_ piece: ScriptPiece) throws {
    switch piece.kind {
    case .command: try runCommand(piece.text)
    case .statement where isAdvising: try noteStatement(piece.text)
    case .statement:
      mended = nil
      do {
        try runStatement(piece.text)
      } catch let error as DiagnosticError {
        mended = error.fixedSource
        throw advised(error)
      }
    }
  }

  /// Shows a statement as written in its script, with the comments before it. Returns where it ends.
  private func echo(_ piece: ScriptPiece, of script: String, from start: Int) -> Int {
    let bytes = Array(script.utf8)
    let end = min(piece.range.upperBound, bytes.count)
    // Only the `;` of the previous statement is left before this one.
    let text = String(decoding: bytes[min(start, end)..<end], as: UTF8.self).drop { $0 == ";" || $0.isWhitespace }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let shown = lines.map { Screen.harmless(String($0)) }.joined(separator: "\n")
    StandardError.write("\n" + shown + (piece.kind == .statement ? ";\n" : "\n"))
    return end
  }

  private func fail(_ error: any Error, _ name: String?) {
    if status == .done || status == .failed { status = (error as? CommandFailure)?.status ?? .failed }
    if status == .usage { status = .failed }
    console.report(error, sourceName: error is DiagnosticError ? nil : name)
  }

  /// Relates an error in a statement of a file to the file, so that its line is reported.
  private func located(_ error: any Error, _ piece: ScriptPiece, _ script: String, _ name: String?) -> any Error {
    guard let name, var diagnostic = error as? DiagnosticError else { return error }
    // An error without a text range, such as a COMMIT without BEGIN, is reported for the whole statement.
    if diagnostic.source.isEmpty { diagnostic.source = piece.text }
    guard diagnostic.source == piece.text else { return error }
    diagnostic.source = script
    diagnostic.sourceName = name
    diagnostic.diagnostics = diagnostic.diagnostics.map { $0.moved(into: piece) }
    return diagnostic
  }
}
