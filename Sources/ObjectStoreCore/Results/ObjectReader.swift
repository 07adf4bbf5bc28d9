internal import QueryEngine
internal import Storage
internal import Values

/// Makes items from object IDs, in one snapshot.
protocol ObjectReader {
  associatedtype Item

  /// The item of an object; nil if the object does not exist.
  mutating func item(_ number: ObjectNumber) throws -> Item?
  /// The item of an object that was found in the same snapshot.
  mutating func existing(_ number: ObjectNumber) throws -> Item
}

extension ObjectReader {
  mutating func existing(_ number: ObjectNumber) throws -> Item {
    guard let item = try item(number) else { throw StoreError.missing(number) }
    return item
  }
}

extension StoreError {
  /// An object that was found is not there.
  static func missing(_ number: ObjectNumber) -> StoreError {
    .corrupted(location: "object \(number.rawValue), which an index or a cluster named, is not there")
  }
}

extension Selection {
  /// Makes a reader for a snapshot.
  typealias MakeReader<Reader: ObjectReader> = (Snapshot, StoredEntity) throws -> Reader

  /// The first object; nil if there is none.
  func first<Reader: ObjectReader>(_ make: MakeReader<Reader>) throws -> Reader.Item? {
    try source.read { snapshot in
      guard let (entity, id) = try first(in: snapshot) else { return nil }
      var reader = try make(snapshot, entity)
      return try reader.existing(id)
    }
  }

  /// The last object; nil if there is none.
  func last<Reader: ObjectReader>(_ make: MakeReader<Reader>) throws -> Reader.Item? {
    try source.read { snapshot in
      guard let (entity, id) = try last(in: snapshot) else { return nil }
      var reader = try make(snapshot, entity)
      return try reader.existing(id)
    }
  }

  /// The object at a position.
  func item<Reader: ObjectReader>(at index: Int, _ make: MakeReader<Reader>) throws -> Reader.Item {
    try source.read { snapshot in
      let (entity, id) = try object(at: index, in: snapshot)
      var reader = try make(snapshot, entity)
      return try reader.existing(id)
    }
  }

  /// All objects in order.
  func items<Reader: ObjectReader>(_ make: MakeReader<Reader>) throws -> [Reader.Item] {
    try evaluate { snapshot, entity, ids in
      var reader = try make(snapshot, entity)
      var items: [Reader.Item] = []
      items.reserveCapacity(ids.count)
      for id in ids { items.append(try reader.existing(id)) }
      return items
    }
  }

  /// Calls `body` with each object in order.
  ///
  /// In a write, `body` may change the store, which ends every view of it. So some objects are read, passed on, and
  /// then the next ones are read; an object that was deleted in between is skipped.
  func forEach<Reader: ObjectReader>(
    _ make: MakeReader<Reader>, _ body: (Reader.Item) throws -> Void
  ) throws {
    guard !source.keepsVersions else {
      return try source.following { snapshot in
        let (entity, ids) = try found(in: snapshot)
        var reader = try make(snapshot, entity)
        for id in ids { try body(try reader.existing(id)) }
      }
    }
    let ids = try self.ids
    for start in stride(from: 0, to: ids.count, by: 256) {
      let items = try read { snapshot, query in
        var reader = try make(snapshot, query.entity)
        return try ids[start..<Swift.min(start + 256, ids.count)].compactMap { try reader.item($0) }
      }
      try ThreadState.current.reading(in: source) {
        for item in items { try body(item) }
      }
    }
  }
}
