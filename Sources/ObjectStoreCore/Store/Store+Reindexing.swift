internal import Diagnostics
public import Schema
internal import Storage

extension Store {
  /// The indexes in which damage was found, by this process or, if something was written since, by another. Queries do
  /// without them, and writes leave them alone, until `reindex` builds them anew. An index without which nothing can be
  /// written, of unique values or of links, is built anew by the next write.
  ///
  /// ```swift
  /// for index in try store.damagedIndexes { print(index) }
  /// ```
  ///
  /// Damage is found by who reads a damaged page, whose query throws `corrupted`, and by `check()`.
  ///
  /// - Throws: `StoreError` when the store can't be read.
  public var damagedIndexes: [SchemaPart] {
    get throws { try file.damagedIndexes().map { SchemaPart.index(entity: $0.entity, $0.index) } }
  }

  /// Builds indexes anew from the objects, in one commit.
  ///
  /// ```swift
  /// _ = try store.check()                              // finds what is damaged
  /// for index in try store.reindex() { print(index) }  // @indexed Quake.magnitude
  /// ```
  ///
  /// Takes time in proportion to the number of objects.
  ///
  /// - Parameters:
  ///   - names: The indexes, by their entity and their properties (`"Quake.magnitude"`, `"Quake.magnitude+time"`), of
  ///     whatever kind; the inverse of a link by the link. Without names, those in which damage was found.
  ///   - cancellation: Cancels the work; nothing is changed then.
  /// - Returns: The indexes that were built.
  /// - Throws: `StoreError`: `corrupted` when objects are damaged too; `unsupported` when there is no such index;
  ///   `busy`, `cancelled`, `full`, `readOnly`.
  @discardableResult
  public func reindex(_ names: [String] = [], cancellation: Cancellation? = nil) throws -> [SchemaPart] {
    if !names.isEmpty {
      let schema = try file.currentSchema()
      let known = schema.entities.flatMap { entity in entity.indexes.map { "\(entity.name).\($0.name)" } }
      for name in names where !known.contains(name) {
        let meant = Suggestion.nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
        throw StoreError.unsupported("there is no index \(name)\(meant)")
      }
    }
    return try file.reindex(
      timeout: busyTimeout, wait: cancellation.wait,
      names.isEmpty ? nil : { entity, index in names.contains("\(entity.name).\(index.name)") }
    ).map { SchemaPart.index(entity: $0.entity, $0.index) }
  }
}
