import ArgumentParser
import ObjectStoreCore

/// `objquery export STORE FILE [STATEMENT]`
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration.subcommand(
    "export", abstract: "Write objects, or what a query gives, to a file.",
    usage: "[--MODE] [--overwrite] STORE FILE [STATEMENT]",
    discussion: """
      The mode goes by the file's name (.csv .tsv .json .jsonl .geojson .md .html .sql), or say it; then any name is good. \
      Without a statement all objects of the only entity are written. The file is there when it is whole. objquery import \
      reads back what .json, .jsonl, .geojson, .csv and .tsv hold.
      """,
    examples: [
      #"export quakes strong.csv "Quake WHERE mag > 5 SORT BY time""#,
      "export --json quakes - Quake",
    ],
    failure: "no file was written")

  @Argument(help: "The store, a folder.", completion: .directory)
  var store: String

  @Argument(help: "The file to write; - is standard output.", completion: .file())
  var file: String

  @Argument(help: "A query, or only the name of an entity.", completion: StoreWords.entity)
  var statement: String?

  @Flag(help: "Replace a file that is there.")
  var overwrite = false

  @Option(name: [.short, .long], help: "The mode, whatever the file's name says.")
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
        try session.stopping(by: cancellation) {
          try session.export(statement, to: file, mode: OutputMode.chosen(mode, shorthand), replaces: overwrite) {
            "objquery export STORE FILE \"\($0)\""
          }
        }
      }
    }
  }
}
