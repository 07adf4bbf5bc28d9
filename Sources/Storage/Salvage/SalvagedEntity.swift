internal import LMDB
internal import Schema
internal import Values

/// The objects of one entity that are left in a damaged store, and what is missing of them.
///
/// Of several copies of a cluster it takes the one in the tree, else the newest. It does not know the objects of other
/// entities.
final class SalvagedEntity {
  let entity: StoredEntity
  /// The sound clusters, by number, and where their bytes are in the file.
  private(set) var clusters: [(view: ClusterView, bytes: UnsafeRawBufferPointer)] = []
  /// The objects, by cluster.
  private(set) var present: [UInt64: Mask] = [:]
  /// What is missing so far.
  private(set) var lost: [LostPart] = []
  /// The columns of which a value is missing, though there must be one.
  private(set) var lacking: Set<Int> = []
  /// The number of objects that were read and could not be written.
  var refused: UInt64 = 0
  /// The counters, if they can be read.
  let state: EntityState?
  /// The least number for the next object, as far as that is known.
  let nextObject: UInt64
  /// What else a person must know: that something may be missing of which nothing is left.
  private(set) var notes: [String] = []
  private let remains: Remains
  private let values: FoundLongValues

  init(_ entity: StoredEntity, in remains: Remains) {
    self.entity = entity
    self.remains = remains
    state = remains.states[entity.number]
    nextObject = remains.nextObjects[entity.number] ?? 1
    let values = FoundLongValues(remains.longValues[entity.number] ?? [:], strays: remains.strayValues)
    self.values = values
    let context = ClusterContext(entity: entity) { (key) throws(StoreError) in values.bytes(of: key) }
    choose(context)
    noteLostObjects()
    noteFormerContent()
  }

  private func choose(_ context: ClusterContext) {
    var chosen: [UInt64: (view: ClusterView, bytes: UnsafeRawBufferPointer)] = [:]
    var damaged: [UInt64: LostPart] = [:]
    for misplaced in remains.misplaced[entity.number] ?? [] {
      damaged[misplaced.number] = lostCluster(misplaced.number, misplaced.page, "there is no cluster of it")
    }
    let candidates = (remains.clusters[entity.number] ?? []).sorted {
      $0.isInTree != $1.isInTree ? $0.isInTree : $0.transaction > $1.transaction
    }
    for cluster in candidates where chosen[cluster.number] == nil {
      // What a whole tree does not lead to, not even to another state of it, was deleted.
      if !cluster.isInTree, isTreeWhole, damaged[cluster.number] == nil { continue }
      do throws(StoreError) {
        chosen[cluster.number] = (
          try ClusterView(cluster.bytes, number: cluster.number, context: context), cluster.bytes
        )
      } catch {
        if cluster.isInTree {
          damaged[cluster.number] = lostCluster(cluster.number, remains.page(of: cluster.bytes), error.place)
        }
      }
    }
    clusters = chosen.values.sorted { $0.view.number < $1.view.number }
    for (view, _) in clusters { present[view.number] = view.present }
    for number in damaged.keys.sorted() where chosen[number] == nil { lost += damaged[number].map { [$0] } ?? [] }
  }

  private var isTreeWhole: Bool { remains.file.isWhole(entity.database) }

  private func lostCluster(_ number: UInt64, _ page: Int, _ reason: String) -> LostPart {
    LostPart(entity: entity.name, objects: Self.objects(number...number), pages: page...page, reason: reason)
  }

  /// The numbers of all objects that some clusters may have. There is no object 0.
  private static func objects(_ clusters: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
    let most = UInt64.max >> 8
    return max(min(clusters.lowerBound, most) << 8, 1)...(min(clusters.upperBound, most) << 8 | 255)
  }

