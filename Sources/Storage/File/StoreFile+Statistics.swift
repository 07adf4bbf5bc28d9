internal import LMDB
internal import Schema

/// The content and the size of a file at one moment. Sizes of trees are whole pages, in bytes.
package struct FileStatistics: Sendable {
  /// The objects of an entity with their overflow values and the inverses of their links.
  package struct EntityUse: Sendable {
    package var entity: StoredEntity
    package var objects: Int
    package var bytes: Int
    /// What the clusters consist of.
    package var clusters: ClusterUse
  }

  /// A declared index.
  package struct IndexUse: Sendable {
    package var entity: StoredEntity
    package var index: StoredIndex
    package var entries: Int
    package var bytes: Int
    /// Whether `bytes` was derived from a part of the keys.
    package var isEstimated = false
  }

  /// In order of creation.
  package var entities: [EntityUse] = []
  /// By entity, in order of creation.
  package var indexes: [IndexUse] = []
  /// The schema, the changes of the latest commits, and the trees that lead to everything else.
  package var systemBytes = 0
  /// The version these figures are of.
  package var version = 0
  /// What could not be read: the figures leave it out.
  package var problems: [String] = []
  /// Statistics of the storage engine: size, free pages, readers.
  let environment: Environment.Statistics

  /// The size of the data file in bytes.
  package var fileBytes: Int { environment.fileSize }
  /// The number of free bytes in the file, which will be reused.
  package var freeBytes: Int { environment.freePages * environment.pageSize }
  /// The bytes of all pages in use.
  package var usedBytes: Int { max(environment.usedPages - environment.freePages, 0) * environment.pageSize }
  /// The address space reserved, in bytes.
  package var mapBytes: Int { environment.mapSize }
  package var pageBytes: Int { environment.pageSize }
  /// Readers, in all processes.
  package var readers: Int { environment.readers }
  /// The readers of the oldest versions, the oldest first and at most ten.
  package var oldestReaders: [StoreReader] { environment.oldestReaders.map(StoreReader.init) }
  /// Who is writing.
  package var writer: StoreWriter? { environment.writer.map(StoreWriter.init) }
  package var writerWaits: StoreWriterWaits { StoreWriterWaits(environment.waits) }
}

extension StoreFile {
  /// What the readers of this process that begin from now on say about themselves.
  package var label: String? {
    get { opened.environment.label.text }
    set { opened.environment.label = ReaderLabel(newValue ?? "") }
  }

  /// Counts the content. Reads no objects, and the same number of pages at most whatever the size of the store.
  package func statistics() throws(StoreError) -> FileStatistics {
    // The figures of the storage engine are those of the newest commit: those of the content are of the same one, unless
    // others commit all the time.
    for _ in 0..<3 {
      let statistics = try statisticsOnce()
      if statistics.version == statistics.environment.lastCommit { return statistics }
    }
    return try statisticsOnce()
  }

  private func statisticsOnce() throws(StoreError) -> FileStatistics {
    try StoreError.only(path) {
      var statistics = FileStatistics(
        environment: try onNewest { opened in try opened.environment.statistics() })
      try read { snapshot in
        statistics.version = snapshot.version
        statistics.systemBytes = statistics.environment.treePages * statistics.environment.pageSize
        for name in [Catalog.name, Catalog.spareName, CommitHistory.name] {
          guard let database = try snapshot.transaction.database(name) else { continue }
          statistics.systemBytes += statistics.bytes(of: [database], in: snapshot.transaction).bytes
        }
        for entity in snapshot.schema.entities { try statistics.add(entity, in: snapshot) }
      }
      return statistics
    }
  }
}

extension FileStatistics {
  fileprivate mutating func add(_ entity: StoredEntity, in snapshot: Snapshot) throws {
    let tables = try snapshot.reader(of: entity).tables
    let databases = Array(zip(entity.indexes, tables.indexes))
    let inverses = databases.filter { $0.0.isInverse }.map(\.1)
    var clusters = try snapshot.clusterUse(entity)
    problems += clusters.problems
    let own = bytes(of: [tables.objects, tables.values] + inverses, in: snapshot.transaction)
    clusters.isEstimated = clusters.isEstimated || own.isEstimated
    entities.append(
      EntityUse(
        entity: entity, objects: try snapshot.objectCount(entity), bytes: own.bytes, clusters: clusters))
    for (index, database) in databases where !index.isInverse {
      let own = bytes(of: [database], in: snapshot.transaction)
      indexes.append(
        IndexUse(
          entity: entity, index: index, entries: try snapshot.transaction.entryCount(database), bytes: own.bytes,
          isEstimated: own.isEstimated))
    }
  }

  /// The pages of some databases, in bytes. One that is damaged is named, and counted as its record in the file says.
  fileprivate mutating func bytes(
    of databases: [Database], in transaction: Transaction
  ) -> (bytes: Int, isEstimated: Bool) {
    var (pages, isEstimated) = (0, false)
    for database in databases {
      do throws(LMDBError) {
        let use = try transaction.pageUse(database)
        pages += use.total
        isEstimated = isEstimated || use.isEstimated
      } catch {
        problems.append("\(error)")
        isEstimated = true
        pages += (try? transaction.pageCount(database)) ?? 0
      }
    }
    return (pages * environment.pageSize, isEstimated)
  }
}
