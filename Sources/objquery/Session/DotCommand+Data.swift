import ArgumentParser
import ObjectStoreCore

extension DotCommand {
  /// A line of help for each kind of index but the usual.
  private static let kindsOfIndex = ImportArguments.kinds.map { written, purpose in
    "--index \(written)".padded(to: 22) + "an index for \(purpose)"
  }.joined(separator: "\n")

  /// Commands that bring objects in.
  static let data: [DotCommand] = [
    DotCommand(
      name: ".import", usage: "[OPTIONS] FILE ... ENTITY", summary: "objects from JSON, JSONL, CSV, TSV or GeoJSON",
      help: """
        The format goes by the file's name, or say --json --jsonl --csv --tsv --geojson. For a new entity the types are
        found from the data and shown; to choose them, write a schema and give it with --schema.
          .import all_week.geojson Quake --key id --index mag,time --date time:ms
          .import airports.csv Airport --key iata --index state+city
          .import more.jsonl Quake --upsert
          .import dumped
        A link is written as the unique property of what it leads to, else as its number, {"@id": 17}; or as the object
        itself, which is merged with that of the same unique property. It may lead to what comes later in the file.
        --key PROPERTY        no two objects share its value
        --index a,b+c         an index on a, and one on b and c together
        \(kindsOfIndex)
                              Into an entity that is there they come for all its objects (.help indexes).
        --date PROPERTY:ms    numbers that are dates: ms, s; text: iso mdy dmy ymd d.m.y written
        --map from=to         another name for a field; it counts before the property's own
        --keep Doc.old        'old' is in the store and not in the schema, and was not renamed: it stays beside what is new
        --upsert              objects whose key is there are replaced
        --errors FILE         where bad rows are written, with line and reason; all others are kept
        --overwrite           the file of --errors may be there already
        --store-ids           {"@id": 17} is object 17 of this store, where the file gives its own objects no numbers
        --allow-errors        bad rows are no failure
        --rows items          the list of objects in a JSON file, by its keys
        --delimiter --quote --no-header --skip --null NA --decimal-comma --encoding latin1: how a CSV file is written
        Files compressed by gzip or zstd are read as they are; several files may stand before the entity.
        Ctrl-C stops it, and so does --timeout of objquery; what was committed by then, up to 100,000 objects at a
        time, stays. --limit-rows and --limit-memory are limits of queries: an import reads every row.
        """,
      isUnsafe: true, isLong: true, words: 1...Int.max, completes: .files,
      run: { session, words in
        try session.refuseInTransaction(".import")
        let options: ImportArguments
        do {
          options = try ImportArguments.parse(words)
          try options.check()
        } catch {
          throw CommandFailure(description: ImportArguments.message(for: error))
        }
        let summary = try options.run(
          into: .store(session.store), console: session.console,
          interruption: Interruption(cancellation: session.running))
        if let failure = summary.failure { throw failure }
      })
  ]
}

extension ImportSummary {
  /// The message when the import was incomplete.
  var failure: CommandFailure? {
    if let damage {
      let verb = imported == 1 ? "is" : "are"
      let kept = imported == 0 ? "nothing was imported" : "the \(counted(imported, "object")) before it \(verb) kept"
      return CommandFailure(description: "\(damage); \(kept)", code: "damaged-file")
    }
    if imported == 0, bad > 0 { return CommandFailure(description: "every row was bad", code: "bad-rows") }
    if bad > 0, !allowsBadRows {
      return CommandFailure(
        description: "\(counted(bad, "row")) left out, all others are kept; with --allow-errors this is no failure",
        code: "bad-rows")
    }
    return nil
  }
}
