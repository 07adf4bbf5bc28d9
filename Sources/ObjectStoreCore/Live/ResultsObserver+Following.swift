internal import QueryEngine
internal import Storage

/// Following the changes of commits without running the query again.
///
/// Objects are tested only if the query may see them differently than before: by their own columns, or by those of linked
/// objects. All others match as before, in the same order.
extension ResultsObserver {
  /// A step that was made, and the objects that were tested for it.
  typealias Step = (delta: ResultsDelta, touched: TouchedObjects)

  /// Makes the step that some changes lead to; nil if the query must be run again.
  func follow(_ changes: CommitChanges, in snapshot: Snapshot) throws -> Step? {
    guard let query, let matching, let reads, selection.linked == nil, selection.now == nil, !query.readsMoment,
      let affected = try affected(changes, query, reads, in: snapshot)
    else { return nil }
    byObject?.forget(affected.objects.lazy.map { ObjectNumber($0) })
    let own = changes.entities[query.entity.number]
    let isModified = own.map { !$0.columns.isDisjoint(with: watched) } ?? false
    // Without knowing the objects, those that changed only in watched columns are unknown too.
    guard !isModified || own.map({ $0.isComplete && $0.updates.count <= limit(reads) }) ?? false else { return nil }
    let modified = try isModified ? own.map { try self.modified($0, query, in: snapshot) } ?? [] : []
    if affected.objects.isEmpty { return (unmoved(modified), TouchedObjects()) }
    switch reads.form {
    case .all: return try rearrange(affected, modified, matching, in: snapshot)
    case .window(let offset, let limit?):
      return try follow(affected, modified, matching, offset: offset, limit: limit, in: snapshot)
    case .window, .other: return nil
    }
  }

  /// The maximum number of objects that are tested separately; inserting one into sorted results costs more.
  private func limit(_ reads: QueryReads) -> Int {
    reads.isSorted ? 64 : max(256, min(4_096, objects.count / 8))
  }

  /// The maximum number of linked objects from which links are followed backward.
  private static var linkedLimit: Int { 4_096 }

  // MARK: Affected objects

  /// Objects that the query may see differently than before.
  private struct AffectedObjects {
    var objects: Set<UInt64> = []
    /// Those whose position may have changed.
    var reordered: Set<ObjectNumber> = []
    /// Those whose section may have changed.
    var rekeyed: Set<ObjectNumber> = []
  }

  /// The objects affected by changes; nil if they are unknown or too many.
  private func affected(
    _ changes: CommitChanges, _ query: CompiledQuery, _ reads: QueryReads, in snapshot: Snapshot
  ) throws -> AffectedObjects? {
    let limit = limit(reads)
    var changed: [UInt32: Set<UInt64>] = [:]
    for (entity, columns) in reads.columns {
      guard let changes = changes.entities[entity] else { continue }
      let limit = entity == query.entity.number ? limit : Self.linkedLimit
      guard let objects = changes.objects(with: columns, limit: limit) else { return nil }
      if !objects.isEmpty { changed[entity] = objects }
    }
    var affected = AffectedObjects(objects: changed[query.entity.number] ?? [])
    for update in changes.entities[query.entity.number]?.updates ?? [] {
      if reads.sortColumns.contains(update.column) { affected.reordered.insert(ObjectNumber(update.object)) }
      if sections?.keyColumns?.contains(update.column) == true { affected.rekeyed.insert(ObjectNumber(update.object)) }
    }
    guard reads.followsLinks, !changed.isEmpty else { return affected }
    func dependents(in snapshot: Snapshot) throws -> Set<UInt64>? {
      try reads.dependents(query.entity, of: changed, in: snapshot, limit: Self.linkedLimit)
    }
    guard let held, let before = try held.read(dependents), let now = try dependents(in: snapshot) else { return nil }
    let reaching = before.union(now)
    affected.objects.formUnion(reaching)
    if reads.sortsThroughLinks { affected.reordered.formUnion(reaching.map { ObjectNumber($0) }) }
    return affected.objects.count <= limit ? affected : nil
  }

  /// Those of some objects that match in a version, in order.
  private func found(
    _ objects: Set<UInt64>, _ matching: CompiledQuery, in snapshot: Snapshot
  ) throws -> [ObjectNumber] {
    let all = objects.sorted().map { ObjectNumber($0) }
    if let found = try byObject?.found(among: all, in: snapshot) { return found }
    let objects = try all.filter { try snapshot.cluster($0.cluster, of: matching.entity)?.present[$0.slot] == true }
    return objects.isEmpty ? [] : try matching.found(among: objects, in: snapshot)
  }

  // MARK: Objects that stay

  /// The step in which no object comes, goes or moves.
  private func unmoved(_ modified: Set<UInt64>) -> ResultsDelta {
    var delta = ResultsDelta()
    delta.modifications = positions(of: modified)
    return delta
  }

