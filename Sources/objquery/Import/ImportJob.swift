import ObjectStoreCore

/// Carries out an import: finds or makes the schema, then stores the records in transactions of moderate size, so that
/// a store is whole at every moment, whatever happens to the process.
final class ImportJob {
  /// Where the objects go.
  enum Destination {
    case store(Store)
    /// A folder, which is made when it is not there.
    case path(String)
  }

  private let request: ImportRequest
  private let console: Console
  private let cancellation: Cancellation?
  private let reader: any RecordReader
  private var progress: Progress
  private var summary = ImportSummary()

  /// Objects in one transaction: enough that a commit costs little, few enough that its pages fit in memory.
  private static let batch = 50_000

  /// What one transaction did.
  private struct Batch {
    /// Outcomes of the reader.
    var taken = 0
    var stored = 0
    var bad: [BadRows.Row] = []
  }

  /// Opens the file.
  init(_ request: ImportRequest, console: Console, cancellation: Cancellation? = nil) throws {
    self.request = request
    self.console = console
    self.cancellation = cancellation
    let window = try ByteWindow(path: request.file)
    let format = try request.format ?? ImportFormat.detect(path: request.file, window: window)
    reader = try format.reader(window, path: request.file)
    progress = Progress(quiet: console.isQuiet)
  }

  /// Does it all. What was committed before an error stays.
  func run(into destination: Destination) throws -> ImportSummary {
    defer { progress.clear() }
    let errors = try BadRows(source: request.file, path: request.errorsFile)
    var store: Store?
    var existing = Schema()
    switch destination {
    case .store(let open):
      store = open
      existing = try open.schema
    case .path(let path):
      if Opening.exists(path) {
        let open = try Opening.open(path, mode: .existing)
        store = open
        existing = try open.schema
      }
    }
    let plan = try ImportPlan(request, existing: existing) { inference in try self.look(&inference) }
    progress.clear()
    plan.notes.forEach { console.note("note: \($0)") }
    if let text = plan.shownSchema { console.note(text) }
    // An entity is not made for nothing.
    if existing.entity(named: request.entity) == nil, try !hasGoodRecord(plan) {
      try refuseAll(plan, errors)
      summary.bad = errors.count
      report(plan, errors)
      return summary
    }
    let target: Store
    if let store {
      if plan.schema != existing { try store.declare(plan.schema) }
      target = store
    } else if case .path(let path) = destination {
      target = try Opening.open(path, mode: .createIfMissing, schema: plan.schema)
    } else {
      return summary
    }
    try transfer(plan, into: target, errors)
    progress.clear()
    summary.bad = errors.count
    report(plan, errors)
    return summary
  }

