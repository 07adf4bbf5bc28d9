internal import PredicateLanguage
internal import Storage
internal import Values

/// An operator with its bound operands. It is immutable, and a class because it passes through every rule: a copy costs
/// one reference count instead of one for each operand.
package final class BoundComparison: Hashable, Sendable {
  /// Any operator but TEXT.
  let comparator: Comparator
  /// The folding of strings before they are compared.
  let folding: TextFolding
  let left: BoundExpression
  /// One operand; two for BETWEEN; any number for IN. For a point the left side is the longitude, the right side the
  /// latitude.
  let right: [BoundExpression]
  /// The right side of a string operator, folded or compiled once, if it is a constant.
  let test: TextTest?
  /// The syntax it was bound from, with arguments substituted.
  let syntax: PredicateSyntax
  /// The shape that a point must be in.
  let shape: GeoShape?
  /// The distinct values of a long constant list, so that IN does not scan the list for each object. Only comparisons
  /// that are evaluated row by row have it.
  let members: Set<Value>?

  init(
    comparator: Comparator, folding: TextFolding, left: BoundExpression, right: [BoundExpression], test: TextTest?,
    syntax: PredicateSyntax, shape: GeoShape? = nil, members: Set<Value>? = nil
  ) {
    self.comparator = comparator
    self.folding = folding
    self.left = left
    self.right = right
    self.test = test
    self.syntax = syntax
    self.shape = shape
    self.members = members
  }

  /// Left and right.
  var operands: [BoundExpression] { [left] + right }

  /// The syntax of `x == 5` for the query's `x != 5`, which is bound as NOT of an equality.
  var equalSyntax: PredicateSyntax {
    var syntax = syntax
    if case .comparison(var inner) = syntax.kind {
      inner.comparator = .equal
      syntax.kind = .comparison(inner)
    }
    return syntax
  }

  /// The comparison with other operands.
  ///
  /// - Parameter syntax: The new syntax, if it changes.
  func with(left: BoundExpression, right: [BoundExpression], syntax: PredicateSyntax? = nil) -> BoundComparison {
    BoundComparison(
      comparator: comparator, folding: folding, left: left, right: right, test: test, syntax: syntax ?? self.syntax,
      shape: shape, members: members)
  }

  /// The comparison with the set of its list's values.
  func with(members: Set<Value>) -> BoundComparison {
    BoundComparison(
      comparator: comparator, folding: folding, left: left, right: right, test: test, syntax: syntax, shape: shape,
      members: members)
  }

  package static func == (a: BoundComparison, b: BoundComparison) -> Bool {
    a === b
      || a.comparator == b.comparator && a.folding == b.folding && a.left == b.left && a.right == b.right
        && a.test == b.test && a.syntax == b.syntax && a.shape == b.shape && a.members == b.members
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(comparator)
    hasher.combine(folding)
    hasher.combine(left)
    hasher.combine(right)
    hasher.combine(test)
    hasher.combine(syntax)
    hasher.combine(shape)
    hasher.combine(members)
  }
}
