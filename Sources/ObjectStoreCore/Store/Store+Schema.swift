public import Schema
internal import Storage

extension Store {
  /// The schema in the file, as of the last commit by any process.
  ///
  /// ```swift
  /// for entity in try store.schema.entities { print(entity.name, entity.properties.map(\.name)) }
  /// ```
  ///
  /// - Throws: `StoreError` when the store can't be read.
  public var schema: Schema { get throws { try file.read { $0.schema.schema } } }

  /// Applies a declared schema to the file, as opening it with models does: new properties and indexes are added,
  /// renamed properties keep their values, and everything else in the file stays, except the parts that `removing`
  /// names.
  ///
  /// ```swift
  /// for note in try store.declare(SchemaText.parse(text)) { print(note) }
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The entities.
  ///   - removing: The parts to remove from the file, as for
  ///     `init(_:models:mode:removing:keeping:migration:cancellation:)`.
  ///   - keeping: Properties that `schema` lacks and that were not renamed.
  ///   - cancellation: Cancels the change, also while it waits for another writer or builds an index; nothing is
  ///     changed.
  /// - Returns: A sentence for each name that matches nothing in the file, which may be a mistake.
  /// - Throws: `StoreError`: `migrationNeeded`, naming each change that can't be made this way; `unsupported` for a
  ///   schema that is invalid in itself; `limitExceeded` for too many columns; `busy`, `cancelled`, `full`, `readOnly`.
  ///   Nothing is changed.
  @discardableResult
  public func declare(
    _ schema: Schema, removing: [String] = [], keeping: [String] = [], cancellation: Cancellation? = nil
  ) throws -> [String] {
    let schema = try schema.usable.schema
    try limits.check(schema)
    return try file.declare(
      SchemaDeclaration(schema, removing: removing, keeping: keeping),
      timeout: busyTimeout, wait: cancellation.wait)
  }

  /// The parts that `remove` would remove for these names: the named parts, with their indexes and inverses.
  ///
  /// ```swift
  /// for part in try store.contents(of: ["Doc.body"]) { print(part.part, part.count ?? 0) }
  /// ```
  ///
  /// - Parameters:
  ///   - names: As for `remove`.
  ///   - cancellation: Cancels the counting.
  /// - Throws: `StoreError`: `migrationNeeded`, under the same conditions as `remove`; `cancelled`.
  /// - Complexity: Linear in the number of objects of the named entities and of the entities of named properties.
  public func contents(of names: [String], cancellation: Cancellation? = nil) throws -> [StoredPart] {
    try file.read { try $0.parts(removing: names, wait: cancellation.wait) }.map {
      StoredPart($0.part, $0.type, $0.count)
    }
  }

  /// Removes entities, properties and indexes from the file, with what is stored in them: all of them, or none.
  ///
  /// ```swift
  /// try store.remove(["Doc.body", "@unique User.email"])
  /// ```
  ///
  /// - Parameters:
  ///   - names: As for `removing` of `init(_:models:mode:removing:keeping:migration:cancellation:)`.
  ///   - cancellation: Cancels the wait for another writer.
  /// - Throws: `StoreError`: `migrationNeeded` for parts that can't be removed (an invalid name, an entity that others
  ///   link to, a property of a struct at only one of several places where the struct is used); `busy`, `cancelled`,
  ///   `full`, `readOnly`.
  public func remove(_ names: [String], cancellation: Cancellation? = nil) throws {
    try file.declare(SchemaDeclaration(Schema(), removing: names), timeout: busyTimeout, wait: cancellation.wait)
  }
}
