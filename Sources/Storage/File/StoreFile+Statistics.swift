package import LMDB
internal import Schema

/// How much a file holds and what it takes, as of one moment. Sizes are whole pages, in bytes.
package struct FileStatistics: Sendable {
  /// The objects of an entity with their long values and the inverses of their links.
  package struct EntityUse: Sendable {
    package var entity: StoredEntity
    package var objects: Int
    package var bytes: Int
  }

  /// A declared index.
  package struct IndexUse: Sendable {
    package var entity: StoredEntity
    package var index: StoredIndex
    package var entries: Int
    package var bytes: Int
  }

  /// In order of creation.
  package var entities: [EntityUse] = []
  /// By entity, in order of creation.
  package var indexes: [IndexUse] = []
  /// The version these figures are of.
  package var version = 0
  /// What the storage engine knows of the file: size, free pages, readers.
  package var environment: Environment.Statistics

  /// The size of the data file in bytes.
  package var fileBytes: Int { environment.fileSize }
  /// Bytes of the file that hold nothing and will be used again.
  package var freeBytes: Int { environment.freePages * environment.pageSize }
  /// The address space reserved, in bytes.
  package var mapBytes: Int { environment.mapSize }
  /// Readers, in all processes.
  package var readers: Int { environment.readers }
  /// How many commits the oldest reader of any process is behind.
  package var oldestReaderLag: Int { environment.oldestReaderLag }
}

extension StoreFile {
  /// How much there is of everything. Reads no objects.
  package func statistics() throws(StoreError) -> FileStatistics {
    try StoreError.only(path) {
      var statistics = FileStatistics(environment: try environment.statistics())
      try read { snapshot in
        statistics.version = snapshot.version
        for entity in snapshot.schema.entities {
          let tables = try snapshot.reader(of: entity).tables
          var pages = try snapshot.transaction.pageCount(tables.objects) + snapshot.transaction.pageCount(tables.values)
          for (index, database) in zip(entity.indexes, tables.indexes) where index.isInverse {
            pages += try snapshot.transaction.pageCount(database)
          }
          statistics.entities.append(
            FileStatistics.EntityUse(
              entity: entity, objects: try snapshot.objectCount(entity), bytes: pages * environment.pageSize))
          for (index, database) in zip(entity.indexes, tables.indexes) where !index.isInverse {
            statistics.indexes.append(
              FileStatistics.IndexUse(
                entity: entity, index: index, entries: try snapshot.transaction.entryCount(database),
                bytes: try snapshot.transaction.pageCount(database) * environment.pageSize))
          }
        }
      }
      return statistics
    }
  }
}
