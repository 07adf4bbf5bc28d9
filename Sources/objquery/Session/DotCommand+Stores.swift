import ObjectStoreCore

extension DotCommand {
  /// Commands that open and examine stores.
  static let stores: [DotCommand] = [
    DotCommand(
      name: ".open", usage: "[--create] FILE", summary: "turn to another store", isUnsafe: true, words: 1...2,
      completes: .files,
      run: { session, words in
        let paths = words.filter { $0 != "--create" }
        guard paths.count == 1, let path = paths.first else {
          throw CommandFailure(description: "usage: .open [--create] FILE")
        }
        try session.open(path, create: words.count == 2)
      }),
    DotCommand(
      name: ".close", usage: "", summary: "leave the store for an empty one in memory",
      run: { session, _ in try session.open(nil) }),
    DotCommand(
      name: ".check", usage: "", summary: "read every object and index and compare them", isLong: true,
      run: { session, _ in
        let report = try session.store.check(cancellation: session.running)
        try session.print(report.text)
        guard report.isWhole else {
          throw CommandFailure(description: "the store is damaged", code: "damaged")
        }
      }),
    DotCommand(
      name: ".compact", usage: "", summary: "make the file of the store as small as its objects allow",
      help: """
        The store is checked, and copied beside itself without free room; then the copy takes its place. Others go on
        reading, and write to the new file afterwards. Ctrl-C leaves the store as it was. What is deleted leaves free room
        that later changes use (.stats), so this is worth while only when much is gone for good.
        """,
      isUnsafe: true, isLong: true,
      run: { session, _ in
        try session.refuseInTransaction(".compact")
        try session.print(session.store.compacted(session.running))
      }),
    DotCommand(
      name: ".reindex", usage: "[ENTITY.INDEX ...]", summary: "build indexes anew: those named, else the damaged ones",
      help: """
        Without names, the store is checked first. An index is named by its entity and its properties, as .indexes shows
        them; the inverse of a link by the link.
          .reindex Quake.mag Quake.net+time
        """,
      isUnsafe: true, isLong: true, words: 0...1000,
      run: { session, words in
        try session.refuseInTransaction(".reindex")
        try session.store.reindex(words, session.console, session.running)
      }),
    DotCommand(
      name: ".drop", usage: "[--yes] NAME ...", summary: "remove entities, properties or indexes, with their values",
      help: """
        An entity is named as in Doc, a property as in Doc.body or Doc.site.town, an index as in @unique User.email (or
        \(SchemaPart.otherIndexWords)). What goes is shown and asked for first; all of it goes, or nothing.
        """,
      isUnsafe: true, isLong: true, words: 1...1000,
      run: { session, words in
        try session.refuseInTransaction(".drop")
        let names = words.filter { $0 != "--yes" }
        guard !names.isEmpty else { throw CommandFailure(description: "usage: .drop [--yes] NAME ...") }
        try session.store.drop(
          names, withoutAsking: session.answersYes || names.count < words.count, session.console, session.running)
      }),
    DotCommand(
      name: ".migrate", usage: "[--yes] FILE", summary: "give the store the schema of a file; what the file lacks goes",
      help: """
        The file is schema text, as .schema prints it: the whole schema. What changes is shown and asked for first; all of it
        happens, or nothing. A property is renamed with @Attribute(originalName: "mag"), an entity with
        @Model(originalName: "Quake"). For one change there are statements: .help schema
        """,
      isUnsafe: true, isLong: true, words: 1...2, completes: .files,
      run: { session, words in
        try session.refuseInTransaction(".migrate")
        let files = words.filter { $0 != "--yes" }
        guard files.count == 1, let file = files.first else {
          throw CommandFailure(description: "usage: .migrate [--yes] FILE")
        }
        try session.store.migrate(
          toFile: file, withoutAsking: session.answersYes || files.count < words.count, session.console, session.running
        )
      }),
    DotCommand(
      name: ".stats", usage: "", summary: "what takes how much of the file, free space, readers and writers",
      help: StatisticsText.help, run: { session, _ in try session.showStatistics() }),
  ]
}

extension CheckReport {
  /// The number of items checked, then all problems.
  var text: String {
    let looked =
      "\(counted(entities, "entity", "entities")), \(counted(objects, "object")), \(counted(indexes, "index", "indexes"))"
    return isWhole ? "intact: \(looked)" : "\(looked)\n" + problems.map { "damaged: \($0)" }.joined(separator: "\n")
  }
}

/// `12.4 MiB`
func byteCount(_ bytes: Int) -> String {
  var size = Double(bytes)
  for unit in ["bytes", "KiB", "MiB", "GiB"] {
    if size < 1024 { return unit == "bytes" ? "\(bytes) bytes" : "\((size * 10).rounded() / 10) \(unit)" }
    size /= 1024
  }
  return "\((size * 10).rounded() / 10) TiB"
}
