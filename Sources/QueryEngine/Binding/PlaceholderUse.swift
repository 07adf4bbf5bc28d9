internal import PredicateLanguage

/// Finds the placeholders of a tree of any depth; too deep a tree is refused later, with its position.
enum PlaceholderUse {
  /// All placeholders of a predicate with its tails.
  static func placeholders(in filter: FilterSyntax) -> Set<Placeholder> {
    Set(filter.placeholders().map(\.placeholder))
  }

  static func collect(_ predicate: PredicateSyntax, _ found: inout Set<Placeholder>) {
    found.formUnion(predicate.placeholders().map(\.placeholder))
  }

  static func collect(_ expression: ExpressionSyntax, _ found: inout Set<Placeholder>) {
    found.formUnion(expression.placeholders().map(\.placeholder))
  }
}
