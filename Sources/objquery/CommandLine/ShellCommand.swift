import ArgumentParser
import Glibc
import ObjectStoreCore

/// The command without a subcommand: statements from its words, from files, from standard input, or typed.
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "objquery",
    abstract: "Ask an object store.",
    usage: """
      objquery [OPTIONS] [STORE] [STATEMENT ...]
      objquery import [OPTIONS] STORE FILE ENTITY
      objquery export [--MODE] STORE FILE [STATEMENT]
      objquery check STORE
      objquery backup STORE FOLDER
      objquery schema STORE [ENTITY]
      """,
    discussion: """
      Without STORE the store is one in memory. Without statements and on a terminal, statements are typed; without a \
      terminal they are read from standard input.

        objquery import quakes all_week.geojson Quake --key id --index mag,time --date time:ms
        objquery quakes "Quake WHERE mag > 5 SORT BY time DESC SELECT time, mag, place"
        objquery quakes --csv -p min=5 -c 'Quake WHERE mag > $min' > strong.csv

      Exit status: 0 all done, 1 a statement failed, 2 the store could not be opened, 64 wrong usage, 124 timeout, \
      130 interrupted.
      """,
    version: version,
    subcommands: [
      ImportCommand.self, ExportCommand.self, CheckCommand.self, SchemaCommand.self, BackupCommand.self,
    ])

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String?

  @Argument(help: "Statements to run.")
  var statements: [String] = []

  @OptionGroup(title: "What to run")
  var scripts: ScriptOptions

  @OptionGroup(title: "How to show it")
  var looks: LookOptions

  @OptionGroup(title: "The store")
  var access: AccessOptions

  mutating func run() throws {
    let console = looks.console
    do {
      let session = try Session(
        path: store, create: access.create, readOnly: access.readonly, safe: access.safe)
      try configure(session, console)
      try runAll(session)
      session.end()
      try session.output.flush()
      // Who types has seen the errors and gone on: leaving is no failure.
      try leave(session.isInteractive ? .done : session.status)
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

  private func configure(_ session: Session, _ console: Console) throws {
    session.console = console
    session.style = looks.style
    session.explicitMode = looks.chosenMode != nil
    session.parameters = try scripts.parameters()
    session.explaining = looks.analyze ? .analyze : looks.explain ? .on : .off
    session.showsTime = looks.timer
    session.echoes = looks.echo
    session.limit = looks.limit
    session.timeout = access.timeout
    session.answersYes = access.yes
  }

  private func runAll(_ session: Session) throws {
    let pieces = scripts.inOrder(statements: statements)
    let isTyped = pieces.isEmpty && isatty(0) == 1
    session.bails = access.bail ?? !isTyped
    Interrupts.shared.listen(interactive: isTyped)
    if isTyped { return REPL(session).run() }
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
