public import Schema
internal import Storage

extension Store {
  /// Determines what `migrate(to:)` would do, and changes nothing.
  ///
  /// ```swift
  /// print(try store.migrationPreview(to: SchemaText.parse(text)))
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The whole schema that the store would have.
  ///   - cancellation: Cancels the preview.
  /// - Returns: The changes, and the reasons for which the migration would be refused.
  /// - Throws: `StoreError`: `unsupported` for a schema that is invalid in itself, `cancelled`, or when the store can't
  ///   be read. Reasons for a refusal are part of the preview.
  /// - Complexity: Linear in the number of objects whose values are converted, filled, lost or to be unique.
  public func migrationPreview(to schema: Schema, cancellation: Cancellation? = nil) throws -> MigrationPreview {
    let schema = try schema.usable.schema
    return MigrationPreview(
      try file.preview(wait: cancellation.wait) { current in
        SchemaDeclaration(schema, removing: current.partsLacking(in: schema))
      })
  }

  /// Gives the store a schema: what the schema has is added, renamed or converted as by `declare(_:)`, and **what it
  /// lacks is removed**, with its values. All of it happens in one commit, or nothing.
  ///
  /// ```swift
  /// let schema = try SchemaText.parse(text)
  /// print(try store.migrationPreview(to: schema))
  /// try store.migrate(to: schema)
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The whole schema. `originalName` says what was renamed: without it, one property goes and another
  ///     comes.
  ///   - preview: What somebody was shown; if anything else would change by now, nothing is. nil for whatever changes.
  ///   - cancellation: Cancels the migration, also while it waits for another writer or builds an index; nothing is
  ///     changed.
  /// - Returns: The changes of the schema.
  /// - Throws: `StoreError`: `migrationNeeded`, naming each change that can't be made this way, or when the changes are
  ///   no longer those of `preview`; `unsupported` for a schema that is invalid in itself; `limitExceeded` for too many
  ///   columns; `busy`, `cancelled`, `full`, `readOnly`. Nothing is changed.
  @discardableResult
  public func migrate(
    to schema: Schema, as preview: MigrationPreview? = nil, cancellation: Cancellation? = nil
  ) throws -> [SchemaChange] {
    let schema = try schema.usable.schema
    try limits.check(schema)
    let shown = preview?.changes.map(\.line)
    return try file.evolve(timeout: busyTimeout, wait: cancellation.wait, expecting: shown) { current in
      SchemaDeclaration(schema, removing: current.partsLacking(in: schema))
    }
  }
}
