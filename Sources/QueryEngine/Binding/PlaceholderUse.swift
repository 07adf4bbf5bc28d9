internal import PredicateLanguage

/// Finds the placeholders of a tree of any depth. A tree that is too deep is refused later, with its place.
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
