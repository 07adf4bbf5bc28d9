internal import QueryEngine
internal import Storage
internal import Synchronization

/// Follows the results of one query from commit to commit, and reports the changes of each.
///
/// It reads the changes of a commit and ignores those that cannot affect the query. If possible it follows the others:
/// it tests the changed objects only, and those from which the query reaches changed objects. Otherwise it runs the query
/// again and compares its results with the previous ones. It is used by one task, except for `change(to:)` and `held`,
/// and handles object IDs only.
final class ResultsObserver: @unchecked Sendable {
  let token: ObservationToken
  private let store: Store
  private let signals: CommitObserver
  /// The paths of the properties whose changes are modifications; nil for all.
  private let paths: Result<[String]?, any Error>
  /// The new query to observe from now on; nil if it has not changed.
  private let wanted = Mutex<Selection?>(nil)

  private(set) var selection: Selection
  private(set) var query: CompiledQuery?
  /// The query without its last window.
  private(set) var matching: CompiledQuery?
  private(set) var reads: QueryReads?
  /// `matching`, for a few objects.
  private(set) var byObject: QueryByObject?
  private(set) var watched: Set<UInt32> = []
  var objects = OrderedObjects([], isAscending: true)
  private var version = 0
  /// How many times the query was run: once at the start, and again after each change that could not be followed.
  private(set) var runs = 0
  private(set) var held: HeldSnapshot?
  /// The sections of the results; nil where the results have none.
  let sections: SectionTracker?

  init(
    _ selection: Selection, paths: Result<[String]?, any Error>, token: ObservationToken,
    sections: SectionTracker? = nil
  ) {
    self.sections = sections
    store = selection.source.store
    self.selection = selection.reading(in: .store(store))
    self.paths = paths
    self.token = token
    signals = store.file.commits.makeObserver()
  }

  deinit { held?.replace(by: nil) }

  /// Has another query observed from now on. For any thread.
  func change(to selection: Selection) {
    wanted.withLock { $0 = selection.reading(in: .store(store)) }
    signals.signal()
  }

  /// The query, on the version that the last step was about. It can be used until the next step is done.
  var results: Selection { held.map { selection.reading(in: .held($0)) } ?? selection }

