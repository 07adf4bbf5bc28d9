import ObjectStoreCore

/// Runs an import: finds or creates the schema, then stores the records in transactions of moderate size, so that the
/// store is consistent at every moment, whatever happens to the process.
final class ImportJob {
  /// The destination of the objects.
  enum Destination {
    case store(Store)
    /// A folder, which is created if it does not exist, and the limits it is opened with.
    case path(String, Store.Limits = .init())

    /// The most columns that an entity may have.
    var mostColumns: Int {
      switch self {
      case .store(let store): store.limits.columns
      case .path(_, let limits): limits.columns
      }
    }
  }

  let request: ImportRequest
  private let format: ImportFormat
  private let console: Console
  let interruption: Interruption
  let reader: any RecordReader
  let errors: BadRows
  /// The meaning of object numbers in the data.
  let given: GivenNumbers
  var progress: Progress
  var summary = ImportSummary()
  /// The results for objects nested in others.
  var within = ObjectChanges()
  /// The results for the rows of an upsert.
  var upserted = UpsertCounts()
  /// The number of rows that were refused because an object already has their key.
  var taken = 0
  /// The declaration; nil before it was made.
  var declared: DeclaredSchema?
  /// Whether every record has been stored or refused.
  var isBrought = false
  /// Whether the links of `pending` have been set, too.
  var isLinked = false
  var plan: ImportPlan?
  private(set) var rows: RowBuilder?
  private(set) var nested: NestedRows?
  /// What was noted so far on the data and how it is read.
  private(set) var notes: [String] = []
  /// The records with links to objects that were not there yet.
  var pending = PendingLinks()

  /// The number of objects in a transaction: large enough that commits are cheap, small enough that its pages fit in
  /// memory.
  static let batch = 100_000

  /// Opens the file.
  ///
  /// - Parameter given: The meaning of object numbers in the data, if objects of other files also have numbers.
  init(
    _ request: ImportRequest, console: Console, interruption: Interruption = Interruption(), given: GivenNumbers? = nil
  ) throws {
    self.request = request
    self.given = given ?? GivenNumbers(entities: [request.entity], orOfStore: request.linksToStore)
    self.console = console
    self.interruption = interruption
    let window = try ByteWindow(path: request.file, encoding: request.encoding)
    format = try request.format ?? ImportFormat.detect(path: request.file, window: window)
    try format.refuseOptions(of: request)
    var rows = request.rows
    if format == .json, rows == nil, request.schemaFile == nil, let list = try JSONReader.soleList(window) {
      rows = [list]
      notes = ["the objects are those of the list \(quoted(list)); --rows . takes the whole as one"]
      notes.forEach { console.note("note: \($0)") }
    }
    reader = try format.reader(window, reading: request.reading, rows: rows ?? [])
    progress = Progress(quiet: console.isQuiet)
    errors = try BadRows(
      source: request.file, path: request.errorsFile, isAppending: request.addsErrors,
      replaces: request.replacesErrors)
  }

  /// Runs the import. Commits made before an error stay.
  func run(into destination: Destination) throws -> ImportSummary {
    try Interrupted.telling(ImportProgress.told([soFar], declared?.indexes)) {
      let store = try bring(into: destination)
      given.isComplete = true
      return try finish(in: store)
    }
  }

  /// Stores the objects, with the links whose targets already exist. Returns the store; nil if none was created.
  func bring(into destination: Destination) throws -> Store? {
    defer { progress.clear() }
    var store: Store?
    var existing = Schema()
    switch destination {
    case .store(let open):
      store = open
      existing = try open.schema
    case .path(let path, let limits):
      if StoreOpener.exists(path) {
        let open = try StoreOpener.open(
          path, mode: .readWrite, limits: limits, cancellation: interruption.cancellation)
        store = open
        existing = try open.schema
      }
    }
    if let store, declared == nil { declared = DeclaredSchema(store: store, before: existing, wanted: existing) }
    let plan = try ImportPlan(request, format: format, existing: existing) { inference in
      inference.mostColumns = destination.mostColumns
      try self.look(&inference)
    }
    self.plan = plan
    progress.clear()
    plan.notes.forEach(note)
    plan.schema.notes.forEach { console.warn($0, code: "unbuilt-index") }
    if let text = plan.shownSchema { console.note(text) }
    // An entity is not created without objects, unless it was declared and there were no errors.
    if existing.entity(named: request.entity) == nil, try !isWorthMaking(plan) {
      try refuseAll(plan)
      return nil
    }
    let target: Store
    if let store {
      if plan.schema != existing {
        declared = DeclaredSchema(store: store, before: existing, wanted: plan.schema)
      }
      // Also when this changes nothing: changes that are not possible are refused.
      let notes = try store.declare(plan.declared, keeping: request.keeping, cancellation: interruption.cancellation)
      notes.forEach(note)
      target = store
    } else if case .path(let path, let limits) = destination {
      target = try StoreOpener.open(
        path, mode: .create, schema: plan.declared, limits: limits, cancellation: interruption.cancellation)
      declared = DeclaredSchema(store: target, before: Schema(), wanted: plan.schema)
    } else {
      return nil
    }
    try transfer(plan, into: target)
    return target
  }

  /// Sets the links left open, now that all objects exist, and makes the report.
  func finish(in store: Store?) throws -> ImportSummary {
    defer { progress.clear() }
    if let store { try link(in: store) }
    progress.clear()
    summary.bad = errors.count
    summary.openLinks = errors.openLinks
    report()
    return summary
  }

