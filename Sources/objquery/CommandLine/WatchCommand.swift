import ArgumentParser
import ObjectStoreCore

/// `objquery watch STORE STATEMENT`
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "watch", abstract: "Show a query's rows, and what each commit changes in them.",
    usage: "[--MODE] [--changes COUNT] STORE STATEMENT",
    discussion: """
      The commits of other processes are seen too. Ctrl-C ends it. On a terminal the rows are shown anew with each commit \
      that changes them, with + for new, ~ for changed and - for gone. Elsewhere each change is a line of JSON: \
      {"op":"insert","row":{…},"commit":12}, or "update" or "delete"; {"op":"ready","commit":11} follows the first rows.
      """,
    examples: [
      #"watch quakes "Quake WHERE mag > 5 SORT BY time DESC LIMIT 10""#,
      #"watch quakes "Quake GROUP BY net SELECT net, @count" | jq .row"#,
    ],
    failure: "the statement failed")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "A query, or only the name of an entity.", completion: StoreWords.entity)
  var statement: String

  @Option(help: ArgumentHelp("End after that many commits that change something.", valueName: "count"))
  var changes: Int?

  @Option(name: [.short, .long], help: "How rows are shown; without it as a box on a terminal, else as jsonl.")
  var mode: OutputMode?

  @Flag(help: "The same as --mode with the name.")
  var shorthand: OutputMode?

  @OptionGroup
  var told: ToldOptions

  func validate() throws {
    _ = try OutputMode.chosen(mode, shorthand)
    if let changes, changes < 1 { throw ValidationError("--changes takes a number from 1 on") }
  }

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      try Session.reading(store, console) { session in
        session.style.mode = try OutputMode.chosen(mode, shorthand) ?? (session.output.isTerminal ? .box : .jsonl)
        try session.stopping(by: cancellation) { try session.watch(statement, most: changes) }
      }
    }
  }
}
