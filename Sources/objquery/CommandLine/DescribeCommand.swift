import ArgumentParser
import Glibc
import ObjectStoreCore

/// `objquery describe STORE [ENTITY]`
struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "describe", abstract: "Show what the values of each property are like.",
    usage: "[--MODE] STORE [ENTITY]",
    discussion: """
      For each property its type, how many objects have none, how many distinct values there are, the least and the \
      greatest, the mean, and the most frequent values. Without an entity all are described.
      """,
    examples: [
      "describe quakes Quake",
      "describe -m json quakes",
    ],
    failure: "there is no such entity, or it could not be read")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "The entity.", completion: StoreWords.entity)
  var entity: String?

  @Option(name: [.short, .long], help: "The mode: box on a terminal, jsonl otherwise.")
  var mode: OutputMode?

  @Flag(help: "The same as --mode with the name.")
  var shorthand: OutputMode?

  @OptionGroup
  var told: ToldOptions

  func validate() throws { _ = try OutputMode.chosen(mode, shorthand) }

  mutating func run() throws {
    let console = told.console
    try console.stoppable { cancellation in
      try Session.reading(store, console) { session in
        session.style.mode = try OutputMode.chosen(mode, shorthand) ?? (isatty(1) == 1 ? .box : .jsonl)
        try session.stopping(by: cancellation) { try session.describe(entity) }
      }
    }
  }
}
