public import Storage

/// The number of objects in a store, the space that everything takes, and who reads and writes it, at one moment.
///
/// ```swift
/// let statistics = try store.statistics()
/// for entity in statistics.entities {
///   print(entity.name, entity.objects, entity.bytes, entity.columns.map { "\($0.path): \($0.bytes)" })
/// }
/// ```
///
/// `usedBytes` is the sum of the bytes of all entities and indexes and of `systemBytes`, and `usedBytes` and
/// `freeBytes` together are the pages of the file, unless something is estimated.
public struct StoreStatistics: Hashable, Sendable {
  /// The number of objects of an entity and the bytes they take, without declared indexes.
  public struct EntityUse: Hashable, Sendable {
    /// The entity's name.
    public var name: String
    /// The number of objects.
    public var objects: Int
    /// The bytes in the file, in whole pages: columns, overflow values, the inverses of links, and unused ends of
    /// pages.
    public var bytes: Int
    /// The number of clusters, of up to 256 objects each.
    public var clusters: Int
    /// What each column takes, in order of declaration.
    public var columns: [ColumnUse]
    /// The bytes of properties that the schema no longer has, in clusters that were not written since.
    public var removedBytes: Int
    /// Whether the figures of the columns were derived from 4,096 of the clusters, which are evenly spread, or those of
    /// links from a part of them.
    public var isEstimated: Bool
  }

  /// What a property takes within the clusters of its entity; of a struct each of its properties, by its dotted path.
  public struct ColumnUse: Hashable, Sendable {
    /// The property, with the structs that it is within: `location.latitude`.
    public var path: String
    /// The number of clusters that have it, each with one chunk.
    public var chunks: Int
    /// The bytes of the chunks, and of their entries in the directories of the clusters.
    public var bytes: Int
    /// The number of values that are stored outside the clusters, since they are long.
    public var overflowValues: Int
    /// The sum of the sizes of these values, in bytes.
    public var overflowBytes: Int
    /// How the chunks are encoded, the encoding with the most bytes first.
    public var encodings: [EncodingUse]
  }

  /// The chunks of a column that have the same encoding.
  public struct EncodingUse: Hashable, Sendable {
    /// Its name, as the page on the file format has it: `int8`, `dictionary`.
    public var name: String
    /// The number of chunks.
    public var chunks: Int
    /// Their bytes.
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
    /// Whether `bytes` was derived from a part of its keys.
    public var isEstimated: Bool
  }

  /// The entities, in order of creation.
  public var entities: [EntityUse]
  /// The indexes, by entity in order of creation.
  public var indexes: [IndexUse]
  /// The bytes of everything else in use: the schema, the changes of the latest commits, the lists of free pages.
  public var systemBytes: Int
  /// Size of the data file, in bytes.
  public var fileBytes: Int
  /// The bytes of the file's pages that are in use.
  public var usedBytes: Int
  /// The bytes of the file that are free and will be reused.
  public var freeBytes: Int
  /// The size of a page, in bytes.
  public var pageBytes: Int
  /// Address space reserved for the file to grow into, in bytes.
  public var mapBytes: Int
  /// The last committed version.
  public var version: Int
  /// The number of readers, in all processes.
  public var readers: Int
  /// The readers of the oldest versions, in any process, the oldest first and at most ten. Pages freed since the first
  /// of them began can't be reused: while it is far behind `version`, the file grows.
  public var oldestReaders: [StoreReader]
  /// The reader of the oldest version, in any process; nil without readers.
  public var oldestReader: StoreReader? { oldestReaders.first }
  /// Who is writing; nil if nobody is.
  public var writer: StoreWriter?
  /// The waits of this process for other writers.
  public var writerWaits: StoreWriterWaits
  /// What could not be read because it is damaged, and is missing in the figures; `check` tells more.
  public var problems: [String]
}

extension Store {
  /// The number of objects in the store, the space that everything takes, and who reads and writes it.
  ///
  /// Damage is no error here: what can't be read is named in `problems`.
  ///
  /// - Throws: `StoreError` when the store can't be read at all.
  /// - Complexity: Linear in the number of clusters and pages up to a limit, 4,096 of each entity and index, beyond
  ///   which the figures for columns and indexes are estimated and say so.
  public func statistics() throws -> StoreStatistics { StoreStatistics(try file.statistics()) }
}

extension StoreStatistics {
  fileprivate init(_ found: FileStatistics) {
    self.init(
      entities: found.entities.map(EntityUse.init),
      indexes: found.indexes.map {
        IndexUse(
          entity: $0.entity.name, index: $0.index.index, entries: $0.entries, bytes: $0.bytes,
          isEstimated: $0.isEstimated)
      },
      systemBytes: found.systemBytes, fileBytes: found.fileBytes, usedBytes: found.usedBytes,
      freeBytes: found.freeBytes, pageBytes: found.pageBytes, mapBytes: found.mapBytes, version: found.version,
      readers: found.readers, oldestReaders: found.oldestReaders, writer: found.writer, writerWaits: found.writerWaits,
      problems: found.problems)
  }
}

extension StoreStatistics.EntityUse {
  fileprivate init(_ found: FileStatistics.EntityUse) {
    self.init(
      name: found.entity.name, objects: found.objects, bytes: found.bytes, clusters: found.clusters.clusters,
      columns: found.clusters.columns.map { column in
        StoreStatistics.ColumnUse(
          path: column.path, chunks: column.chunks, bytes: column.bytes, overflowValues: column.overflowValues,
          overflowBytes: column.overflowBytes,
          encodings: column.encodings.map {
            StoreStatistics.EncodingUse(name: $0.name, chunks: $0.chunks, bytes: $0.bytes)
          })
      },
      removedBytes: found.clusters.removedBytes, isEstimated: found.clusters.isEstimated)
  }
}
