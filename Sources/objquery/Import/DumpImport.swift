import Glibc
import ObjectStoreCore

/// Reads a folder that `.dump` wrote: its schema, and the objects of every entity. Links across the files are set when
/// all objects are there.
struct DumpImport {
  let folder: String
  var errorsFile: String?
  let console: Console
  var interruption = Interruption()

  /// Whether there is a folder of that name.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Does it all. What was committed before an error stays.
  func run(into destination: ImportJob.Destination) throws -> ImportSummary {
    var jobs: [ImportJob] = []
    do {
      return try run(into: destination, by: &jobs)
    } catch is Stopped {
      throw Stopped(soFar: jobs.isEmpty ? nil : jobs.map(\.soFar).joined(separator: "; "))
    }
  }

  /// - Parameter jobs: those that have begun, an entity each.
  private func run(into destination: ImportJob.Destination, by jobs: inout [ImportJob]) throws -> ImportSummary {
    let schemaFile = folder + "/schema.swift"
    let declared = try SchemaFile.read(schemaFile)
    let store = try open(destination, declared)
    let given = GivenNumbers(entities: Set(declared.entities.map(\.name)))
    for entity in declared.entities {
      let file = "\(folder)/\(entity.name).jsonl"
      guard Opening.exists(file) else {
        console.note("note: there are no objects of \(entity.name): \(file) is not there")
        continue
      }
      var request = ImportRequest(file: file, entity: entity.name, format: .jsonl, schemaFile: schemaFile)
      request.errorsFile = errorsFile
      request.addsErrors = !jobs.isEmpty
      let job = try ImportJob(request, console: console, interruption: interruption, given: given)
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
  private func open(_ destination: ImportJob.Destination, _ declared: Schema) throws -> Store {
    let store: Store
    switch destination {
    case .store(let open): store = open
    case .path(let path):
      guard Opening.exists(path) else { return try Opening.open(path, mode: .createIfMissing, schema: declared) }
      store = try Opening.open(path, mode: .existing)
    }
    let existing = try store.schema
    let merged = ImportPlan.merge(declared, into: existing)
    if merged != existing { try store.declare(merged) }
    return store
  }
}
