package import Schema

extension StoreFile {
  /// Makes a declaration from the newest schema of the file, and gives the file that, in one commit. Nobody can change
  /// the schema between the two.
  ///
  /// - Parameters:
  ///   - shown: The lines of a preview; if it is not the same any more, `changedSince` is thrown. nil for anything.
  ///   - declaration: Makes the declaration; if it throws, nothing is changed.
  /// - Returns: The changes of the schema.
  @discardableResult
  package func evolve(
    timeout: Duration? = nil, wait: WriteWait = WriteWait(), expecting shown: [String]? = nil,
    _ declaration: (Schema) throws -> SchemaDeclaration
  ) throws -> [SchemaChange] {
    defer { commits.noteCommit() }
    return try StoreError.translating(path) {
      try writeEngine(timeout: timeout, wait: wait) { transaction in
        let catalog = try self.catalog(in: transaction)
        let before = catalog.record.schema
        let declared = try declaration(before)
        if let shown {
          let snapshot = Snapshot(transaction: transaction, catalog: catalog, path: path)
          guard try self.preview(in: snapshot, wait, declared).changes.map(\.line) == shown else {
            throw StoreError.migrationNeeded([
              "the store was changed since it was shown what would change: look at that again; nothing was changed"
            ])
          }
        }
        let migration = try self.plan(of: catalog, declared)
        guard migration.isChange || !migration.problems.isEmpty else { return [] }
        try self.carryOut(migration, from: catalog, in: transaction, wait: wait)
        return SchemaDifference(from: before, to: migration.target.schema.withOriginalNames(of: declared.schema))
          .changes
      }
    }
  }
}
