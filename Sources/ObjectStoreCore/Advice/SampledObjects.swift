internal import Storage

/// Some objects of each entity, spread evenly over all of them in insertion order: neighbours among them are neighbours
/// in the store, so values that come in order stay so, and ranges keep their share. Of entities with few objects it has
/// all.
struct SampledObjects {
  /// The objects by entity, ascending.
  private(set) var objects: [String: [UInt64]] = [:]
  /// The entities of which it has only a part.
  private(set) var partial: Set<String> = []

  /// Samples entities.
  ///
  /// - Parameter most: The most objects of one entity.
  init(of entities: [StoredEntity], most: Int, in snapshot: Snapshot, _ check: () throws -> Void) throws {
    for entity in entities {
      let count = try snapshot.objectCount(entity)
      if count > most { partial.insert(entity.name) }
      var wanted = Self.places(min(count, most), of: count)[...]
      var picked: [UInt64] = []
      picked.reserveCapacity(wanted.count)
      var place = 0
      try snapshot.forEachCluster(entity) { cluster in
        try check()
        let first = place
        place += cluster.present.count
        while let next = wanted.first, next < place {
          wanted.removeFirst()
          guard let slot = cluster.present.slot(at: next - first) else { continue }
          picked.append(ObjectNumber(cluster: cluster.number, slot: slot).rawValue)
        }
        return !wanted.isEmpty
      }
      objects[entity.name] = picked
    }
  }

  /// Places spread evenly: one at random in each of `wanted` equal parts, the same ones each time. Random, since
  /// objects may repeat at regular distances.
  private static func places(_ wanted: Int, of count: Int) -> [Int] {
    if wanted == count { return Array(0..<count) }
    let width = Double(count) / Double(wanted)
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<wanted).map { part in
      // A step of Knuth's generator, of which the high bits are random.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let offset = Double(state >> 11) / Double(1 << 53)
      return min(count - 1, Int((Double(part) + offset) * width))
    }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Its halves: of the entities of which it has only a part, every second object, and the others. None if it has all
  /// objects.
  var halves: [SampledObjects] {
    if partial.isEmpty { return [] }
    return [0, 1].map { first in
      var half = self
      for name in partial {
        let all = objects[name] ?? []
        half.objects[name] = stride(from: first, to: all.count, by: 2).map { all[$0] }
      }
      return half
    }
  }

  /// Adds the objects that those of some entities link to, directly or not, so that their links lead somewhere.
  ///
  /// - Parameter most: The most objects that are added.
  mutating func addTargets(
    of roots: Set<String>, most: Int, in snapshot: Snapshot, _ check: () throws -> Void
  ) throws {
    var known = partial.reduce(into: [String: Set<UInt64>]()) { $0[$1] = Set(objects[$1] ?? []) }
    var left = most
    var pending = roots.sorted().map { ($0, objects[$0] ?? []) }[...]
    while left > 0, let (name, sources) = pending.popFirst() {
      guard let entity = snapshot.schema.entity(named: name) else { continue }
      let links = entity.columns.indices.filter { entity.columns[$0].target.map(partial.contains) ?? false }
      if links.isEmpty { continue }
      var added: [String: [UInt64]] = [:]
      var row = ObjectRows(entity, snapshot)
      for object in sources {
        try check()
        for column in links {
          guard let target = entity.columns[column].target, let value = try row.value(column, of: object) else {
            continue
          }
          for number in value.targets where left > 0 && known[target, default: []].insert(number).inserted {
            added[target, default: []].append(number)
            left -= 1
          }
        }
      }
      for (target, numbers) in added { pending.append((target, numbers.sorted())) }
    }
    for name in partial { objects[name] = (known[name] ?? []).sorted() }
  }
}

/// Reads objects in ascending order, each cluster once.
struct ObjectRows {
  private let entity: StoredEntity
  private let snapshot: Snapshot
  private var cluster: ClusterView?

  init(_ entity: StoredEntity, _ snapshot: Snapshot) {
    self.entity = entity
    self.snapshot = snapshot
  }

  /// The value of a column; nil if the object does not exist.
  mutating func value(_ column: Int, of object: UInt64) throws -> Value? {
    let object = ObjectNumber(object)
    if cluster?.number != object.cluster { cluster = try snapshot.cluster(object.cluster, of: entity) }
    guard let cluster, cluster.present[object.slot] else { return nil }
    return try cluster.column(column).value(at: object.slot)
  }
}

extension Value {
  /// The numbers of the objects that a link's value leads to.
  fileprivate var targets: [UInt64] {
    switch self {
    case .int(let target): [ObjectNumber(target: target).rawValue]
    case .list(let elements): elements.flatMap(\.targets)
    default: []
    }
  }
}
