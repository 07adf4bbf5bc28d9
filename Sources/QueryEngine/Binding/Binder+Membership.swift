internal import Diagnostics
internal import PredicateLanguage
internal import Values

/// BETWEEN, IN and the CONTAINS that asks for an element.
extension Binder {
  mutating func between(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate? {
    guard let bounds = Self.elements(of: syntax.right), syntax.rightQuantifier == nil else {
      report(.betweenBounds, "BETWEEN takes a list of two values", syntax.right.range, notes: ["as in {1, 5}"])
      return nil
    }
    guard bounds.count == 2 else {
      report(
        .betweenBounds, "BETWEEN takes two values, not \(bounds.count)", syntax.right.range,
        notes: ["as in {1, 5}"])
      return nil
    }
    let left = operand(syntax.left)
    let right = operand(syntax.right)
    guard let left, let right, !isMisplaced(syntax.writtenQuantifier, left, range: whole.range),
      !isOrderOfObjects(syntax, left, range: whole.range), let (left, right) = keyed(left, right, range: whole.range),
      let (first, second) = fitted(left, right, range: whole.range), let values = second.list,
      checkOptions(syntax, element(of: first)?.type, nil, first, whole.range)
    else { return nil }
    return ranging(syntax.quantifier, over: first, syntax: whole) { binder, value in
      .comparison(
        binder.made(.between, syntax.options, value, values, range: syntax.right.range, syntax: whole))
    }
  }

  mutating func membership(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate? {
    let left = operand(syntax.left)
    let right = operand(syntax.right)
    guard let left, let right, !isMisplaced(syntax.writtenQuantifier, left, range: whole.range),
      !isMisplaced(syntax.rightQuantifier, right, range: whole.range)
    else { return nil }
    if right.single != nil {
      guard let left = asText(left), let text = asText(right)?.single else { return nil }
      return substring(syntax, left, text, in: whole)
    }
    return member(left, syntax.quantifier, of: right, syntax.rightQuantifier, syntax, in: whole)
  }

  /// `x IN 'text'` asks whether the text contains x.
  private mutating func substring(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ text: BoundExpression, in whole: PredicateSyntax
  ) -> BoundPredicate? {
    guard text.type == .string || text.type == .null, let type = element(of: left)?.type,
      type == .string || type == .null
    else {
      report(
        .typeMismatch, "\(described(syntax.right, text)); IN takes a list, a collection, or a text on both sides",
        syntax.right.range)
      return nil
    }
    return ranging(syntax.quantifier, over: left, syntax: whole) { binder, value in
      .comparison(
        binder.made(.contains, syntax.options, text, [value], range: syntax.left.range, syntax: whole))
    }
  }

  /// Whether a value is among those of a collection: equal to ANY of them, or to as many as a quantifier says.
  mutating func member(
    _ value: BoundOperand, _ quantifier: Quantifier?, of collection: BoundOperand, _ inner: Quantifier?,
    _ syntax: ComparisonSyntax, in whole: PredicateSyntax
  ) -> BoundPredicate? {
    guard let (value, collection) = keyed(value, collection, range: whole.range),
      let (value, collection) = fitted(value, collection, range: whole.range),
      checkOptions(syntax, element(of: value)?.type, nil, value, whole.range)
    else { return nil }
    return ranging(quantifier, over: value, syntax: whole) { binder, element in
      if let list = collection.list, inner != .all {
        let isIn = BoundPredicate.comparison(
          binder.made(.isIn, syntax.options, element, list, range: collection.syntax.range, syntax: whole))
        return inner == Quantifier.none ? .not(isIn) : isIn
      }
      return binder.ranging(inner, over: collection, syntax: whole) { binder, other in
        .comparison(
          binder.made(.equal, syntax.options, element, [other], range: collection.syntax.range, syntax: whole))
      }
    }
  }
}