  /// The positions of those objects that are among the results, ascending.
  private func positions(of modified: Set<UInt64>) -> [Int] {
    modified.compactMap { objects.position(of: ObjectNumber($0)) }.sorted()
  }

  // MARK: All that match

  /// Moves the affected objects to their positions; those beyond a limit leave.
  private func rearrange(
    _ affected: AffectedObjects, _ modified: Set<UInt64>, _ matching: CompiledQuery, limit: Int? = nil,
    in snapshot: Snapshot
  ) throws -> Step {
    let touched = TouchedObjects(
      objects: affected.objects.sorted().map { ObjectNumber($0) },
      found: try found(affected.objects, matching, in: snapshot), reordered: affected.reordered,
      rekeyed: affected.rekeyed)
    return try rearrange(touched, modified, limit: limit, in: snapshot)
  }

  /// Moves the tested objects to their positions; those beyond a limit leave.
  private func rearrange(
    _ touched: TouchedObjects, _ modified: Set<UInt64>, limit: Int?, in snapshot: Snapshot
  ) throws -> Step {
    var touched = touched
    // Only where some may be too many the results are compared as a whole, which takes the time of a full window.
    let mostEntering = touched.found.count { objects.position(of: $0) == nil }
    let old = limit.map { objects.count + mostEntering > $0 } == true ? objects.all : nil
    var delta = try rearrange(touched, in: snapshot)
    if let limit, let old {
      var left: Set<ObjectNumber> = []
      while objects.count > limit {
        left.insert(objects[objects.count - 1])
        objects.remove(at: objects.count - 1)
      }
      delta = ResultsDelta(from: old, to: objects.all)
      touched.objects = left.union(touched.objects).sorted()
      touched.found.removeAll(where: left.contains)
    }
    let inserted = Set(delta.insertions)
    delta.modifications = positions(of: modified).filter { !inserted.contains($0) }
    return (delta, touched)
  }

  /// Moves the tested objects to their positions.
  private func rearrange(_ touched: TouchedObjects, in snapshot: Snapshot) throws -> ResultsDelta {
    let isFound = Set(touched.found)
    var known: Set<ObjectNumber> = []
    var taken: [TakenObject] = []
    for object in touched.objects {
      guard let position = objects.position(of: object) else { continue }
      known.insert(object)
      if !isFound.contains(object) || touched.reordered.contains(object) { taken.append((object, position)) }
    }
    taken.sort { $0.position < $1.position }
    objects.take(taken)
    let entering = touched.found.filter { !known.contains($0) || touched.reordered.contains($0) }
    let places = try entering.map { try gap(for: $0, in: snapshot) }
    return objects.put(entering, at: places, taken: taken)
  }

  /// The position of an object among the remaining ones.
  private func gap(for object: ObjectNumber, in snapshot: Snapshot) throws -> Int {
    guard let byObject, reads?.isSorted == true else { return objects.insertionPosition(of: object) }
    return try byObject.position(of: object, among: objects.count, at: { objects[$0] }, in: snapshot)
  }

  // MARK: A window

  /// Makes the step of results with a limit; nil if the query must be run again.
  ///
  /// What comes after the last object of a full window does not matter. If the same objects come before it, in the same
  /// order, the window stays. If others enter, the last ones leave a window without an offset. Which object enters
  /// instead of one that left is unknown, unless the window has all that match, because it is not full.
  private func follow(
    _ affected: AffectedObjects, _ modified: Set<UInt64>, _ matching: CompiledQuery, offset: Int, limit: Int,
    in snapshot: Snapshot
  ) throws -> Step? {
    if offset == 0, objects.count < limit {
      return try rearrange(affected, modified, matching, limit: limit, in: snapshot)
    }
    guard limit > 0, objects.count == limit else { return nil }
    let last = objects[limit - 1]
    guard let held, !affected.reordered.contains(last),
      let before = try held.read({ try leading(affected.objects, through: last, matching, in: $0) }),
      let now = try leading(affected.objects, through: last, matching, in: snapshot)
    else { return nil }
    var touched = TouchedObjects(
      objects: affected.objects.sorted().map { ObjectNumber($0) }, found: now, reordered: affected.reordered,
      rekeyed: affected.rekeyed)
    if Set(before) == Set(now), affected.reordered.isDisjoint(with: now) {
      touched.found = now.filter { objects.position(of: $0) != nil }
      return (unmoved(modified), touched)
    }
    guard offset == 0, now.count >= before.count else { return nil }
    return try rearrange(touched, modified, limit: limit, in: snapshot)
  }

  /// Those of some objects that match in a version and do not come after `last`, in order; nil if `last` does not match.
  private func leading(
    _ objects: Set<UInt64>, through last: ObjectNumber, _ matching: CompiledQuery, in snapshot: Snapshot
  ) throws -> [ObjectNumber]? {
    let found = try found(objects.union([last.rawValue]), matching, in: snapshot)
    guard let end = found.firstIndex(of: last) else { return nil }
    return found[...end].filter { objects.contains($0.rawValue) }
  }
}
