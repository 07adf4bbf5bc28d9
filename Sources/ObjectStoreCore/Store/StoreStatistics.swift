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
  /// The oldest version still being read, by any process; nil when nobody reads. It pins free pages: while it
  /// lags far behind `version` the file grows.
  public var oldestReader: Int?
}
