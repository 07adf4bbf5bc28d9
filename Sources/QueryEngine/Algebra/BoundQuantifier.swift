internal import PredicateLanguage
internal import Storage

/// A predicate over the elements of a collection: `ANY ratings > 3`, `'x' IN labels`, and what is meant by them.
package struct BoundQuantifier: Hashable, Sendable {
  /// How many elements must satisfy it.
  let quantifier: Quantifier
  /// Where the elements come from.
  let collection: BoundCollection
  /// The level of the variable that stands for the element.
  let level: Int
  /// What is asked of the element.
  let predicate: BoundPredicate
  /// What it was bound from, with arguments in place.
  let syntax: PredicateSyntax
}

/// Two collections compared element by element, in order: `{1, 2} == ratings`, `words CONTAINS[c] {'a', 'b'}`.
package struct BoundListComparison: Hashable, Sendable {
  /// `!=`, the opposite of `==`, or what every pair of elements must satisfy.
  let comparator: Comparator
  /// How texts are folded first.
  let folding: TextFolding
  let left: BoundCollection
  let right: BoundCollection
  /// What it was bound from, with arguments in place.
  let syntax: PredicateSyntax
}
