import ObjectStoreCore

extension DotCommand {
  /// Commands that bring objects out.
  static let exports: [DotCommand] = [
    DotCommand(
      name: ".export", usage: "[--MODE] [--overwrite] FILE [STATEMENT]",
      summary: "write results to a file, in a mode of its own",
      help: """
        The mode goes by the file's name (.csv .tsv .json .jsonl .geojson .md .html .sql), or say it: --csv --json --line …, --mode csv; then
        any name is good. Without a statement all objects of the entity are written: that of .use, or the only one there is.
          .export quakes.csv
          .export strong.jsonl Quake WHERE mag > 5
          .export --markdown report.txt Quake GROUP BY net
        A file that is there is replaced with --overwrite only. The file is there when it is whole.
        .import reads back what .json, .jsonl, .geojson, .csv and .tsv hold; .read runs the INSERT statements of .sql.
        """,
      isUnsafe: true, isLong: true, words: 1...Int.max, statementAfter: 1, valueOptions: ["--mode", "-m"],
      completes: .files, run: { session, words in try ExportWords(words).run(in: session) }),
    DotCommand(
      name: ".backup", usage: "[--overwrite] [--no-verify] FOLDER",
      summary: "write a copy of the store as it is now, without its free pages",
      help: """
        Others go on reading and writing meanwhile. The folder is made; it is there when the copy is whole and was checked.
        An older copy is replaced with --overwrite only. --no-verify saves the time of the check.
        """,
      isUnsafe: true, isLong: true, words: 1...3, completes: .files,
      run: { session, words in
        try session.refuseInTransaction(".backup")
        let options = words.filter { $0.hasPrefix("--") }
        let names = words.filter { !$0.hasPrefix("--") }
        guard names.count == 1, options.allSatisfy(["--overwrite", "--no-verify"].contains) else {
          throw CommandFailure(description: "usage: .backup [--overwrite] [--no-verify] FOLDER")
        }
        try session.store.backUp(
          to: names[0], overwrite: options.contains("--overwrite"), verify: !options.contains("--no-verify"),
          session.running)
      }),
    DotCommand(
      name: ".dump", usage: "FOLDER", summary: "write all of the store as text: its schema, and JSONL",
      help: """
        The folder is made, with schema.swift and a file of JSON lines for each entity; it is there when all of it is
        whole. All is of one moment. Objects
        without a unique property that links lead to have their number there, as "@id". It is read back by
          .import FOLDER
        Of a damaged store all is written that can be read, and what is missing is named.
        """,
      isUnsafe: true, isLong: true, words: 1...1, completes: .files, run: { try $0.dump(to: $1[0]) }),
  ]
}

/// The words of `.export`.
private struct ExportWords {
  private static let usage = "usage: .export [--MODE] [--overwrite] FILE [STATEMENT]"
  private var mode: OutputMode?
  private var replaces = false
  private let file: String
  private let statement: String?

  init(_ words: [String]) throws {
    var words = words[...]
    while let option = words.first, option.hasPrefix("-"), option != "-" {
      words.removeFirst()
      if option == "--overwrite" {
        replaces = true
        continue
      }
      var name = String(option.drop { $0 == "-" })
      if name == "mode" || option == "-m" {
        guard let value = words.popFirst() else { throw CommandFailure(description: Self.usage) }
        name = value
      }
      let named = try OutputMode.named(name)
      guard mode == nil || mode == named else {
        throw CommandFailure(description: "one mode is enough: .export [--MODE] FILE")
      }
      mode = named
    }
    guard let file = words.popFirst(), words.count <= 1 else { throw CommandFailure(description: Self.usage) }
    self.file = file
    statement = words.first
  }

  func run(in session: Session) throws {
    try session.export(statement, to: file, mode: mode, replaces: replaces) { ".export FILE \($0)" }
  }
}
