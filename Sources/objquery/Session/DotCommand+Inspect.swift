import ObjectStoreCore
internal import Schema

extension DotCommand {
  /// A line of help for each kind of index.
  private static let kindsOfIndex = IndexKind.built.map { kind in
    "  \(kind.statementWord.padded(to: 10))\(kind.purpose)"
  }.joined(separator: "\n")

  /// Commands that show the contents of a store.
  static let looks: [DotCommand] = [
    DotCommand(
      name: ".types", usage: "[on|off]", summary: "the entities, their objects and bytes; on: types in tables",
      help: """
          .types               the entities with the number of their objects, and the bytes they take
          .types on            tables show the type of each column below its name
        """,
      words: 0...1, completes: .onOff,
      run: { session, words in
        if let word = words.first { return session.style.showsTypes = try Session.truth(word, for: ".types") }
        let rows = try session.store.statistics().entities.map {
          [.string($0.name), .int(Int64($0.objects)), .int(Int64($0.bytes))] as [Value]
        }
        try session.show(rows: rows, columns: [("entity", .string), ("objects", .int), ("bytes", .int)])
      }),
    DotCommand(
      name: ".schema", usage: "[ENTITY] [--swift|--json] | --diff FILE", summary: "what an entity's objects look like",
      help: """
        The text is the Swift that declares the models: what a program needs, and what --schema of .import reads.
          .schema              all of it
          .schema Quake        one entity, with the structs embedded in it
          .schema --json       for programs
          .schema --diff FILE  what .migrate FILE would change: + comes, - goes with its values, ~ becomes another
        """,
      words: 0...2, completes: .entities,
      run: { session, words in
        if words.first == "--diff" {
          guard words.count == 2 else { throw CommandFailure(description: "usage: .schema --diff FILE") }
          if session.isSafe { throw CommandFailure(description: "no file is read with --safe", code: "not-safe") }
          return try session.print(session.store.difference(toFile: words[1], session.console, session.running))
        }
        let names = words.filter { !$0.hasPrefix("--") }
        let options = words.filter { $0.hasPrefix("--") }
        guard names.count <= 1, options.allSatisfy(["--swift", "--json"].contains), options.count <= 1 else {
          throw CommandFailure(description: "usage: .schema [ENTITY] [--swift|--json], .schema --diff FILE")
        }
        try session.print(session.schemaText(of: names.first, asJSON: options.first == "--json"))
      }),
    DotCommand(
      name: ".indexes", usage: "[ENTITY]", summary: "the indexes, entries and bytes; its help tells how to add one",
      help: """
        Statements add and remove indexes; a new one has all existing objects at once:
          CREATE INDEX ON Quake (net, time)
          CREATE UNIQUE INDEX ON Quake (code)
          CREATE INDEX ON Quake (place) USING trigram
          DROP INDEX ON Quake (net, time)
        The kinds after USING:
        \(kindsOfIndex)
        """,
      words: 0...1, completes: .entities,
      run: { session, words in
        let name = try words.first.map { try session.entity(named: $0).name }
        let rows = try session.store.statistics().indexes.filter { name == nil || $0.entity == name }.map {
          [
            .string($0.entity), .string($0.index.name), .string($0.index.kind.rawValue), .int(Int64($0.entries)),
            .int(Int64($0.bytes)),
          ] as [Value]
        }
        try session.show(
          rows: rows,
          columns: [("entity", .string), ("index", .string), ("kind", .string), ("entries", .int), ("bytes", .int)])
      }),
    DotCommand(
      name: ".watch", usage: "STATEMENT", summary: "a query's rows, and what each commit changes in them",
      help: """
        The commits of other processes too; Ctrl-C ends it. On a terminal the rows are shown anew with each commit that
        changes them, + for new, ~ for changed, - for gone. In the modes json and jsonl each change is a line:
          {"op":"insert","row":{…},"commit":12}      then update and delete; "ready" follows the first rows
          .watch Quake WHERE mag > 5 SORT BY time DESC LIMIT 10
          .watch Quake GROUP BY net SELECT net, @count
        objquery watch STORE STATEMENT does the same.
        """,
      isLong: true, words: 1...1, statementAfter: 0, run: { session, words in try session.watch(words[0]) }),
    DotCommand(
      name: ".use", usage: "[ENTITY]", summary: "the entity of bare predicates; without one, none",
      help: """
        After .use Quake a predicate alone is a statement:
          mag > 5 AND place CONTAINS[c] 'chile'
        """,
      words: 0...1, completes: .entities,
      run: { session, words in session.defaultEntity = try words.first.map { try session.entity(named: $0).name } }),
  ]
}

extension Session {
  /// The schema of the store or of one entity.
  func schemaText(of name: String?, asJSON: Bool) throws -> String {
    var schema = try store.schema
    if let name { schema = ImportPlan.part(of: schema, try entity(named: name)) }
    return asJSON ? SchemaJSON.text(schema) : SchemaText.print(schema)
  }

  /// Shows rows that are not objects, in the mode of results.
  func show(rows: [[Value]], columns: [(name: String, type: ScalarType)]) throws {
    let shape = OutputShape(
      columns: columns.map { column in
        ResultColumn(heading: column.name, content: column.type.isNumeric ? .number : .text)
      })
    try output.result { sink in
      let writer = style.writer(shape, identity: 0, sink: sink)
      try writer.begin()
      for row in rows { try writer.row(row) }
      try writer.end()
    }
  }
}
