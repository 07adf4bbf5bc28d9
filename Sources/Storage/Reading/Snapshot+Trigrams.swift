extension Snapshot {
  /// The reader of a trigram index. An incomplete index is refused.
  package final func trigrams(_ index: StoredIndex, of entity: StoredEntity) throws(StoreError) -> TrigramReader {
    try reader(of: entity).ownReader(of: index)
  }
}
