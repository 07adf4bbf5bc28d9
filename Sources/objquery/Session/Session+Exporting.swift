import Glibc
import ObjectStoreCore

extension Session {
  /// Writes what a statement gives to a file; without a statement all objects of the entity in use.
  func export(_ statement: String?, to path: String, mode: OutputMode?) throws {
    let text = statement ?? ""
    let syntax =
      try statement.map { try StatementParser.statement($0, defaultEntity: defaultEntity) }
      ?? .select(SelectSyntax(entity: NameSyntax(soleEntity())))
    switch syntax {
    case .select, .count: break
    default: throw CommandFailure(description: "only what a query gives can be exported", code: "not-a-query")
    }
    let arguments = try parameters.arguments(
      for: syntax, source: text, schema: store.schema, defaultEntity: defaultEntity,
      definitions: statements.definitions)
    // A wrong statement must not empty a file that is there.
    let result = try statements.run(syntax, source: text, arguments: arguments, cancellation: running)
    let before = style
    defer { style = before }
    style.mode = mode ?? OutputMode(file: path) ?? .jsonl
    if path != "-" { try output.redirectOnce(to: path) }
    // Such as are read back, objects that links can say no other name for have their numbers with them.
    let isData = [.json, .jsonl, .csv, .tsv].contains(style.mode)
    var identified = false
    if isData, case .objects(let results) = result {
      identified = try store.schema.isReferredByNumber(results.entity)
    }
    try show(result, source: text, identified: identified)
  }

  /// The entity of `.use`, or the only one.
  private func soleEntity() throws -> String {
    if let defaultEntity { return defaultEntity }
    let entities = try store.schema.entities
    guard let only = entities.first, entities.count == 1 else {
      let names = entities.prefix(10).map(\.name).joined(separator: ", ")
      throw CommandFailure(
        description: entities.isEmpty
          ? "the store has no entities" : "say what to export, as in .export FILE Entity; there are \(names)")
    }
    return only.name
  }

  /// Writes the schema and all objects to files in a new folder, which `.import` reads back.
  func dump(to folder: String) throws {
    try refuseOccupied(folder)
    if mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw CommandFailure(description: "cannot make \(folder): \(String(cString: strerror(errno)))")
    }
    // Writers that commit meanwhile would make it the text of no one moment.
    for _ in 0..<3 {
      let version = try store.statistics().version
      let schema = try store.schema
      try write(SchemaText.print(schema), to: folder + "/schema.swift")
      for entity in schema.entities { try dump(entity, to: "\(folder)/\(entity.name).jsonl") }
      if try statements.isInTransaction || store.statistics().version == version {
        console.note("read back with: objquery import STORE \(folder)")
        return
      }
    }
    throw CommandFailure(
      description: "others write to the store all the time: BEGIN keeps them waiting, then .dump", code: "busy")
  }

  private func dump(_ entity: Entity, to path: String) throws {
    let results = try objects(of: entity.name).cancellable(by: running)
    let identified = try store.schema.isReferredByNumber(entity)
    let shape = OutputShape(entity: results.entity, columns: results.columns, identified: identified)
    let sink = try OutputSink.file(path)
    let writer = JSONWriter(.lines, shape, sink)
    try writer.begin()
    try results.forEachNamedRow(shape.paths) { number, row in
      if running?.isCancelled == true { throw Stopped() }
      try writer.row(identified ? row + [number.asValue] : row)
    }
    try writer.end()
    try sink.finish()
  }

  /// All objects of an entity, as the open transaction sees them if there is one.
  private func objects(of entity: String) throws -> DynamicResults {
    try statements.transaction?.objects(entity) ?? store.objects(entity)
  }

  private func write(_ text: String, to path: String) throws {
    let sink = try OutputSink.file(path)
    try sink.write(text.hasSuffix("\n") ? text : text + "\n")
    try sink.finish()
  }

  /// Files of another dump would be taken for this one's.
  private func refuseOccupied(_ folder: String) throws {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let first = (entry.pointee.d_name.0, entry.pointee.d_name.1, entry.pointee.d_name.2)
      let isSelf = first.0 == 46 && (first.1 == 0 || first.1 == 46 && first.2 == 0)
      if !isSelf { throw CommandFailure(description: "\(folder) is not empty: name a folder that is not there yet") }
    }
  }
}

extension OutputMode {
  /// The mode that a file's name stands for.
  init?(file path: String) {
    let endings: [(String, OutputMode)] = [
      (".csv", .csv), (".tsv", .tsv), (".tab", .tsv), (".jsonl", .jsonl), (".ndjson", .jsonl), (".json", .json),
      (".md", .markdown),
    ]
    let name = path.lowercased()
    guard let mode = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
    self = mode
  }
}
