internal import PredicateLanguage
internal import Storage
internal import Values

/// An operator with its bound operands. Unchanging, and one object: it is handed from the binder through every rule to the
/// conditions, and each time one reference is counted instead of one for every part.
package final class BoundComparison: Hashable, Sendable {
  /// Any operator but TEXT.
  let comparator: Comparator
  /// How texts are folded first.
  let folding: TextFolding
  let left: BoundExpression
  /// One operand; two for BETWEEN; any number for IN. Of a point the longitude is on the left, the latitude here.
  let right: [BoundExpression]
  /// The right side of a text operator, folded or compiled once, where it is a constant.
  let test: TextTest?
  /// What it was bound from, with arguments in place.
  let syntax: PredicateSyntax
  /// Where a point has to be.
  let shape: GeoShape?
  /// The values of a long constant list as DISTINCT sees them, so that it is not gone through for every object. Only
  /// what is evaluated row by row has them.
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

  /// The text of `x == 5` where the query says `x != 5`: what stands under the NOT.
  var equalSyntax: PredicateSyntax {
    var syntax = syntax
    if case .comparison(var inner) = syntax.kind {
      inner.comparator = .equal
      syntax.kind = .comparison(inner)
    }
    return syntax
  }

  /// The comparison of other operands.
  ///
  /// - Parameter syntax: Its text, when it is another.
  func with(left: BoundExpression, right: [BoundExpression], syntax: PredicateSyntax? = nil) -> BoundComparison {
    BoundComparison(
      comparator: comparator, folding: folding, left: left, right: right, test: test, syntax: syntax ?? self.syntax,
      shape: shape, members: members)
  }

  /// The comparison with the values of its list looked up.
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
