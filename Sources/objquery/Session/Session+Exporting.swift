import Glibc
import ObjectStoreCore
internal import PredicateLanguage
internal import Schema

extension Session {
  /// Writes the result of a statement to a file; without a statement, all objects of the current entity.
  ///
  /// - Parameters:
  ///   - mode: The format; nil chooses by the file's name.
  ///   - replaces: Whether an existing file is replaced.
  ///   - example: An example of a statement to export, for messages.
  func export(
    _ statement: String?, to path: String, mode: OutputMode?, replaces: Bool, example: (_ statement: String) -> String
  ) throws {
    let text = statement ?? ""
    let syntax =
      try statement.map { try statements.parse($0, cancellation: running) }
      ?? .select(SelectSyntax(entity: NameSyntax(soleEntity(example))))
    switch syntax {
    case .select, .count: break
    case .explain, .delete, .update, .insert, .begin, .commit, .rollback, .define, .schema:
      let entity = try store.schema.entities.first?.name ?? "Quake"
      throw CommandFailure(
        description: "only rows of a query can be exported: write a query, or only the name of an entity, as in "
          + example("\(entity) WHERE …"), code: "not-a-query")
    }
    // Opening the file again would truncate it when standard output is redirected to it.
    let isStandard = ["-", "/dev/stdout"].contains(path)
    let isStream = isStandard || Self.isStream(path)
    let chosen = try mode ?? OutputMode(byFile: path) ?? (isStream ? .jsonl : OutputMode.named(byFile: path))
    let arguments = try parameters.arguments(
      for: syntax, source: text, schema: store.schema, defaultEntity: defaultEntity,
      definitions: statements.definitions)
    let fate = isStream ? nil : replaces ? "\(path) is as it was" : "\(path) was not written"
    let result = try Interrupted.telling(fate) {
      try statements.run(syntax, source: text, arguments: arguments, cancellation: running)
    }
    let before = style
    defer { style = before }
    style.mode = chosen
    // In formats that can be imported, objects without another name for links are written with their numbers.
    let isData = [.json, .jsonl, .geojson, .csv, .tsv].contains(style.mode)
    var identified = false
    if isData, case .objects(let results) = result {
      identified = try store.schema.isReferredByNumber(results.entity)
    }
    if isStream {
      if !isStandard { try output.redirectOnce(to: path) }
      try show(result, source: text, identified: identified)
      // What follows in another mode is not part of a page.
      if before.mode != .html { try output.sink.endPage() }
      return try output.flush()
    }
    try Interrupted.telling(fate) {
      let file = try Self.file(at: path, replaces: replaces)
      output.redirectOnce(to: try OutputSink.aside(file, name: path))
      try show(result, source: text, identified: identified)
      try file.finish()
    }
  }

  private static func file(at path: String, replaces: Bool) throws -> Aside {
    do {
      return try Aside.file(path, replaces: replaces)
    } catch var failure as CommandFailure where failure.code == "file-exists" {
      failure.description += "; --overwrite replaces it"
      throw failure
    }
  }

