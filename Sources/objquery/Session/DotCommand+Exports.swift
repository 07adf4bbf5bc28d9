import ObjectStoreCore

extension DotCommand {
  /// Commands that bring objects out.
  static let exports: [DotCommand] = [
    DotCommand(
      name: ".export", usage: "[--MODE] FILE [STATEMENT]", summary: "write results to a file, in a mode of its own",
      help: """
        The mode goes by the file's name (.csv .tsv .json .jsonl .md), or say it: --csv --json --line … Without a
        statement all objects of the entity are written: that of .use, or the only one there is.
          .export quakes.csv
          .export strong.jsonl Quake WHERE mag > 5
          .export --markdown report.txt Quake GROUP BY net
        .import reads back what .json, .jsonl and .csv hold.
        """,
      isUnsafe: true, words: 1...Int.max, statementAfter: 1, completes: .files,
      run: { session, words in
        var words = words[...]
        var mode: OutputMode?
        while let option = words.first, option.hasPrefix("--") {
          guard mode == nil else { throw CommandFailure(description: "one mode is enough: .export [--MODE] FILE") }
          mode = try OutputMode.named(String(option.dropFirst(2)))
          words.removeFirst()
        }
        guard let file = words.popFirst(), words.count <= 1 else {
          throw CommandFailure(description: "usage: .export [--MODE] FILE [STATEMENT]")
        }
        try session.export(words.first, to: file, mode: mode)
      }),
    DotCommand(
      name: ".backup", usage: "FOLDER", summary: "write a copy of the store, of this moment and without free room",
      help: """
        Others go on reading and writing meanwhile. The folder is made; it is there when the copy is whole.
        """,
      isUnsafe: true, words: 1...1, completes: .files,
      run: { session, words in
        try session.refuseInTransaction(".backup")
        try session.store.backup(to: words[0])
      }),
    DotCommand(
      name: ".dump", usage: "FOLDER", summary: "write all of the store as text: its schema, and JSONL",
      help: """
        The folder is made, with schema.swift and a file of JSON lines for each entity. All is of one moment. Objects
        without a unique property that links lead to have their number there, as "@id". It is read back by
          .import FOLDER
        """,
      isUnsafe: true, words: 1...1, completes: .files, run: { try $0.dump(to: $1[0]) }),
  ]
}
