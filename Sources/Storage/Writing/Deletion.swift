internal import Schema
internal import Values

/// One delete with all that follows from it: which objects go, by the delete rules, and which links are taken away.
///
/// It finds out everything before it changes anything, so that what is refused has changed nothing. Cascades are
/// followed in waves of numbers, in the order of the objects; neither cycles nor long chains need more than a set.
struct Deletion {
  private let session: WriteSession
  /// The objects that go, by the number of their entity.
  private var going: [UInt32: Set<UInt64>] = [:]
  /// Those of them whose cascades were not followed yet.
  private var waiting: [UInt32: [UInt64]] = [:]
  private let entities: [UInt32: StoredEntity]
  /// Asked now and then; once it says no, nothing more is done.
  private let goesOn: () -> Bool
  private var steps = 0
  /// Whether it was told to stop. Some of it may have been done by then.
  private(set) var wasStopped = false

  init(in session: WriteSession, goesOn: @escaping () -> Bool = { true }) {
    self.session = session
    self.goesOn = goesOn
    entities = Dictionary(session.schema.entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Takes a step; false once there are to be no more.
  private mutating func steps(_ count: Int = 1) -> Bool {
    steps += count
    if steps >= 256 {
      steps = 0
      if !wasStopped { wasStopped = !goesOn() }
    }
    return !wasStopped
  }

  /// Adds objects that go; how many there were that did not go already.
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

  /// Adds what the rule `cascade` takes along, until nothing more comes.
  mutating func cascade() throws(StoreError) {
    while !wasStopped, let (number, objects) = waiting.min(by: { $0.key < $1.key }) {
      waiting[number] = nil
      guard let entity = entities[number], !objects.isEmpty else { continue }
      let objects = objects.sorted()
      for end in session.schema.linkTable.ruledEnds(of: entity.name) where end.rule == .cascade {
        var others: [UInt64] = []
        try forEachOther(end, of: objects, in: entity) { others.append($1) }
        others.sort()
        _ = try add(others, of: end.other)
      }
    }
  }

  /// How many objects of each entity go, in the order of the entities' numbers.
  var counts: [(entity: StoredEntity, count: Int)] {
    going.sorted { $0.key < $1.key }.compactMap { number, objects in
      entities[number].flatMap { objects.isEmpty ? nil : ($0, objects.count) }
    }
  }

  /// Throws when the rule `deny` keeps one of the objects: others are at the end of its property, and stay.
  mutating func judge() throws(StoreError) {
    for (number, objects) in going.sorted(by: { $0.key < $1.key }) {
      guard let entity = entities[number] else { continue }
      for end in session.schema.linkTable.ruledEnds(of: entity.name) where end.rule == .deny {
        let goingToo = going[end.other.number] ?? []
        let writer = try session.writer(of: end.other)
        for object in objects.sorted() {
          guard steps() else { return }
          var staying: [UInt64] = []
          try forEachOther(end, of: [object], in: entity) { if !goingToo.contains($1) { staying.append($1) } }
          // The same one may be there several times; a link made in this write may lead to an object only to come.
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

  /// An object with the value of the unique property that it is known by.
  private func named(_ object: UInt64, of entity: StoredEntity) throws(StoreError) -> DeniedDelete.Named {
    let key = entity.indexes.first { $0.isUnique && $0.columns.count == 1 }?.columns.first
    guard let key, let name = try session.writer(of: entity).value(ObjectNumber(object), key), !name.isNull else {
      return DeniedDelete.Named(ObjectNumber(object))
    }
    return DeniedDelete.Named(ObjectNumber(object), name)
  }

  /// Takes away the links to the objects that go, then the objects.
  mutating func carryOut() throws(StoreError) {
    let going = going.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
    for (number, objects) in going {
      guard let entity = entities[number] else { continue }
      let targets = objects.sorted()
      for link in session.schema.linkTable.links(to: entity.name) {
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

  /// How many of the objects that keep one from being deleted are named.
  private static let namedObjects = 20
}
