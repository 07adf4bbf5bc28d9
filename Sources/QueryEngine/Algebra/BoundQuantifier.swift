internal import PredicateLanguage
internal import Storage

/// A predicate over the elements of a collection: `ANY ratings > 3`, `'x' IN labels` and equivalent forms.
package struct BoundQuantifier: Hashable, Sendable {
  /// The number of elements that must satisfy the predicate.
  let quantifier: Quantifier
  /// The collection of the elements.
  let collection: BoundCollection
  /// The level of the variable that stands for the element.
  let level: Int
  /// The predicate on the element.
  let predicate: BoundPredicate
  /// The syntax it was bound from, with arguments substituted.
  let syntax: PredicateSyntax
}

/// Two collections compared element by element, in order: `{1, 2} == ratings`, `words CONTAINS[c] {'a', 'b'}`.
package struct BoundListComparison: Hashable, Sendable {
  /// `!=`, the opposite of `==`, or the comparison that every pair of elements must satisfy.
  let comparator: Comparator
  /// The folding of strings before they are compared.
  let folding: TextFolding
  let left: BoundCollection
  let right: BoundCollection
  /// The syntax it was bound from, with arguments substituted.
  let syntax: PredicateSyntax
}
