import Glibc
import ObjectStoreCore

/// A file of data that is opened as if it were a store: its objects are in memory, in an entity of its name.
struct DataFile {
  let store: Store
  /// What to tell of it.
  let notes: [String]
  /// Why not all of its rows are there; nil if they are.
  let failure: CommandFailure?

  /// Whether there is a file at `path` whose name says that it has data.
  static func isOne(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return name(of: path) != nil
  }

  init(_ path: String, limits: Store.Limits) throws {
    guard let entity = Self.name(of: path) else {
      throw CommandFailure(description: "\(path) has no name of a file of data", status: .unopened)
    }
    store = try Store.inMemory(schema: Schema(), limits: limits)
    var quiet = Console()
    quiet.isQuiet = true
    let job: ImportJob
    let summary: ImportSummary
    do {
      job = try ImportJob(ImportRequest(file: path, entity: entity), console: quiet)
      summary = try job.run(into: .store(store))
    } catch let failure as ByteWindow.Failure {
      throw CommandFailure(
        description: "cannot read \(failure.path): \(failure.reason)", status: .unopened, code: "unreadable-file")
    } catch var failure as CommandFailure {
      failure.status = .unopened
      throw failure
    }
    var notes = ["\(path) is in memory: \(counted(summary.imported, "object")) of \(entity); changes stay there"]
    notes += job.notes.map { "note: \($0)" }
    if summary.bad > 0 { notes.append("\(counted(summary.bad, "bad row")) left out:") }
    notes += job.errors.lines.map { "  \($0)" }
    if let damage = summary.damage { notes.append("\(damage); the rest is left out") }
    self.notes = notes
    let isWhole = summary.bad == 0 && summary.damage == nil
    failure = isWhole ? nil : CommandFailure(description: "not all of \(path) is there", code: "bad-rows")
  }

  /// The name for the entity; nil if the file's name has no ending of a format.
  private static func name(of path: String) -> String? {
    guard let name = ImportFormat.named(path)?.rest.split(separator: "/").last else { return nil }
    var entity = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    if entity.first?.isLetter != true { entity = "Data" + entity }
    return PropertyName.isIdentifier(entity) ? entity : "Data"
  }
}
