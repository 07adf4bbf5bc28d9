package import PredicateLanguage
internal import Storage
internal import Values

/// A predicate whose names are columns and whose types fit. The binder makes comparisons; the planner turns those of a
/// column with constants into tests. It is either true or false of an object, never unknown.
package indirect enum BoundPredicate: Hashable, Sendable {
  case constant(Bool)
  case and([BoundPredicate])
  case or([BoundPredicate])
  case not(BoundPredicate)
  /// Values compared, as the language says.
  case comparison(BoundComparison)
  /// A column asked for something that an index or a kernel can answer.
  case test(ColumnTest)
  /// A predicate over the elements of a collection.
  case quantified(BoundQuantifier)
  /// Two collections compared in order.
  case lists(BoundListComparison)
  /// A predicate whose answers are kept. It is made of others where rows are asked one by one.
  case remembered(RememberedPredicate)

  /// Whether it is the same for every object.
  var isConstant: Bool {
    switch self {
    case .constant: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isConstant)
    case .not(let inner): inner.isConstant
    case .comparison(let comparison): comparison.operands.allSatisfy(\.isConstant)
    case .test: false
    case .quantified(let quantified): quantified.collection.isConstant && quantified.predicate.isConstant
    case .lists(let lists): lists.left.isConstant && lists.right.isConstant
    case .remembered(let remembered): remembered.predicate.isConstant
    }
  }

  /// Adds the columns it reads.
  func collectColumns(into columns: inout Set<Int>) {
    switch self {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { part.collectColumns(into: &columns) }
    case .not(let inner): inner.collectColumns(into: &columns)
    case .comparison(let comparison):
      for operand in comparison.operands { operand.collectColumns(into: &columns) }
    case .test(let test): columns.insert(test.column)
    case .quantified(let quantified):
      quantified.collection.collectColumns(into: &columns)
      quantified.predicate.collectColumns(into: &columns)
    case .lists(let lists):
      lists.left.collectColumns(into: &columns)
      lists.right.collectColumns(into: &columns)
    case .remembered(let remembered): remembered.predicate.collectColumns(into: &columns)
    }
  }

  /// As the language prints it.
  package var syntax: PredicateSyntax {
    switch self {
    case .constant(let value): PredicateSyntax(.constant(value))
    case .and(let parts): PredicateSyntax(.and(parts.map(\.syntax)))
    case .or(let parts): PredicateSyntax(.or(parts.map(\.syntax)))
    case .not(let inner): PredicateSyntax(.not(inner.syntax))
    case .comparison(let comparison): comparison.syntax
    case .test(let test): test.syntax
    case .quantified(let quantified): quantified.syntax
    case .lists(let lists): lists.syntax
    case .remembered(let remembered): remembered.predicate.syntax
    }
  }
}

/// An operator with its bound operands.
package struct BoundComparison: Hashable, Sendable {
  /// `==` to `>=`, BETWEEN, IN (a list), CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES or geoWithin.
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
  var shape: GeoShape? = nil
  /// The values of a long constant list as DISTINCT sees them, so that it is not gone through for every object. Only
  /// what is evaluated row by row has them.
  var members: Set<Value>?

  /// Left and right.
  var operands: [BoundExpression] { [left] + right }
}
