internal import Diagnostics
internal import PredicateLanguage
internal import Values

/// BETWEEN, IN, and CONTAINS with an element.
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
    let left = side(syntax.left, syntax.quantifier)
    let right = operand(syntax.right)
    guard let left, let right, !isMisplaced(syntax, left, in: whole),
      !isOrderOfObjects(syntax, left, right, range: whole.range),
      let (left, right) = keyed(left, right, range: whole.range),
      let (first, second) = fitted(left, right, range: whole.range), let values = second.list,
      checkOptions(syntax, element(of: first)?.type, nil, first, whole.range)
    else { return nil }
    return ranging(syntax.quantifier, over: first, syntax: whole) { binder, value in
      .comparison(
        binder.made(.between, syntax.options, value, values, range: syntax.right.range, syntax: whole))
    }
  }

  mutating func membership(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate? {
    let left = side(syntax.left, syntax.quantifier)
    if let left, meetsText(left), hasUnquotedWords(syntax.right) { return nil }
    let right = side(syntax.right, syntax.rightQuantifier)
    guard let left, let right, !isMisplaced(syntax, left, right, in: whole) else { return nil }
    if right.single != nil {
      guard let left = asText(left), let text = asText(right)?.single else { return nil }
      return substring(syntax, left, text, in: whole)
    }
    return member(left, syntax.quantifier, of: right, syntax.rightQuantifier, syntax, in: whole)
  }

  /// Binds `x IN 'text'`, which tests whether the string contains x.
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
    warnAboutText(syntax, text, in: whole)
    return ranging(syntax.quantifier, over: left, syntax: whole) { binder, value in
      .comparison(
        binder.made(.contains, syntax.options, text, [value], range: syntax.left.range, syntax: whole))
    }
  }

  /// Warns about `code IN ('a')`, and `code IN %@` with a string argument: as in SQL, a list of one is usually meant.
  private mutating func warnAboutText(_ syntax: ComparisonSyntax, _ text: BoundExpression, in whole: PredicateSyntax) {
    if case .literal = syntax.left.kind { return }
    guard text.type == .string, text.isConstant else { return }
    let left = syntax.left.predicateFormat
    var fixes: [Fix] = []
    if syntax.right.range != whole.range, let written = written(syntax.right.range), let first = written.utf8.first {
      let inner = first == UInt8(ascii: "(") ? String(written.dropFirst().dropLast()) : written
      let list = "{\(inner)}"
      fixes = [Fix(message: "for a list write '\(list)'", range: syntax.right.range, replacement: list)]
    }
    warn(
      .textAfterIn, "IN with a string tests whether '\(left)' is a substring of it", whole.range,
      notes: ["for a list write '\(left) IN {…}'; for the reverse test write '\(left) CONTAINS …'"], fixes: fixes)
  }

  /// Binds a test whether a value is in a collection: equal to ANY element, or to as many as a quantifier requires.
  mutating func member(
    _ value: BoundOperand, _ quantifier: Quantifier?, of collection: BoundOperand, _ inner: Quantifier?,
    _ syntax: ComparisonSyntax, in whole: PredicateSyntax
  ) -> BoundPredicate? {
    if let mixed = mixed(value, quantifier, in: collection, inner, syntax, whole) { return mixed }
    guard let (value, collection) = keyed(value, collection, range: whole.range),
      let (value, collection) = fitted(value, collection, range: whole.range),
      checkOptions(syntax, element(of: value)?.type, nil, value, whole.range)
    else { return nil }
    warnAboutFraction(value, collection, whole.range)
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

  /// Splits a list that mixes objects with key values or nil into two tests, since each kind is compared differently.
  /// Returns nil for other lists.
  private mutating func mixed(
    _ value: BoundOperand, _ quantifier: Quantifier?, in collection: BoundOperand, _ inner: Quantifier?,
    _ syntax: ComparisonSyntax, _ whole: PredicateSyntax
  ) -> BoundPredicate? {
    guard value.elementType?.objectEntity != nil, let list = collection.list,
      list.contains(where: { $0.type.objectEntity != nil })
    else { return nil }
    let parts = [true, false].map { isForObjects in
      collection.keeping { ($0.type.objectEntity != nil || $0.type == .null) == isForObjects }
    }
    guard parts.allSatisfy({ $0.list?.isEmpty == false }) else { return nil }
    return ranging(quantifier, over: value, syntax: whole) { binder, element in
      let single = BoundOperand(syntax: value.syntax, content: .single(element))
      let found = parts.compactMap { binder.member(single, nil, of: $0, inner, syntax, in: whole) }
      guard found.count == parts.count else { return nil }
      return inner == .all || inner == Quantifier.none ? .and(found) : .or(found)
    }
  }
}

extension BoundOperand {
  /// The written list with only the values for which `isKept` returns true.
  fileprivate func keeping(_ isKept: (BoundExpression) -> Bool) -> BoundOperand {
    guard let list, let elements else { return self }
    let kept = zip(list, elements).filter { isKept($0.0) }
    return BoundOperand(syntax: syntax, content: .many(.list(kept.map(\.0))), elements: kept.map(\.1))
  }
}
