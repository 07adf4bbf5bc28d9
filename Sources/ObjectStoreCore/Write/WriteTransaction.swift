/// A write transaction: what `Store.write` hands to its closure. It ends with the closure.
public final class WriteTransaction {
  init() {}

  /// A fast way in for objects of an entity known by name only.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - upsertKey: The path of a property with a unique index: a row whose value is there already replaces that
  ///     object's values instead of adding another. nil always adds.
  public func inserter(for entity: String, upsertKey: String? = nil) throws -> RowInserter { throw StoreError.unsupported("not yet") }

  /// The objects of an entity as this transaction sees them.
  public func objects(_ entity: String) throws -> DynamicResults { throw StoreError.unsupported("not yet") }

  /// Deletes the objects of `results`; how many there were.
  @discardableResult
  public func delete(_ results: DynamicResults) throws -> Int { throw StoreError.unsupported("not yet") }

  /// Deletes one object; false when there was none of that number.
  @discardableResult
  public func delete(_ id: ObjectNumber, of entity: String) throws -> Bool { throw StoreError.unsupported("not yet") }

  /// Changes some properties of one object, by dotted path.
  public func update(_ id: ObjectNumber, of entity: String, _ changes: [String: Value]) throws { throw StoreError.unsupported("not yet") }

  /// Runs one statement in this transaction: queries see what it has written.
  public func run(
    _ statement: StatementSyntax, source: String, arguments: Arguments = Arguments(),
    definitions: [String: PredicateSyntax] = [:], defaultEntity: String? = nil, cancellation: Cancellation? = nil
  ) throws -> StatementResult { throw StoreError.unsupported("not yet") }
}
