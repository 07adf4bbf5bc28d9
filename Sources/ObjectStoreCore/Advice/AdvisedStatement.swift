/// A statement for which indexes are advised: as parsed, with its arguments and the names it may use.
package struct AdvisedStatement: Sendable {
  package let syntax: StatementSyntax
  /// The text that its ranges refer to.
  package let source: String
  package let arguments: Arguments
  package let definitions: [String: PredicateSyntax]
  /// The entity of a bare predicate.
  package let defaultEntity: String?
  /// How often it runs, relative to the others.
  package var count = 1

  /// nil for a statement that finds no objects: no index changes what it costs. Of EXPLAIN it is the statement within.
  package init?(
    _ syntax: StatementSyntax, source: String, arguments: Arguments = Arguments(),
    definitions: [String: PredicateSyntax] = [:], defaultEntity: String? = nil
  ) {
    var inner = syntax
    while case .explain(_, let next) = inner { inner = next }
    switch inner {
    case .select, .count, .delete, .update: break
    case .insert, .explain, .begin, .commit, .rollback, .define, .schema: return nil
    }
    self.syntax = inner
    self.source = source
    self.arguments = arguments
    self.definitions = definitions
    self.defaultEntity = defaultEntity
  }

  /// Whether both are the same statement with the same values, so that one plan serves both.
  package func isSame(as other: AdvisedStatement) -> Bool {
    source == other.source && defaultEntity == other.defaultEntity && definitions == other.definitions
      && arguments.positional == other.arguments.positional && arguments.named == other.arguments.named
  }
}
