internal import Storage
internal import Values

/// Reads columns of any object of a snapshot, in any order, to follow a path of links row by row. It caches recently
/// used clusters.
///
/// It does not depend on expressions. There is one for each thread.
final class LinkedObjects {
  /// The results of semijoins.
  let sets: LinkedSets
  /// Whether links come from objects outside the snapshot, and so may lead to objects that it does not have. Those of a
  /// commit all lead somewhere.
  var mayDangle = false
  private let snapshot: Snapshot
  private var entities: [UInt32: OpenClusters] = [:]
  private var latest: OpenClusters?
  private var answers: [ObjectIdentifier: Answers] = [:]

  init(_ snapshot: Snapshot, _ sets: LinkedSets) {
    self.snapshot = snapshot
    self.sets = sets
  }

  /// The value of a column of an object, whose ID is `number`; nil if the object does not exist.
  func value(_ number: Value, of object: BoundObject, _ column: Int) throws -> Value {
    guard case .int(let number) = number, let cluster = try cluster(of: number, object) else { return .null }
    return try cluster.value(column, at: Self.slot(number))
  }

  /// The number of elements of a collection; 0 if it is nil.
  func elementCount(_ number: Value, of object: BoundObject, _ column: Int) throws -> Int {
    guard case .int(let number) = number, let cluster = try cluster(of: number, object) else { return 0 }
    return try cluster.column(column).elementCount(at: Self.slot(number))
  }

  /// An element of a collection by its position from 0; nil beyond its end.
  func element(_ number: Value, of object: BoundObject, _ column: Int, _ place: Int) throws -> Value {
    guard case .int(let number) = number, let cluster = try cluster(of: number, object) else { return .null }
    return try cluster.column(column).element(at: Self.slot(number), place)
  }

  /// The objects that link to an object, ascending.
  func sources(_ source: LinkSource, of object: Value) throws -> [Value] {
    guard case .int(let number) = object, let inverse = source.inverse else { return [] }
    var found: [Value] = []
    try snapshot.index(inverse, of: source.entity.stored).forEachSource(of: ObjectNumber(UInt64(bitPattern: number))) {
      try sets.cancellation.step($0.count)
      found += $0.map { .int(Int64(bitPattern: $0)) }
      return true
    }
    return found
  }

  /// The number of objects that link to an object.
  func sourceCount(_ source: LinkSource, of object: Value) throws -> Int {
    guard case .int(let number) = object, let inverse = source.inverse else { return 0 }
    return try snapshot.index(inverse, of: source.entity.stored).sourceCount(
      of: ObjectNumber(UInt64(bitPattern: number)))
  }

  /// The cached results of a predicate.
  func answers(of predicate: RememberedPredicate) throws -> Answers {
    if let known = answers[ObjectIdentifier(predicate)] { return known }
    let entity = predicate.onlyEntity.flatMap { snapshot.schema.entity(named: $0) }
    let made = Answers(predicate, try entity.map { try sets.places(of: $0) })
    answers[ObjectIdentifier(predicate)] = made
    return made
  }

  private static func slot(_ number: Int64) -> Int { Int(truncatingIfNeeded: number & 255) }

  private func cluster(of number: Int64, _ object: BoundObject) throws -> OpenCluster? {
    let entity = object.entity
    let clusters: OpenClusters
    if let latest, latest.entity === entity.stored {
      clusters = latest
    } else {
      clusters = entities[entity.stored.number] ?? OpenClusters(entity.stored, snapshot)
      entities[entity.stored.number] = clusters
      latest = clusters
    }
    if let cluster = try clusters.cluster(UInt64(bitPattern: number) >> 8), cluster.view.present[Self.slot(number)] {
      return cluster
    }
    guard !mayDangle, snapshot.isCommitted, object.isTarget else { return nil }
    throw try snapshot.reader(of: entity.stored).lostObject(
      UInt64(bitPattern: number) >> 8, Mask(slot: Self.slot(number)), namedBy: "a link")
  }
}

extension BoundObject {
  /// Whether a link of an object leads to it. An argument or an element can be an object that was deleted.
  fileprivate var isTarget: Bool {
    switch number {
    case .column, .property: true
    case .constant, .computed, .now, .negate, .complement, .arithmetic, .call, .ternary, .element, .reduced, .item,
      .entry, .own, .object, .assembled, .gathered:
      false
    }
  }
}

extension LinkSource {
  /// The inverse index of a link.
  var inverse: StoredIndex? { entity.stored.inverse(ofColumn: column) }
}

/// A cluster with the columns that have been read.
final class OpenCluster {
  /// A boxed column: it is large, and would be copied for each value read from it.
  private final class Column {
    let view: ColumnView

    init(_ view: ColumnView) { self.view = view }

    func value(at slot: Int) throws -> Value { try view.value(at: slot) }
  }

  let view: ClusterView
  private var columns: [Column?]

  init(_ view: ClusterView, columnCount: Int) {
    self.view = view
    columns = Array(repeating: nil, count: columnCount)
  }

  /// A column by its position in the entity.
  func column(_ column: Int) throws -> ColumnView { try opened(column).view }

  /// The value of a slot in a column.
  func value(_ column: Int, at slot: Int) throws -> Value { try opened(column).value(at: slot) }

  private func opened(_ column: Int) throws -> Column {
    if columns.indices.contains(column), let known = columns[column] { return known }
    let opened = Column(try view.column(column))
    columns[column] = opened
    return opened
  }
}

/// The recently used clusters of an entity.
final class OpenClusters {
  let entity: StoredEntity
  private let snapshot: Snapshot
  private var current: OpenCluster?
  private var number: UInt64 = 0
  private var earlier: [UInt64: OpenCluster] = [:]

  init(_ entity: StoredEntity, _ snapshot: Snapshot) {
    self.entity = entity
    self.snapshot = snapshot
  }

  /// The cluster with a number; nil if none of its objects exists.
  func cluster(_ wanted: UInt64) throws -> OpenCluster? {
    if let current, number == wanted { return current }
    if let known = earlier[wanted] {
      keepCurrent(before: wanted)
      (current, number) = (known, wanted)
      return known
    }
    guard let view = try snapshot.cluster(wanted, of: entity) else { return nil }
    keepCurrent(before: wanted)
    let opened = OpenCluster(view, columnCount: entity.columns.count)
    (current, number) = (opened, wanted)
    return opened
  }

  /// A traversal in object order visits each cluster once, so its clusters are not cached.
  private func keepCurrent(before wanted: UInt64) {
    guard let current, wanted != number &+ 1 else { return }
    if earlier.count >= 65_536 / max(entity.columns.count, 4) { earlier.removeAll(keepingCapacity: true) }
    earlier[number] = current
  }
}
