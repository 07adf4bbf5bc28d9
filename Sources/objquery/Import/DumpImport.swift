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
    let declared = try SchemaFile.read(schemaFile)
    let (store, existing) = try open(destination, declared)
    func standing(_ entity: String) -> StoredSoFar.Standing { existing.entity(named: entity) == nil ? .made : .there }
    var jobs: [ImportJob] = []
    do {
      return try run(declared, into: store, standing, by: &jobs)
    } catch is Stopped {
      let begun = jobs.map(\.soFar)
      let others = declared.entities.map(\.name).filter { name in
        !begun.contains { $0.entity == name } && Opening.exists(file(of: name))
      }
      throw Stopped(soFar: StoredSoFar.told(begun + others.map { StoredSoFar(entity: $0, standing: standing($0)) }))
    }
  }

  private var schemaFile: String { folder + "/schema.swift" }

  private func file(of entity: String) -> String { "\(folder)/\(entity).jsonl" }

  /// - Parameter jobs: those that have begun, an entity each.
  private func run(
    _ declared: Schema, into store: Store, _ standing: (String) -> StoredSoFar.Standing, by jobs: inout [ImportJob]
  ) throws -> ImportSummary {
    let given = GivenNumbers(entities: Set(declared.entities.map(\.name)))
    for entity in declared.entities {
      let file = file(of: entity.name)
      guard Opening.exists(file) else {
        console.note("note: there are no objects of \(entity.name): \(file) is not there")
        continue
      }
      var request = ImportRequest(file: file, entity: entity.name, format: .jsonl, schemaFile: schemaFile)
      request.errorsFile = errorsFile
      request.addsErrors = !jobs.isEmpty
      let job = try ImportJob(request, console: console, interruption: interruption, given: given)
      job.standing = standing(entity.name)
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

  /// The store with all entities of the dump, and those it had before.
  private func open(
    _ destination: ImportJob.Destination, _ declared: Schema
  ) throws -> (store: Store, existing: Schema) {
    let store: Store
    switch destination {
    case .store(let open): store = open
    case .path(let path):
      guard Opening.exists(path) else {
        return (try Opening.open(path, mode: .createIfMissing, schema: declared), Schema())
      }
      store = try Opening.open(path, mode: .existing)
    }
    let existing = try store.schema
    let merged = ImportPlan.merge(declared, into: existing)
    if merged != existing { try store.declare(merged) }
    return (store, existing)
  }
}
