internal import LMDB
internal import Schema

/// The schema, the clusters and the long values that are left of a damaged store, wherever they were found.
///
/// It does not know which of them are sound, except for the records of the catalog.
struct Remains {
  /// A cluster, as far as its first bytes tell.
  struct Cluster {
    let bytes: UnsafeRawBufferPointer
    let number: UInt64
    let transaction: UInt64
    /// Whether the tree of its entity led to it.
    let isInTree: Bool
  }

  /// What stands under a key of an entity's tree and is not a cluster of it.
  struct Misplaced {
    let number: UInt64
    let page: Int
  }

  let file: DamagedFile
  /// What else a person must know of the state that was read.
  private(set) var notes: [String]
  private(set) var record = CatalogSchema()
  /// The counters of entities, by number.
  private(set) var states: [UInt32: EntityState] = [:]
  /// The least number for the next object of entities, by number, by counters that no tree leads to: these may be of any
  /// commit.
  private(set) var nextObjects: [UInt32: UInt64] = [:]
  /// The clusters, by the number of their entity.
  private(set) var clusters: [UInt32: [Cluster]] = [:]
  private(set) var misplaced: [UInt32: [Misplaced]] = [:]
  /// Long values in the tree of their entity, by its number.
  private(set) var longValues: [UInt32: [OutOfLineKey: UnsafeRawBufferPointer]] = [:]
  /// Long values that no tree leads to.
  let strayValues = StrayValues()
  /// The header of the catalog: that of the tree, else the newest that no tree leads to.
  private var header: (record: CatalogHeader, isInTree: Bool)?
  private var schemas: [CatalogSchema] = []

  /// Reads the data file of the store in a directory. A store that a newer program wrote is refused, as by opening it.
  init(_ directory: String, _ wait: WriteWait) throws {
    file = try DamagedFile(directory)
    notes = file.notes
    var steps = 0
    try file.forEachValue(isWanted: { $0 == Catalog.name || $0 == Catalog.spareName || "ov".contains($0.prefix(1)) }) {
      found in
      steps += 1
      if steps & 0xFFFF == 0, wait.isOver { throw StoreError.cancelled }
      gather(found)
    }
    if let header {
      try header.record.refuseUnknown(directory)
    } else {
      notes.append(
        "the header in the catalog is damaged: if a newer version wrote the store, some of what it has may be unknown to "
          + "this one")
    }
    guard let newest = schemas.max(by: { $0.version < $1.version }) else {
      throw StoreError.corrupted(location: "the schema in the catalog: neither it nor its copy can be read")
    }
    record = newest
  }

  private mutating func gather(_ found: DamagedFile.Found) {
    let owner = found.database.flatMap { UInt32($0.dropFirst()) }
    if let (entity, cluster) = cluster(found) {
      clusters[entity, default: []].append(cluster)
    } else if let owner, found.database?.first == "o" {
      let number = found.key.count == 8 ? found.key.loadUnaligned(as: UInt64.self) : 0
      misplaced[owner, default: []].append(Misplaced(number: number, page: page(of: found.value)))
    } else if let owner, found.database?.first == "v" {
      if let key = LongValues.name(found.key) { longValues[owner, default: [:]][key] = found.value }
    } else if found.key.elementsEqual("header".utf8) {
      gather(header: found.value, isInTree: found.database != nil)
    } else if found.key.elementsEqual("schema".utf8) {
      if let schema = try? CatalogSchema(record: found.value) { schemas.append(schema) }
    } else if found.key.count == 9, found.key.prefix(5).elementsEqual("state".utf8) {
      guard let state = try? EntityState(record: found.value) else { return }
      let entity = found.key.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
      if found.database != nil { states[entity] = state }
      nextObjects[entity] = max(state.nextObject, nextObjects[entity] ?? 1)
    } else if found.database == nil {
      if let key = LongValues.name(found.key) {
        strayValues.add(found.value, under: key)
      } else if found.isAlone {
        strayValues.add(found.value)
      }
    }
  }

  /// The header also of a newer format counts only with its checksum: otherwise its number may be what is damaged.
  private mutating func gather(header bytes: UnsafeRawBufferPointer, isInTree: Bool) {
    guard (try? RecordReader(sealed: bytes)) != nil, let record = try? CatalogHeader(record: bytes) else { return }
    if !isInTree, let header, header.isInTree || header.record.schemaVersion >= record.schemaVersion { return }
    header = (record, isInTree)
  }

  /// The cluster that a value is, by its first bytes.
  private func cluster(_ found: DamagedFile.Found) -> (entity: UInt32, Cluster)? {
    typealias Header = ClusterFormat.Header
    let bytes = found.value
    guard bytes.count >= ClusterFormat.headerSize,
      bytes.loadUnaligned(fromByteOffset: Header.magic, as: UInt32.self) == ClusterFormat.magic
    else { return nil }
    let length = Int(bytes.loadUnaligned(fromByteOffset: Header.totalLength, as: UInt32.self))
    guard length >= ClusterFormat.headerSize, length <= bytes.count, !found.isExact || length == bytes.count else {
      return nil
    }
    let entity = bytes.loadUnaligned(fromByteOffset: Header.entity, as: UInt32.self)
    if let database = found.database, database != "o\(entity)" { return nil }
    return (
      entity,
      Cluster(
        bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(length)),
        number: bytes.loadUnaligned(fromByteOffset: Header.number, as: UInt64.self),
        transaction: bytes.loadUnaligned(fromByteOffset: Header.transaction, as: UInt64.self),
        isInTree: found.database != nil)
    )
  }

  /// The page that bytes of the file begin on.
  func page(of bytes: UnsafeRawBufferPointer) -> Int { bytes.baseAddress.map { file.page(of: $0) } ?? 0 }
}