  /// Waits for the next change; nil if the task was cancelled. The first call does not wait, and its delta is empty.
  func next() async throws -> ResultsDelta? {
    if held == nil {
      if Task.isCancelled { return nil }
      try begin()
      return ResultsDelta()
    }
    while await signals.wait() {
      var pause = Duration.milliseconds(1)
      while true {
        if let delta = try step() { return delta }
        // The number of another process's commit becomes visible a moment before the commit can be read.
        guard version < store.file.currentVersion, !Task.isCancelled else { break }
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(50))
      }
    }
    return nil
  }

  private func begin() throws {
    if let other = wanted.withLock({ $0.take() }) { selection = other }
    let snapshot = try store.file.beginSnapshot()
    do {
      objects = try run(in: snapshot)
      try sections?.begin(selection, objects, in: snapshot)
    } catch {
      snapshot.end()
      throw error
    }
    version = snapshot.version
    held = HeldSnapshot(snapshot, of: store)
  }

  /// Advances to the newest version. Returns its changes; nil if none are relevant.
  private func step() throws -> ResultsDelta? {
    let other = wanted.withLock { $0.take() }
    let snapshot = try store.file.beginSnapshot()
    do {
      let delta = try step(to: snapshot, with: other)
      if let delta, !(sections?.delta.isEmpty ?? delta.isEmpty) { return delta }
      return nil
    } catch {
      snapshot.end()
      throw error
    }
  }

  private func step(to snapshot: Snapshot, with other: Selection?) throws -> ResultsDelta? {
    guard snapshot.version != version || other != nil else {
      snapshot.end()
      return nil
    }
    let changes = try snapshot.changes(since: version)
    let delta: ResultsDelta?
    if other == nil, let reads, let changes, !matters(changes, reads) {
      delta = nil
    } else {
      let isSilent = try other == nil && isLeftOut(in: snapshot)
      var made: (delta: ResultsDelta, touched: TouchedObjects)?
      if other == nil, let changes { made = try follow(changes, in: snapshot) }
      if let other { selection = other }
      let found = try made?.delta ?? compare(changes, in: snapshot)
      if let sections {
        let modified = Set(found.modifications.map { objects[$0] })
        if try made.map({ try sections.follow($0.touched, objects, modified: modified, in: snapshot) }) != true {
          try sections.beginAgain(selection, objects, modified: modified, in: snapshot)
        }
      }
      delta = isSilent ? nil : found
    }
    token.forget(upTo: snapshot.version)
    version = snapshot.version
    held?.replace(by: snapshot)
    return delta
  }

  /// Whether changes may affect the results or the watched properties.
  private func matters(_ changes: CommitChanges, _ reads: QueryReads) -> Bool {
    for (entity, columns) in reads.columns {
      guard let changes = changes.entities[entity] else { continue }
      if changes.cameOrWent || !changes.columns.isDisjoint(with: columns) { return true }
    }
    guard let own = query.flatMap({ changes.entities[$0.entity.number] }) else { return false }
    return !own.columns.isDisjoint(with: watched)
  }

  /// Whether every relevant commit since the last report is excluded.
  private func isLeftOut(in snapshot: Snapshot) throws -> Bool {
    guard token.isInUse, let reads, version < snapshot.version else { return false }
    for commit in (version + 1)...snapshot.version where !token.leavesOut(commit) {
      guard let changes = try snapshot.changes(of: commit), !matters(changes, reads) else { return false }
    }
    return true
  }

  // MARK: Finding everything

  /// Runs the query.
  private func run(in snapshot: Snapshot) throws -> OrderedObjects {
    let query = try selection.query(for: snapshot.schema)
    var reads = query.reads
    if case .linking(_, let path)? = selection.linked, let column = query.entity.column(at: path) {
      reads.add(column, of: query.entity)
    }
    if let read = try sections?.reads(query, for: snapshot.schema) { reads.addColumns(of: read) }
    self.query = query
    matching = query.withoutWindow
    self.reads = reads
    byObject = matching.map(QueryByObject.init)
    watched = try numbers(of: query.entity)
    let found = try selection.found(in: snapshot).ids
    runs += 1
    return OrderedObjects(found, isAscending: !reads.isSorted && selection.linked == nil)
  }

  /// The numbers of the columns whose changes are modifications.
  private func numbers(of entity: StoredEntity) throws -> Set<UInt32> {
    guard let paths = try paths.get() else { return Set(entity.columns.map(\.number)) }
    var numbers: Set<UInt32> = []
    for path in paths {
      let columns = entity.columns.filter { $0.path == path || $0.path.hasPrefix(path + ".") }
      if columns.isEmpty { throw entity.unknownProperty(path) }
      numbers.formUnion(columns.map(\.number))
    }
    return numbers
  }

  /// Runs the query again and compares the results.
  private func compare(_ changes: CommitChanges?, in snapshot: Snapshot) throws -> ResultsDelta {
    let before = objects.all
    objects = try run(in: snapshot)
    let now = objects.all
    var delta = ResultsDelta(from: before, to: now)
    guard let query, snapshot.version != version else { return delta }
    let old = Set(before)
    let isChanged: (ObjectNumber) -> Bool
    if let changes = changes?.entities[query.entity.number], changes.isComplete {
      let changed = try modified(changes, query, in: snapshot)
      isChanged = { changed.contains($0.rawValue) }
    } else if changes != nil, changes?.entities[query.entity.number] == nil {
      return delta
    } else {
      // The changed objects are unknown, so objects that were written with them, in the same clusters, count too.
      var clusters: Set<UInt64> = []
      try snapshot.forEachCluster(query.entity) { cluster in
        if cluster.transaction > UInt64(clamping: version) { clusters.insert(cluster.number) }
        return true
      }
      isChanged = { clusters.contains($0.cluster) }
    }
    delta.modifications = now.indices.filter { isChanged(now[$0]) && old.contains(now[$0]) }
    return delta
  }

  /// The objects with changed values of a watched property; a value that was changed and changed back does not count.
  func modified(
    _ changes: EntityChanges, _ query: CompiledQuery, in snapshot: Snapshot
  ) throws -> Set<UInt64> {
    var modified: Set<UInt64> = []
    var seen: Set<ObjectValue> = []
    for update in changes.updates where watched.contains(update.column) {
      // The value before the first change is the old value.
      guard seen.insert(ObjectValue(object: update.object, column: update.column)).inserted,
        !modified.contains(update.object)
      else { continue }
      let object = ObjectNumber(update.object)
      guard let cluster = try snapshot.cluster(object.cluster, of: query.entity), cluster.present[object.slot],
        let column = query.entity.columns.firstIndex(where: { $0.number == update.column })
      else { continue }
      if try cluster.column(column).value(at: object.slot).digest != update.before { modified.insert(update.object) }
    }
    return modified
  }

  private struct ObjectValue: Hashable {
    var object: UInt64
    var column: UInt32
  }
}
