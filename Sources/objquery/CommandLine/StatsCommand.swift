import ArgumentParser
import ObjectStoreCore

/// `objquery stats STORE`
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "stats", abstract: "Show what takes how much of a store's file, and who reads and writes it.",
    usage: "[--MODE] STORE", discussion: StatisticsText.help.replacing("\n", with: " "),
    examples: ["stats quakes", "stats --json quakes | jq .used"], failure: "it could not be read")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Option(name: [.short, .long], help: "The mode: json, and jsonl in one line; a text for people in all others.")
  var mode: OutputMode?

  @Flag(help: "The same as --mode with the name.")
  var shorthand: OutputMode?

  @OptionGroup
  var told: ToldOptions

  func validate() throws { _ = try OutputMode.chosen(mode, shorthand) }

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      let session = try Session(path: store, readOnly: true)
      session.console = console
      if let chosen = try OutputMode.chosen(mode, shorthand) {
        session.style.mode = chosen
        session.explicitMode = true
      }
      try session.stopping(by: cancellation) { try session.showStatistics() }
    }
  }
}
