package import Schema

extension StoreFile {
  /// Makes a declaration from the newest schema of the file, and gives the file that, in one commit. Nobody can change
  /// the schema between the two.
  ///
  /// - Parameter declaration: Makes the declaration; if it throws, nothing is changed.
  /// - Returns: The changes of the schema.
  @discardableResult
  package func evolve(
    timeout: Duration? = nil, wait: WriteWait = WriteWait(), _ declaration: (Schema) throws -> SchemaDeclaration
  ) throws -> [SchemaChange] {
    defer { commits.noteCommit() }
    return try StoreError.translating(path) {
      try writeEngine(timeout: timeout, wait: wait) { transaction in
        let catalog = try self.catalog(in: transaction)
        let before = catalog.record.schema
        let declared = try declaration(before)
        let migration = try self.plan(of: catalog, declared)
        guard migration.isChange || !migration.problems.isEmpty else { return [] }
        try self.carryOut(migration, from: catalog, in: transaction, wait: wait)
        return SchemaDifference(from: before, to: migration.target.schema.withOriginalNames(of: declared.schema))
          .changes
      }
    }
  }
}