  /// Whether the destination is written directly, such as a terminal, a pipe, or a file that is already open.
  private static func isStream(_ path: String) -> Bool {
    if path == "/dev/stderr" { return true }
    if path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") { return true }
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  /// The entity of `.use`, or the only one.
  private func soleEntity(_ example: (_ statement: String) -> String) throws -> String {
    if let defaultEntity { return defaultEntity }
    let entities = try store.schema.entities
    guard let first = entities.first else { throw CommandFailure(description: "the store has no entities") }
    guard entities.count == 1 else {
      let names = entities.prefix(10).map(\.name).joined(separator: ", ")
      throw CommandFailure(description: "say what to export, as in \(example(first.name)); there are \(names)")
    }
    return first.name
  }

  /// Writes the schema and all objects to files in a new folder, which `.import` reads back.
  func dump(to folder: String) throws {
    // Files of another dump would be taken for files of this one.
    guard Aside.names(in: folder).isEmpty else {
      throw CommandFailure(description: "\(folder) is not empty: name a folder that is not there yet")
    }
    try Interrupted.telling("there is no dump at \(folder)") {
      do { try dumpWhole(to: folder) } catch let error as StoreError {
        guard case .corrupted = error, let storePath, !statements.isInTransaction else { throw error }
        try dumpRest(of: storePath, to: folder)
      }
    }
  }

  /// Dumps what can be read of a damaged store, and names what can't.
  private func dumpRest(of path: String, to folder: String) throws {
    let made = try Aside.folder(folder)
    // Removed before the dump is in its place, since only a folder of files is one.
    let saved = made.path + "/.saved"
    let report = try Store.salvage(path, to: saved, cancellation: running)
    do {
      defer { for name in ["/data.mdb", "/lock.mdb", ""] { _ = remove(saved + name) } }
      let rest = try Session(path: saved, readOnly: true)
      try rest.stopping(by: running ?? Cancellation()) { try rest.writeDump(to: made) }
    }
    try made.finish()
    console.note(report.text(namesLosses: true))
    if report.isWhole { return }
    throw CommandFailure(description: report.failure("the store"), code: "damaged")
  }

  private func dumpWhole(to folder: String) throws {
    // With concurrent commits, the dump would mix different versions.
    for _ in 0..<3 {
      let version = try store.statistics().version
      let made = try Aside.folder(folder)
      try writeDump(to: made)
      if try statements.isInTransaction || store.statistics().version == version {
        try made.finish()
        console.note("read back with: objquery import STORE \(folder)")
        return
      }
    }
    throw CommandFailure(
      description: "others write to the store all the time: BEGIN keeps them waiting, then .dump", code: "busy")
  }

  private func writeDump(to folder: Aside) throws {
    let schema = try store.schema
    try write(SchemaText.print(schema), to: folder.output(named: "schema.swift"))
    for entity in schema.entities { try dump(entity, to: folder.output(named: entity.name + ".jsonl")) }
  }

  private func dump(_ entity: Entity, to sink: OutputSink) throws {
    let results = try objects(of: entity.name).cancellable(by: running)
    let identified = try store.schema.isReferredByNumber(entity)
    let shape = OutputShape(entity: results.entity, columns: results.columns, identified: identified)
    let writer = JSONWriter(.lines, shape, sink)
    try writer.begin()
    try results.forEachNamedRow(shape.paths) { number, row in
      if running?.isCancelled == true { throw Interrupted() }
      try writer.row(identified ? row + [number.asValue] : row)
    }
    try writer.end()
    try sink.sync()
  }

  /// All objects of an entity, including changes by the open transaction, if any.
  func objects(of entity: String) throws -> DynamicResults {
    try statements.transaction?.objects(entity) ?? store.objects(entity)
  }

  private func write(_ text: String, to sink: OutputSink) throws {
    try sink.write(text.hasSuffix("\n") ? text : text + "\n")
    try sink.sync()
  }
}

extension OutputMode {
  /// The mode for a file name extension.
  private static let endings: [(String, OutputMode)] = [
    (".csv", .csv), (".tsv", .tsv), (".tab", .tsv), (".jsonl", .jsonl), (".ndjson", .jsonl), (".json", .json),
    (".md", .markdown), (".geojson", .geojson), (".html", .html), (".htm", .html), (".sql", .insert),
  ]

  /// The mode for a file's name; nil if the name does not imply one.
  fileprivate init?(byFile path: String) {
    let name = FileCompression.plainName(of: path).lowercased()
    guard let mode = Self.endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
    self = mode
  }

  /// The mode for a file's name, which must imply one.
  static func named(byFile path: String) throws -> OutputMode {
    if let mode = OutputMode(byFile: path) { return mode }
    throw CommandFailure(
      description: """
        the name of \(path) does not say how to write it: \(endings.map(\.0).joined(separator: " ")) do; \
        for any other say --mode MODE, which always decides: \(allCases.map(\.rawValue).joined(separator: " "))
        """,
      status: .usage, code: "unknown-ending")
  }
}
