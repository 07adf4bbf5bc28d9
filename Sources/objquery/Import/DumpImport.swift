import Glibc
import ObjectStoreCore
internal import Schema

/// Reads a folder that `.dump` wrote: its schema, and the objects of every entity. Links across the files are set when
/// all objects are there.
struct DumpImport {
  let folder: String
  var errorsFile: String?
  var replacesErrors = false
  var keeping: [String] = []
  let console: Console
  var interruption = Interruption()

  /// Whether there is a folder of that name.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Runs the import. Commits made before an error stay.
  func run(into destination: ImportJob.Destination) throws -> ImportSummary {
    let schema = try SchemaFile.read(schemaFile)
    var jobs: [ImportJob] = []
    var declared: DeclaredSchema?
    func soFar() -> String {
      let begun = jobs.map(\.soFar)
      let others = schema.entities.map(\.name).filter { name in
        !begun.contains { $0.entity == name } && StoreOpener.exists(file(of: name))
      }
      let untouched = others.map { ImportProgress(entity: $0, standing: declared?.standing(of: $0) ?? .absent) }
      return ImportProgress.told(begun + untouched, declared?.indexes)
    }
    let command = if case .path(let path, _) = destination { "objquery import \(path)" } else { ".import" }
    return try Interrupted.telling(soFar()) {
      let store = try open(destination, schema, &declared)
      return try run(schema, into: store, declared, command, by: &jobs)
    }
  }

  private var schemaFile: String { folder + "/schema.swift" }

  private func file(of entity: String) -> String { "\(folder)/\(entity).jsonl" }

  /// - Parameters:
  ///   - command: How one of the files alone would be imported.
  ///   - jobs: The jobs that have begun, one for each entity.
  private func run(
    _ schema: Schema, into store: Store, _ declared: DeclaredSchema?, _ command: String, by jobs: inout [ImportJob]
  ) throws -> ImportSummary {
    let given = GivenNumbers(entities: Set(schema.entities.map(\.name)))
    for entity in schema.entities {
      let file = file(of: entity.name)
      guard StoreOpener.exists(file) else {
        console.note("note: there are no objects of \(entity.name): \(file) is not there")
        continue
      }
      var request = ImportRequest(file: file, entity: entity.name, format: .jsonl, schemaFile: schemaFile)
      request.errorsFile = errorsFile
      request.addsErrors = !jobs.isEmpty
      request.replacesErrors = replacesErrors
      request.upsertWords = "\(command) \(file) \(entity.name) --upsert"
      let job = try ImportJob(request, console: console, interruption: interruption, given: given)
      job.declared = declared
      jobs.append(job)
      _ = try job.bring(into: .store(store))
    }
    given.isComplete = true
    var sum = ImportSummary()
    for job in jobs {
      let summary = try job.finish(in: store)
      sum.imported += summary.imported
      sum.bad += summary.bad
      sum.openLinks += summary.openLinks
      sum.damage = sum.damage ?? summary.damage
    }
    return sum
  }

  /// The store with all entities of the dump.
  private func open(
    _ destination: ImportJob.Destination, _ schema: Schema, _ declared: inout DeclaredSchema?
  ) throws -> Store {
    let cancellation = interruption.cancellation
    let store: Store
    switch destination {
    case .store(let open): store = open
    case .path(let path, let limits):
      guard StoreOpener.exists(path) else {
        let made = try StoreOpener.open(
          path, mode: .create, schema: schema, limits: limits, cancellation: cancellation)
        declared = DeclaredSchema(store: made, before: Schema(), wanted: schema)
        return made
      }
      store = try StoreOpener.open(path, mode: .readWrite, limits: limits, cancellation: cancellation)
    }
    let existing = try store.schema
    let merged = SchemaUnion(of: schema, into: existing).schema
    declared = DeclaredSchema(store: store, before: existing, wanted: merged)
    if merged != existing || !keeping.isEmpty {
      try store.declare(schema.adding(existing), keeping: keeping, cancellation: cancellation)
    }
    return store
  }
}