  /// Notes the objects that may have been under pages that cannot be read. If as many objects are found as the catalog
  /// counts, there were none.
  private func noteLostObjects() {
    let saved = objectCount
    if let state, saved == state.objectCount { return }
    let end = max((max(state?.nextObject ?? 1, nextObject, 1) - 1) >> 8, present.keys.max() ?? 0)
    for flaw in remains.file.flaws where flaw.database == entity.database {
      func number(_ key: [UInt8]?) -> UInt64? {
        key.flatMap { $0.count == 8 ? $0.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } : nil }
      }
      let first = number(flaw.from) ?? 0
      let last = number(flaw.to).map { $0 == 0 ? 0 : $0 - 1 } ?? end
      var next = first
      // The gaps between the clusters that were found after all.
      let found = clusters.map(\.view.number).filter { $0 >= first && $0 <= last }
      for number in found + (last < .max ? [last + 1] : []) {
        if number > next {
          lost.append(
            LostPart(
              entity: entity.name, objects: Self.objects(next...number - 1), pages: flaw.page...flaw.page,
              reason: flaw.what))
        }
        if number == .max { break }
        next = number + 1
      }
    }
    if state == nil, !isTreeWhole {
      noteGaps(upTo: end)
      notes.append("how many objects \(entity.name) had is not known: its last ones may be missing")
    }
    if let state, saved < state.objectCount, lost.isEmpty {
      lost.append(
        LostPart(
          entity: entity.name, objects: 1...(max(state.nextObject, 2) - 1),
          reason: "\(amount(state.objectCount - saved, "object")) of them cannot be found"))
    }
  }

  /// Notes the objects between the clusters that were found, and after them: nothing says that there were none.
  private func noteGaps(upTo end: UInt64) {
    var next: UInt64 = 0
    let named = lost.filter { $0.property == nil }.map { $0.objects.lowerBound >> 8...$0.objects.upperBound >> 8 }
    let known = (clusters.map { $0.view.number...$0.view.number } + named).sorted { $0.lowerBound < $1.lowerBound }
    for range in known + (end < .max ? [end + 1...end + 1] : []) {
      if range.lowerBound > next {
        lost.append(
          LostPart(
            entity: entity.name, objects: Self.objects(next...range.lowerBound - 1),
            reason: "nothing that led to them is left, and there may have been none"))
      }
      if range.upperBound == .max { return }
      next = max(next, range.upperBound + 1)
    }
  }

  /// Notes that some clusters are not the ones that were written last. Where clusters are lost, their sum says nothing.
  private func noteFormerContent() {
    guard lost.allSatisfy({ $0.property != nil }),
      let known = remains.file.number(ClusterSum.number(of: entity.number)),
      clusters.reduce(0, { $0 &+ $1.view.directory.version }) != known
    else { return }
    notes.append(
      "the clusters of \(entity.name) are not those that were written last: a page has former content, and objects may "
        + "be as they were before")
  }

  var objectCount: UInt64 { present.values.reduce(0) { $0 + UInt64($1.count) } }

  // MARK: Rows

  /// Calls `body` with each object of a cluster and its values, in column order. The first time, what is missing is
  /// noted.
  func forEachRow(
    _ position: Int, isFirstTime: Bool, _ body: (ObjectNumber, [Value]) throws -> Void
  ) rethrows {
    let (view, bytes) = clusters[position]
    var columns: [ColumnView?] = []
    for index in entity.columns.indices {
      do throws(StoreError) {
        let column = try view.column(index)
        values.resolve(column)
        columns.append(column)
      } catch {
        columns.append(nil)
        if isFirstTime { note(index, view.present, of: view, pages(ofColumn: index, view, bytes), error.place) }
      }
    }
    for slot in 0..<view.slotCount where view.present[slot] {
      var missing: Set<Int> = []
      var row: [Value] = []
      row.reserveCapacity(columns.count)
      for (index, column) in columns.enumerated() {
        do throws(StoreError) {
          guard let column else {
            missing.insert(index)
            row.append(.null)
            continue
          }
          row.append(try column.value(at: slot))
        } catch {
          if isFirstTime { note(index, Mask(slot: slot), of: view, pages(ofColumn: index, slot, view), error.place) }
          missing.insert(index)
          row.append(.null)
        }
      }
      if !missing.isEmpty {
        let unfilled = row.fill(missing, of: entity)
        lacking.formUnion(unfilled)
      }
      try body(ObjectNumber(cluster: view.number, slot: slot), row)
    }
  }

  private func note(_ column: Int, _ slots: Mask, of view: ClusterView, _ pages: ClosedRange<Int>?, _ reason: String) {
    guard let first = slots.first, let last = slots.last else { return }
    lost.append(
      LostPart(
        entity: entity.name,
        objects: ObjectNumber(cluster: view.number, slot: first)
          .rawValue...ObjectNumber(
            cluster: view.number, slot: last
          ).rawValue, property: entity.columns[column].path, pages: pages, reason: reason))
  }

  /// Notes that an object was not written.
  func note(lost object: ObjectNumber, _ property: String?, _ reason: String) {
    lost.append(
      LostPart(
        entity: entity.name, objects: object.rawValue...object.rawValue, property: property, reason: reason))
  }

  /// The pages with the values of a column.
  private func pages(
    ofColumn index: Int, _ view: ClusterView, _ bytes: UnsafeRawBufferPointer
  ) -> ClosedRange<Int>? {
    guard let position = view.directory.position(ofColumn: entity.columns[index].number, guess: index),
      let start = bytes.baseAddress
    else { return nil }
    let entry = ClusterEntry(view.directory.entry(position))
    if entry.flags.contains(.elsewhere) { return pages(ofColumn: index, nil, view) }
    guard entry.length > 0 else { return nil }
    return remains.file.page(of: start + entry.place)...remains.file.page(of: start + (entry.place + entry.length - 1))
  }

  /// The pages of a long value, or of the values of a column that are such a value; if it cannot be found, the damaged one
  /// that led to it.
  private func pages(ofColumn index: Int, _ slot: Int?, _ view: ClusterView) -> ClosedRange<Int>? {
    let key = OutOfLineKey(cluster: view.number, column: entity.columns[index].number, slot: slot)
    if let bytes = values.bytes(of: key), let start = bytes.baseAddress {
      return remains.file.page(of: start)...remains.file.page(of: start + max(bytes.count - 1, 0))
    }
    let name = LongValues.key(key)
    return remains.file.flaws.first {
      $0.database == entity.valuesDatabase && !($0.from.map { name.lexicographicallyPrecedes($0) } ?? false)
        && ($0.to.map { name.lexicographicallyPrecedes($0) } ?? true)
    }.map { $0.page...$0.page }
  }
}

extension StoreError {
  /// What is wrong with stored bytes.
  fileprivate var place: String { if case .corrupted(let location) = self { location } else { "\(self)" } }
}
