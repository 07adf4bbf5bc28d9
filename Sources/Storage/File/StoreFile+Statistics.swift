package import LMDB
internal import Schema

/// The content and the size of a file at one moment. Sizes are whole pages, in bytes.
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
  /// Statistics of the storage engine: size, free pages, readers.
  package var environment: Environment.Statistics

  /// The size of the data file in bytes.
  package var fileBytes: Int { environment.fileSize }
  /// The number of free bytes in the file, which will be reused.
  package var freeBytes: Int { environment.freePages * environment.pageSize }
  /// The address space reserved, in bytes.
  package var mapBytes: Int { environment.mapSize }
  /// Readers, in all processes.
  package var readers: Int { environment.readers }
  /// The number of commits since that of the oldest reader of any process.
  package var oldestReaderLag: Int { environment.oldestReaderLag }
}

extension StoreFile {
  /// Counts the content. Reads no objects.
  package func statistics() throws(StoreError) -> FileStatistics {
    try StoreError.only(path) {
      var statistics = FileStatistics(
        environment: try onNewest { opened in try opened.environment.statistics() })
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
