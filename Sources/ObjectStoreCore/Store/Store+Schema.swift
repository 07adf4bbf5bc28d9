public import Schema
internal import Storage

extension Store {
  /// The schema in the file, as of the last commit by any process.
  public var schema: Schema { get throws { try file.read { $0.schema.schema } } }

  /// Gives the file what is declared, as opening it with models does: new properties and indexes are added, renamed ones
  /// keep their values, and whatever else is in the file stays, except what `removing` names.
  ///
  /// - Parameters:
  ///   - schema: The entities.
  ///   - removing: What goes from the file, as `init(_:models:mode:removing:keeping:migration:cancellation:)` says.
  ///   - keeping: Properties that `schema` lacks and that were not renamed.
  ///   - cancellation: Stops it from outside, also while it waits for another writer or builds an index; then nothing
  ///     is changed.
  /// - Returns: A sentence for each name that stands for nothing, which may be a mistake.
  /// - Throws: `StoreError.migrationNeeded`, naming each change that can't be made so; then nothing is changed.
  @discardableResult
  public func declare(
    _ schema: Schema, removing: [String] = [], keeping: [String] = [], cancellation: Cancellation? = nil
  ) throws -> [String] {
    try file.declare(
      SchemaDeclaration(try schema.usable.schema, removing: removing, keeping: keeping),
      timeout: busyTimeout, wait: cancellation.wait)
  }

  /// What would go if `remove` were given these names: what they name, and the indexes and inverses that go with it.
  ///
  /// - Throws: `StoreError.migrationNeeded`, as `remove`.
  /// - Complexity: Linear in the number of objects of the entities named, and of those with properties named.
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
  ///   - cancellation: Stops it while it waits for another writer.
  /// - Throws: `StoreError.migrationNeeded` for what can't be removed: a name that can be none, an entity that others
  ///   link to, a struct's property at one of several places.
  public func remove(_ names: [String], cancellation: Cancellation? = nil) throws {
    try file.declare(SchemaDeclaration(Schema(), removing: names), timeout: busyTimeout, wait: cancellation.wait)
  }
}