  /// The first pass: what the data look like.
  private func look(_ inference: inout TypeInference) throws {
    progress.begin("Looking at the data")
    var objects = 0
    var firstBad: String?
    loop: while true {
      switch try reader.next() {
      case .record(let record, let line):
        inference.add(record, line: line, of: reader)
        objects += 1
        if objects & 255 == 0 {
          if cancellation?.isCancelled == true { throw Stopped() }
          progress.show(reader.fraction, objects: objects)
        }
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

  /// Whether any record makes an object, as far as can be told without a store.
  private func hasGoodRecord(_ plan: ImportPlan) throws -> Bool {
    let rows = plan.rows(columns: plan.schema.columns(of: plan.entity))
    defer { progress.clear() }
    while true {
      switch try reader.next() {
      case .record(let record, _):
        if rows.build(record, of: reader) == nil {
          try reader.rewind()
          return true
        }
      case .bad: continue
      case .end, .damaged:
        try reader.rewind()
        return false
      }
      if cancellation?.isCancelled == true { throw Stopped() }
    }
  }

  /// Notes why no record makes an object.
  private func refuseAll(_ plan: ImportPlan, _ errors: BadRows) throws {
    let rows = plan.rows(columns: plan.schema.columns(of: plan.entity))
    while true {
      switch try reader.next() {
      case .record(let record, let line):
        if let reason = rows.build(record, of: reader) { errors.add(line: line, reason) }
      case .bad(let line, let reason): errors.add(line: line, reason)
      case .end: return
      case .damaged(let line, let offset, let reason):
        summary.damage = "\(request.file):\(line): \(reason) (byte \(offset))"
        return
      }
    }
  }

  /// The second pass: the objects.
  private func transfer(_ plan: ImportPlan, into store: Store, _ errors: BadRows) throws {
    progress.begin("Importing")
    var isDone = false
    var rows: RowBuilder?
    var taken = 0
    while !isDone {
      var batch = Batch()
      try store.write { transaction in
        // A write may run again from its start; then the records are read again from where it began.
        if batch.taken > 0 {
          try reader.rewind()
          for _ in 0..<taken { _ = try reader.next() }
          batch = Batch()
          isDone = false
        }
        let inserter = try transaction.inserter(
          for: request.entity, upsertKey: request.isUpsert ? plan.key : nil, refusingDuplicates: true)
        let builder = rows ?? plan.rows(columns: inserter.columns)
        rows = builder
        while batch.stored < Self.batch {
          let outcome = try reader.next()
          batch.taken += 1
          switch outcome {
          case .record(let record, let line):
            if let reason = builder.build(record, of: reader) {
              batch.bad.append(BadRows.Row(line: line, reason: reason))
              continue
            }
            do {
              try inserter.append(builder.values)
              batch.stored += 1
            } catch let error as StoreError where error.concernsOneRow {
              batch.bad.append(BadRows.Row(line: line, reason: error.reasonForRow))
            }
            if batch.stored & 255 == 0 {
              if cancellation?.isCancelled == true { throw Stopped() }
              progress.show(reader.fraction, objects: summary.imported + batch.stored)
            }
          case .bad(let line, let reason): batch.bad.append(BadRows.Row(line: line, reason: reason))
          case .end:
            isDone = true
            return
          case .damaged(let line, let offset, let reason):
            summary.damage = "\(request.file):\(line): \(reason) (byte \(offset))"
            isDone = true
            return
          }
        }
      }
      taken += batch.taken
      summary.imported += batch.stored
      batch.bad.forEach { errors.add(line: $0.line, $0.reason) }
    }
    // What the plan has said already is not said again.
    let leftOut = (rows?.leftOut ?? []).filter { name in
      !plan.notes.contains { $0.hasPrefix(name + " ") || $0.hasPrefix(name + ".") }
    }
    if !leftOut.isEmpty {
      progress.clear()
      console.note(
        "note: left out, because \(request.entity) has no such property: \(leftOut.joined(separator: ", "))")
    }
  }

  private func report(_ plan: ImportPlan, _ errors: BadRows) {
    reader.notes.forEach { console.note("note: \($0)") }
    let seconds = progress.elapsed
    let rate = seconds > 0.5 ? ", \(grouped(Int(Double(summary.imported) / seconds)))/s" : ""
    let verb = request.isUpsert ? "imported or updated" : "imported"
    console.note(
      "\(request.entity): \(counted(summary.imported, "object")) \(verb) in \(Progress.time(seconds))\(rate)")
    if errors.count > 0 {
      console.note("\(counted(errors.count, "bad row")) left out:")
      errors.lines.forEach { console.note("  \($0)") }
    }
    if let problem = errors.close() { console.warn(problem, code: "errors-file") }
  }
}

extension StoreError {
  /// Whether only the row at hand is at fault, so that the others can go on.
  fileprivate var concernsOneRow: Bool {
    switch self {
    case .constraintViolated, .wrongType, .missingValue: true
    default: false
    }
  }

  /// What to tell about that row.
  fileprivate var reasonForRow: String {
    guard case .constraintViolated(_, let path, let value, _) = self else { return description }
    return "\(path): there is already an object with \(quoted(ValueText.plain(value, null: "nil")))"
  }
}
