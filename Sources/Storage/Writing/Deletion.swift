internal import Schema
internal import Values

/// A deletion with all its consequences: the objects to delete according to the delete rules, and the links to remove.
///
/// It determines everything before it changes anything, so a refused deletion has no effect. Cascades are followed in
/// breadth, in the order of the objects; cycles and long chains need no more than a set.
struct Deletion {
  private let session: WriteSession
  /// The objects to delete, by entity number.
  private var going: [UInt32: Set<UInt64>] = [:]
  /// Those of them whose cascades have not been followed yet.
  private var waiting: [UInt32: [UInt64]] = [:]
  private let entities: [UInt32: StoredEntity]
  /// Called regularly; when it returns false, the deletion stops.
  private let goesOn: () -> Bool
  private var steps = 0
  /// Whether the deletion was stopped. It may then be partly done.
  private(set) var wasStopped = false

  init(in session: WriteSession, goesOn: @escaping () -> Bool = { true }) {
    self.session = session
    self.goesOn = goesOn
    entities = Dictionary(session.schema.entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Counts steps. Returns false if the deletion must stop.
  private mutating func steps(_ count: Int = 1) -> Bool {
    steps += count
    if steps >= 256 {
      steps = 0
      if !wasStopped { wasStopped = !goesOn() }
    }
    return !wasStopped
  }

  /// Adds objects to delete. Returns how many of them were new.
  mutating func add(_ objects: some Sequence<UInt64>, of entity: StoredEntity) throws(StoreError) -> Int {
    let writer = try session.writer(of: entity)
    var known = going.removeValue(forKey: entity.number) ?? []
    var new: [UInt64] = []
    for object in objects where !known.contains(object) {
      guard steps() else { break }
      guard try writer.contains(ObjectNumber(object)) else { continue }
      known.insert(object)
      new.append(object)
    }
    going[entity.number] = known
    waiting[entity.number, default: []] += new
    return new.count
  }

  /// Adds the objects that the rule `cascade` includes, until there are no more.
  mutating func cascade() throws(StoreError) {
    while !wasStopped, let (number, objects) = waiting.min(by: { $0.key < $1.key }) {
      waiting[number] = nil
      guard let entity = entities[number], !objects.isEmpty else { continue }
      let objects = objects.sorted()
      for end in session.schema.links.ruledEnds(of: entity.name) where end.rule == .cascade {
        var others: [UInt64] = []
        try forEachOther(end, of: objects, in: entity) { others.append($1) }
        others.sort()
        _ = try add(others, of: end.other)
      }
    }
  }

  /// The number of objects to delete for each entity, in the order of the entities' numbers.
  var counts: [(entity: StoredEntity, count: Int)] {
    going.sorted { $0.key < $1.key }.compactMap { number, objects in
      entities[number].flatMap { objects.isEmpty ? nil : ($0, objects.count) }
    }
  }

  /// Throws if the rule `deny` protects one of the objects: a property relates it to objects that would remain.
  mutating func judge() throws(StoreError) {
    for (number, objects) in going.sorted(by: { $0.key < $1.key }) {
      guard let entity = entities[number] else { continue }
      for end in session.schema.links.ruledEnds(of: entity.name) where end.rule == .deny {
        let goingToo = going[end.other.number] ?? []
        let writer = try session.writer(of: end.other)
        for object in objects.sorted() {
          guard steps() else { return }
          var staying: [UInt64] = []
          try forEachOther(end, of: [object], in: entity) { if !goingToo.contains($1) { staying.append($1) } }
          // An object may occur several times, and a link made in this write may lead to an object that does not exist
          // yet.
          var count = 0
          var others: [DeniedDelete.Named] = []
          for other in Set(staying).sorted() where try writer.contains(ObjectNumber(other)) {
            count += 1
            if others.count < Self.namedObjects { others.append(try named(other, of: end.other)) }
          }
          guard others.isEmpty else {
            throw .deleteDenied(
              DeniedDelete(
                entity: entity.name, object: try named(object, of: entity), path: end.path, other: end.other.name,
                others: others, count: count))
          }
        }
      }
    }
  }

  /// An object with the value of its unique property.
  private func named(_ object: UInt64, of entity: StoredEntity) throws(StoreError) -> DeniedDelete.Named {
    let key = entity.indexes.first { $0.isUnique && $0.columns.count == 1 }?.columns.first
    guard let key, let name = try session.writer(of: entity).value(ObjectNumber(object), key), !name.isNull else {
      return DeniedDelete.Named(ObjectNumber(object))
    }
    return DeniedDelete.Named(ObjectNumber(object), name)
  }

  /// Removes the links to the deleted objects, then the objects.
  mutating func carryOut() throws(StoreError) {
    let going = going.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
    for (number, objects) in going {
      guard let entity = entities[number] else { continue }
      let targets = objects.sorted()
      for link in session.schema.links.links(to: entity.name) {
        let goingToo = self.going[link.source.number] ?? []
        let writer = try session.writer(of: link.source)
        var links: [(source: UInt64, target: UInt64)] = []
        try writer.forEachSource(of: targets, by: link.inverse) { target, source in
          if !goingToo.contains(source) { links.append((source, target)) }
        }
        links.sort { $0 < $1 }
        var start = 0
        while start < links.count {
          guard steps() else { return }
          let source = links[start].source
          let end = links[start...].firstIndex { $0.source != source } ?? links.count
          try writer.unlink(ObjectNumber(source), link.column, from: links[start..<end].map(\.target))
          start = end
        }
      }
    }
    for (number, objects) in going {
      guard let entity = entities[number] else { continue }
      let writer = try session.writer(of: entity)
      for object in objects.sorted() {
        guard steps() else { return }
        _ = try writer.delete(ObjectNumber(object))
      }
    }
  }

  /// Calls `body` with each of the objects and each other at the end of its property.
  private func forEachOther(
    _ end: LinkEnd, of objects: [UInt64], in entity: StoredEntity, _ body: (UInt64, UInt64) -> Void
  ) throws(StoreError) {
    switch end.way {
    case .targets(let column):
      let writer = try session.writer(of: entity)
      for object in objects {
        guard let value = try writer.value(ObjectNumber(object), column) else { continue }
        for target in value.targets { body(object, UInt64(bitPattern: target)) }
      }
    case .sources(let link):
      try session.writer(of: link.source).forEachSource(of: objects, by: link.inverse, body)
    }
  }

  /// The maximum number of remaining objects that the error names.
  private static let namedObjects = 20
}
