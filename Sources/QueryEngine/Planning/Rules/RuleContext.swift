internal import Storage
internal import Values

/// What rules may know: the columns, and the moment of evaluation.
struct RuleContext: Sendable {
  let entity: StoredEntity
  let now: Instant
}

extension BoundPredicate {
  /// Whether it or a part of its chains is of some kind.
  func contains(where isMeant: (BoundPredicate) -> Bool) -> Bool {
    if isMeant(self) { return true }
    switch self {
    case .and(let parts), .or(let parts): return parts.contains { $0.contains(where: isMeant) }
    case .not(let inner): return inner.contains(where: isMeant)
    case .constant, .comparison, .test, .quantified, .lists, .remembered: return false
    }
  }

  /// The tree with every expression of every comparison replaced, those inside conditions of TERNARY too.
  func mapExpressions(_ transform: (BoundExpression) -> BoundExpression) -> BoundPredicate {
    switch self {
    case .constant, .test: self
    case .and(let parts): .and(parts.map { $0.mapExpressions(transform) })
    case .or(let parts): .or(parts.map { $0.mapExpressions(transform) })
    case .not(let inner): .not(inner.mapExpressions(transform))
    case .comparison(let comparison):
      .comparison(
        BoundComparison(
          comparator: comparison.comparator, folding: comparison.folding, left: comparison.left.mapped(transform),
          right: comparison.right.map { $0.mapped(transform) }, test: comparison.test, syntax: comparison.syntax,
          shape: comparison.shape))
    case .quantified(let quantified):
      .quantified(
        BoundQuantifier(
          quantifier: quantified.quantifier, collection: quantified.collection.mapExpressions(transform),
          level: quantified.level, predicate: quantified.predicate.mapExpressions(transform),
          syntax: quantified.syntax))
    case .lists(let lists):
      .lists(
        BoundListComparison(
          comparator: lists.comparator, folding: lists.folding, left: lists.left.mapExpressions(transform),
          right: lists.right.mapExpressions(transform), syntax: lists.syntax))
    case .remembered(let remembered): remembered.predicate.mapExpressions(transform)
    }
  }
}

extension BoundExpression {
  /// The tree with every part replaced, the innermost first.
  func mapped(_ transform: (BoundExpression) -> BoundExpression) -> BoundExpression {
    switch self {
    case .constant, .column, .computed, .now, .element, .own, .object, .gathered: transform(self)
    case .property(let object, let column, let type):
      transform(.property(object.mapExpressions(transform), column, type))
    case .assembled(let structure): transform(.assembled(structure.mapParts { $0.mapped(transform) }))
    case .negate(let operand): transform(.negate(operand.mapped(transform)))
    case .complement(let operand): transform(.complement(operand.mapped(transform)))
    case .arithmetic(let first, let steps):
      transform(
        .arithmetic(
          first.mapped(transform),
          steps.map { Step(operation: $0.operation, operand: $0.operand.mapped(transform), type: $0.type) }))
    case .call(let function, let operands): transform(.call(function, operands.map { $0.mapped(transform) }))
    case .ternary(let condition, let yes, let no):
      transform(.ternary(condition.mapExpressions(transform), yes.mapped(transform), no.mapped(transform)))
    case .reduced(let reduction, let collection):
      transform(.reduced(reduction, collection.mapExpressions(transform)))
    case .item(let collection, let place):
      transform(.item(collection.mapExpressions(transform), place.mapExpressions(transform)))
    case .entry(let column, let key, let type): transform(.entry(column, key: key.mapped(transform), type))
    }
  }
}

extension BoundObject {
  /// The object with every expression in its number replaced.
  func mapExpressions(_ transform: (BoundExpression) -> BoundExpression) -> BoundObject {
    BoundObject(entity: entity, number: number.mapped(transform))
  }
}
