internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage

extension Store {
  /// Determines what a statement that changes the schema would do, and changes nothing.
  ///
  /// ```swift
  /// print(try store.migrationPreview(of: "ALTER Quake DROP PROPERTY place"))
  /// // lost: 'Quake.place' is removed, with its values (1707)
  /// ```
  ///
  /// - Parameters:
  ///   - statement: The text, with or without a final `;`.
  ///   - cancellation: Cancels the preview.
  /// - Returns: The changes, and the reasons for which running the statement would be refused.
  /// - Throws: `QueryError` when the text is wrong, or is not a statement that changes the schema; `StoreError` for all
  ///   other errors.
  /// - Complexity: Linear in the number of objects whose values are converted, filled, lost or to be unique.
  public func migrationPreview(
    of statement: String, cancellation: Cancellation? = nil
  ) throws -> MigrationPreview {
    guard case .schema(let change) = try StatementParser.statement(statement) else {
      throw QueryError(
        source: statement,
        Diagnostic(
          code: .unsupported, message: "this statement does not change the schema", range: nil,
          notes: ["write 'CREATE INDEX ON Quake (magnitude)' or 'ALTER Quake ADD felt: Int?'"]))
    }
    return try migrationPreview(of: change, source: statement, cancellation: cancellation)
  }

  /// Determines what a parsed statement that changes the schema would do, and changes nothing.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - source: The text, for the places in errors.
  ///   - cancellation: Cancels the preview.
  /// - Returns: The changes, and the reasons for which running the statement would be refused.
  /// - Throws: `QueryError` for names, types, defaults and indexes that don't fit the schema; `StoreError`:
  ///   `limitExceeded` for too many columns, `cancelled`, or when the store can't be read.
  /// - Complexity: Linear in the number of objects whose values are converted, filled, lost or to be unique.
  public func migrationPreview(
    of statement: SchemaStatementSyntax, source: String, cancellation: Cancellation? = nil
  ) throws -> MigrationPreview {
    let statement = SchemaStatement(syntax: statement, source: source)
    var old = Schema()
    var found = try file.preview(wait: cancellation.wait) { schema in
      old = schema
      return try self.declaration(of: statement, in: schema)
    }
    found.problems = statement.advising(found.problems, in: old)
    return MigrationPreview(found)
  }

  /// Runs a statement that changes the schema, in one commit. If there is a preview and anything else would change by
  /// now, nothing does.
  package func run(
    _ statement: SchemaStatementSyntax, source: String, as preview: MigrationPreview? = nil, cancellation: Cancellation?
  ) throws -> StatementResult {
    let statement = SchemaStatement(syntax: statement, source: source)
    let shown = preview?.changes.map(\.line)
    var old = Schema()
    do {
      let changes = try file.evolve(timeout: busyTimeout, wait: cancellation.wait, expecting: shown) { schema in
        old = schema
        return try self.declaration(of: statement, in: schema)
      }
      return .schemaChanged(changes)
    } catch StoreError.migrationNeeded(let problems) {
      throw StoreError.migrationNeeded(statement.advising(problems, in: old))
    }
  }

  private func declaration(of statement: SchemaStatement, in schema: Schema) throws -> SchemaDeclaration {
    let declaration = try statement.declaration(in: schema)
    try limits.check(declaration.schema)
    return declaration
  }
}
