internal import Storage

/// The number of objects in a store and the space it takes, at one moment.
public struct StoreStatistics: Hashable, Sendable {
  /// The number of objects of an entity and the bytes they take, without indexes.
  public struct EntityUse: Hashable, Sendable {
    /// The entity's name.
    public var name: String
    /// The number of objects.
    public var objects: Int
    /// The bytes in the file, in whole pages.
    public var bytes: Int
  }

  /// The number of entries of an index and the bytes they take.
  public struct IndexUse: Hashable, Sendable {
    /// The entity it belongs to.
    public var entity: String
    /// The index as declared.
    public var index: Index
    /// The number of entries: one for each object.
    public var entries: Int
    /// The bytes in the file, in whole pages.
    public var bytes: Int
  }

  /// The entities, in order of creation.
  public var entities: [EntityUse]
  /// The indexes, by entity in order of creation.
  public var indexes: [IndexUse]
  /// Size of the data file, in bytes.
  public var fileBytes: Int
  /// The bytes of the file that are free and will be reused.
  public var freeBytes: Int
  /// Address space reserved for the file to grow into, in bytes.
  public var mapBytes: Int
  /// The last committed version.
  public var version: Int
  /// The number of readers, in all processes.
  public var readers: Int
  /// The oldest version still being read by any process; nil without readers. Pages freed since then can't be reused:
  /// while it is far behind `version`, the file grows.
  public var oldestReader: Int?
}

extension Store {
  /// The number of objects in the store and the space it takes. The time does not depend on the size of the store.
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
