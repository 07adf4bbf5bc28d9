import ArgumentParser
import ObjectStoreCore

/// `objquery serve STORE --stdio`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "serve", abstract: "Serve a store to a program: JSON-RPC over standard input and output.",
    usage: "[OPTIONS] [STORE] --stdio",
    discussion: """
      Each line of the input is a request of JSON-RPC 2.0, each line of the output an answer or a notification. It runs \
      statements and sends their rows a page at a time, watches queries, and completes, checks and formats texts. It \
      ends with its input. The page Serve of the documentation has every message.
      """,
    examples: [
      #"""
      serve quakes --stdio <<< '{"jsonrpc":"2.0","id":1,"method":"run","params":{"statement":"COUNT Quake"}}'
      """#
    ],
    failure: "an error ended it")

  @Argument(help: "The store, a folder; without it one in memory.", completion: .directory)
  var store: String?

  @Flag(help: "Talk over standard input and output, which is the only way there is.")
  var stdio = false

  @OptionGroup(title: "The store")
  var access: AccessOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Send at most this many rows of each statement.", valueName: "n"))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Close a cursor that nobody asks for a page in that time; 60 if not given.", valueName: "seconds"))
  var cursorTime: Int?

  @OptionGroup(title: "Limits")
  var limiting: LimitOptions

  @OptionGroup
  var told: ToldOptions

  func validate() throws {
    if !stdio { throw ValidationError("say --stdio: requests come over standard input") }
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
    if let cursorTime, !(1...86_400).contains(cursorTime) {
      throw ValidationError("--cursor-time takes seconds, from 1 to 86400")
    }
  }

  mutating func run() throws {
    let console = told.console
    var status = ExitStatus.done
    try console.leaving {
      let session = try Session(
        path: store, create: access.create, readOnly: access.readonly, safe: access.safe, limits: limiting.limits)
      session.openingNotes.forEach { console.note($0) }
      session.allowsBadRows = access.allowErrors
      if let failure = session.openingFailure, !access.allowErrors { throw failure }
      var options = ServeOptions()
      options.isReadOnly = access.readonly
      options.isSafe = access.safe
      options.answersYes = access.yes
      options.timeout = access.timeout
      options.limit = limit
      if let cursorTime { options.lease = CursorLease(unused: .seconds(cursorTime)) }
      status = try ObjectServer.serve(session, options)
    }
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
