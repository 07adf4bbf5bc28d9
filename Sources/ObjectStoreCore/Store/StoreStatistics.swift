internal import Storage

/// How much a store holds and what it takes, as of one moment.
public struct StoreStatistics: Hashable, Sendable {
  /// An entity's objects and the bytes they take, indexes left out.
  public struct EntityUse: Hashable, Sendable {
    /// The entity's name.
    public var name: String
    /// How many objects.
    public var objects: Int
    /// Bytes in the file, whole pages.
    public var bytes: Int
  }

  /// An index's entries and the bytes they take.
  public struct IndexUse: Hashable, Sendable {
    /// The entity it belongs to.
    public var entity: String
    /// The index as declared.
    public var index: Index
    /// How many entries: one for each object.
    public var entries: Int
    /// Bytes in the file, whole pages.
    public var bytes: Int
  }

  /// The entities, in order of creation.
  public var entities: [EntityUse]
  /// The indexes, by entity in order of creation.
  public var indexes: [IndexUse]
  /// Size of the data file, in bytes.
  public var fileBytes: Int
  /// Bytes of the file that hold nothing and will be used again.
  public var freeBytes: Int
  /// Address space reserved for the file to grow into, in bytes.
  public var mapBytes: Int
  /// The last committed version.
  public var version: Int
  /// How many readers there are, in all processes.
  public var readers: Int
  /// The oldest version still being read, by any process; nil when nobody reads. It pins the pages freed since: while
  /// it lags far behind `version` the file grows.
  public var oldestReader: Int?
}

extension Store {
  /// How much the store holds and what it takes. Takes no longer for a large store.
  ///
  /// - Throws: `StoreError` when the store can't be read.
  public func statistics() throws -> StoreStatistics {
    let found = try file.statistics()
    return StoreStatistics(
      entities: found.entities.map {
        StoreStatistics.EntityUse(name: $0.entity.name, objects: $0.objects, bytes: $0.bytes)
      },
      indexes: found.indexes.map {
        StoreStatistics.IndexUse(
          entity: $0.entity.name, index: $0.index.index, entries: $0.entries, bytes: $0.bytes)
      },
      fileBytes: found.fileBytes, freeBytes: found.freeBytes, mapBytes: found.mapBytes, version: found.version,
      readers: found.readers, oldestReader: found.readers > 0 ? found.version - found.oldestReaderLag : nil)
  }
}
