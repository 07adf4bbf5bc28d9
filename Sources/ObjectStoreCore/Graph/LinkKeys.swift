internal import Storage
package import Values

/// Finds the target objects of links by their unique property, in one write transaction.
///
/// For many links to existing objects; `GraphInserter` adds missing ones.
package final class LinkKeys {
  private let transaction: WriteTransaction
  private let entity: StoredEntity
  private let index: StoredIndex?

  init(_ entity: StoredEntity, _ transaction: WriteTransaction) {
    self.entity = entity
    self.transaction = transaction
    index = entity.indexes.first { $0.isUnique && $0.columns.count == 1 }
  }

  /// The object with a value of that property, including objects added by the transaction; nil if there is none, or no
  /// such property.
  package func number(with value: Value) throws -> ObjectNumber? {
    guard let index, !value.isNull else { return nil }
    return try transaction.session.find(unique: index, value, of: entity)
  }
}

extension WriteTransaction {
  /// Finds the objects of an entity by the unique property by which links to them are written.
  ///
  /// - Throws: `StoreError.unknownEntity`.
  package func keys(of entity: String) throws -> LinkKeys { LinkKeys(try self.entity(named: entity), self) }
}