  /// The first pass: determines the types of the data.
  private func look(_ inference: inout TypeInference) throws {
    progress.begin("Looking at the data")
    var objects = 0
    var taken = 0
    var firstBad: String?
    loop: while true {
      taken += 1
      if taken & 255 == 0 {
        try interruption.check()
        progress.show(reader.fraction, objects: objects)
      }
      switch try reader.next() {
      case .record(let record, let line):
        try inference.add(record, line: line, of: reader)
        objects += 1
      case .bad(let line, let reason): firstBad = firstBad ?? ": line \(grouped(line)): \(reason)"
      case .end: break loop
      case .damaged(let line, let offset, let reason):
        if objects == 0 {
          throw CommandFailure(description: "\(request.file):\(line): \(reason) (byte \(offset)); nothing was imported")
        }
        break loop
      }
    }
    if objects == 0 {
      throw CommandFailure(
        description: "\(request.file) has no record to find the types from\(firstBad ?? "")")
    }
    try reader.rewind()
  }

  /// Whether any record makes an object, as far as is known without a store; if there are no records, whether their
  /// type is declared.
  private func isWorthMaking(_ plan: ImportPlan) throws -> Bool {
    let rows = plan.rows(columns: plan.schema.columns(of: plan.entity))
    defer { progress.clear() }
    var isEmpty = true
    while true {
      try interruption.check()
      switch try reader.next() {
      case .record(let record, _):
        isEmpty = false
        if rows.problem(record, of: reader) == nil {
          try reader.rewind()
          return true
        }
      case .bad: isEmpty = false
      case .end:
        try reader.rewind()
        return isEmpty && request.schemaFile != nil
      case .damaged:
        try reader.rewind()
        return false
      }
    }
  }

  /// Records why no record makes an object.
  private func refuseAll(_ plan: ImportPlan) throws {
    let rows = plan.rows(columns: plan.schema.columns(of: plan.entity))
    while true {
      try interruption.check()
      switch try reader.next() {
      case .record(let record, let line):
        if let reason = rows.problem(record, of: reader) { errors.add(line: line, reason) }
      case .bad(let line, let reason): errors.add(line: line, reason)
      case .end: return
      case .damaged(let line, let offset, let reason):
        summary.damage = "\(request.file):\(line): \(reason) (byte \(offset))"
        return
      }
    }
  }

  /// Records the paths of the data that were not stored, each with its entity: paths of inverses are not mistakes.
  func noteLeftOut(
    _ paths: [(entity: String, path: String)], _ plan: ImportPlan, because reason: String,
    _ name: ((entity: String, path: String)) -> String
  ) {
    if paths.isEmpty { return }
    progress.clear()
    for inverse in Set(paths.compactMap { plan.inverse(at: $0.path, of: $0.entity) }).sorted() {
      note("left out, because it is computed: \(inverse)")
    }
    let unknown = paths.filter { plan.inverse(at: $0.path, of: $0.entity) == nil }
    if !unknown.isEmpty {
      note("left out, because \(reason): \(listed(unknown.map(name)))")
    }
  }

  func note(_ sentence: String) {
    notes.append(sentence)
    console.note("note: \(sentence)")
  }

  /// The row builder, with the builders for nested objects.
  func newRows(
    _ plan: ImportPlan, _ inserter: RowInserter, in transaction: WriteTransaction
  ) throws -> RowBuilder {
    var columns: [String: [Column]] = [:]
    if inserter.columns.contains(where: { $0.target != nil }) {
      for entity in plan.schema.entities {
        columns[entity.name] = try transaction.inserter(for: entity.name).columns
      }
    }
    let nested = NestedRows(schema: plan.schemaOfRows) { [columns] in columns[$0] ?? [] }
    let made = plan.rows(columns: inserter.columns, nested: nested)
    self.nested = nested
    rows = made
    return made
  }

  /// Counts the results for the rows.
  private var outcome: String {
    guard request.isUpsert, let key = plan?.key else { return "\(counted(summary.imported, "object")) imported" }
    return "\(counted(upserted.added, "object")) added, \(grouped(upserted.replaced)) replaced (matched by '\(key)')"
  }

  private func report() {
    reader.notes.forEach(note)
    let seconds = progress.elapsed
    let rate = seconds > 0.5 ? ", \(grouped(Int(Double(summary.imported) / seconds)))/s" : ""
    console.note("\(request.entity): \(outcome) in \(Progress.time(seconds))\(rate)")
    if upserted.repeated > 0, let key = plan?.key {
      console.note(
        "note: \(counted(upserted.repeated, "row")) replaced an earlier row of this file with the same '\(key)'")
    }
    if within.count > 0 { console.note("within them: \(within.words)") }
    if errors.count > 0 {
      console.note("\(counted(errors.count, "bad row")) left out:")
      errors.lines.forEach { console.note("  \($0)") }
    }
    if taken > 0, let key = plan?.key {
      console.note("note: with \(request.upsertWords) a row replaces the object with its '\(key)'")
    }
    if errors.count > summary.imported, summary.imported > 0 {
      let all = grouped(summary.imported + errors.count)
      console.warn("most of the data is left out: \(grouped(errors.count)) of \(all) rows are bad", code: "bad-rows")
    }
    if errors.openLinks > 0 {
      console.note("\(counted(errors.openLinks, "link")) left out:")
      errors.openLines.forEach { console.note("  \($0)") }
    }
    if let problem = errors.close() { console.warn(problem, code: "errors-file") }
  }
}
