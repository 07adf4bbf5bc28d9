import ArgumentParser
import Glibc
import ObjectStoreCore

/// `objquery advise STORE -f FILE`
struct AdviseCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "advise", abstract: "Find the indexes worth having for some statements.",
    usage: "[--apply] [--drop-unused] [--yes] STORE -f FILE ... [-c STATEMENT ...]",
    discussion: """
      The statements are planned and not run. Each index is said with the statements that gain, what they cost now and \
      then, its size, and what inserts will cost more; also said are the indexes that none of the statements uses. The \
      indexes are built on a part of the objects, in memory, where the planner estimates the costs. Without --apply the \
      store stays as it is.
      """,
    examples: [
      "advise quakes -f queries.objq",
      "advise quakes --json -c 'Quake WHERE net == $net SORT BY time DESC LIMIT 10' -p net=us",
      "advise quakes -f queries.objq --apply --yes",
    ],
    failure: "the statements could not be read, or an index could not be created")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @OptionGroup
  var scripts: ScriptOptions

  @Flag(help: "Create the indexes that are worth having, asking as CREATE INDEX does.")
  var apply = false

  @Flag(help: "With --apply: remove the indexes that none of the statements uses, too.")
  var dropUnused = false

  @Flag(help: "Do not ask.")
  var yes = false

  @Flag(help: "Never write, as without --apply.")
  var readonly = false

  @Option(name: [.short, .long], help: "The mode: box on a terminal, jsonl otherwise.")
  var mode: OutputMode?

  @Flag(help: "The same as --mode with the name.")
  var shorthand: OutputMode?

  @OptionGroup
  var told: ToldOptions

  func validate() throws {
    _ = try OutputMode.chosen(mode, shorthand)
    if apply, readonly { throw ValidationError("--apply and --readonly contradict each other") }
    if dropUnused, !apply { throw ValidationError("--drop-unused goes with --apply") }
    if pieces.isEmpty, isatty(0) == 1 {
      throw ValidationError("there are no statements: name a file with -f, or write one with -c")
    }
  }

  private var pieces: [ScriptOptions.Piece] { scripts.inOrder(statements: []) }

  mutating func run() throws {
    let console = told.console
    var status = ExitStatus.done
    try console.stoppable { cancellation in
      let session = try Session(path: store, readOnly: !apply)
      session.console = console
      session.style.mode = try OutputMode.chosen(mode, shorthand) ?? (isatty(1) == 1 ? .box : .jsonl)
      session.parameters = try scripts.parameters()
      session.answersYes = yes
      session.isAdvising = true
      // The statements' mistakes are part of the advice; what fails here is a file or a command of the shell.
      defer { status = session.status }
      for piece in pieces.isEmpty ? [.file("-")] : pieces {
        switch piece {
        case .text(let text): session.run(script: text)
        case .file(let path): session.run(script: try TextFile.read(path), name: path == "-" ? nil : path)
        }
        guard session.status == .done else { return }
      }
      try session.stopping(by: cancellation) {
        try session.advise(applying: apply, droppingUnused: dropUnused)
      }
    }
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
