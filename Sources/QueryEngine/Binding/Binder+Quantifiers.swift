internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// Applies a quantifier to a collection; `body` makes the predicate for one element. For a single value the result is
  /// that predicate. The default quantifier is ANY.
  mutating func ranging(
    _ quantifier: Quantifier?, over operand: BoundOperand, syntax: PredicateSyntax,
    _ body: (inout Binder, BoundExpression) -> BoundPredicate?
  ) -> BoundPredicate? {
    switch operand.content {
    case .single(let expression): return body(&self, expression)
    case .many(let collection):
      let level = depth
      depth += 1
      let element = BoundExpression.element(level: level, collection.elementType ?? .null)
      return body(&self, element).map {
        .quantified(
          BoundQuantifier(
            quantifier: quantifier ?? .any, collection: collection, level: level, predicate: $0, syntax: syntax))
      }
    }
  }

  /// Whether a quantifier stands before a single value, on either side; reports it.
  mutating func isMisplaced(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand? = nil, in whole: PredicateSyntax
  ) -> Bool {
    let place = syntax.quantifierRange
    let isLeft = isMisplaced(syntax.writtenQuantifier, left, at: place, range: whole.range)
    guard let right, !isLeft else { return isLeft }
    return isMisplaced(syntax.rightQuantifier, right, at: syntax.rightQuantifierRange, range: whole.range)
  }

  private mutating func isMisplaced(
    _ quantifier: Quantifier?, _ operand: BoundOperand, at place: SourceRange, range: SourceRange
  ) -> Bool {
    guard let quantifier, let single = operand.single else { return false }
    reportMisplaced(
      quantifier, described(operand.syntax, single), operand.syntax.range.lowerBound, at: place, range: range)
    return true
  }

  /// Reports a quantifier before a single value, which begins at `end`; `what` describes the value.
  mutating func reportMisplaced(
    _ quantifier: Quantifier, _ what: String, _ end: Int, at place: SourceRange, range: SourceRange
  ) {
    var fixes: [Fix] = []
    let isNegative = quantifier == Quantifier.none
    // The text of a definition cannot be changed by a fix here.
    if place.upperBound > place.lowerBound, place.upperBound <= end, !isNegative || place.lowerBound == range.lowerBound
    {
      fixes = [
        isNegative
          ? Fix(message: "write 'NOT'", range: place, replacement: "NOT")
          : Fix(
            message: "leave \(quantifier.rawValue) out", range: SourceRange(place.lowerBound, end), replacement: "")
      ]
    }
    report(
      .quantifierOnSingleValue,
      "\(what), a single value: \(quantifier.rawValue) is for collections", range,
      notes: fixes.isEmpty ? ["leave out \(quantifier.rawValue)"] : [], fixes: fixes)
  }

  /// Binds comparisons of whole collections: two collections without a quantifier, element by element, or the object's
  /// own collection with nil. Returns nil (no predicate) for any other comparison.
  mutating func whole(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, in whole: PredicateSyntax
  ) -> BoundPredicate? {
    for (side, other) in [(left, right), (right, left)] {
      guard syntax.quantifier == nil, syntax.rightQuantifier == nil, other.isNil,
        syntax.comparator == .equal || syntax.comparator == .notEqual, let collection = side.collection,
        isOwn(collection, side.syntax)
      else { continue }
      return comparedWithNil(collection, side.syntax, syntax.comparator, in: whole)
    }
    return Self.isPairwise(syntax, left, right) ? pairwise(syntax, left, right, in: whole) : nil
  }

  /// Whether a collection belongs to the object itself or to the element of a SUBQUERY, and so may be nil. A collection
  /// behind a link, or a computed one, is at most empty.
  private func isOwn(_ collection: BoundCollection, _ syntax: ExpressionSyntax) -> Bool {
    switch collection {
    case .list, .joined: return true
    case .column, .positions(of: .column), .sources(_, of: .own): return syntax.endsInName
    case .property(let object, _, _), .positions(of: .property(let object, _, _)):
      if case .element = object.number { return syntax.endsInName }
      return false
    case .sources(_, of: .element): return syntax.endsInName
    case .computed:
      guard case .path(let path) = syntax.kind, let target = try? paths.resolve(path, range: syntax.range) else {
        return false
      }
      switch target {
      case .collection, .links, .structs, .sources: return true
      case .column, .structure, .object, .entityName, .link, .allSources: return false
      }
    case .keys, .chosen, .distinct, .propertyKeys, .sources, .positions, .each, .flattened, .among: return false
    }
  }

  /// Compares a collection of the object itself with nil.
  private mutating func comparedWithNil(
    _ collection: BoundCollection, _ syntax: ExpressionSyntax, _ comparator: Comparator, in whole: PredicateSyntax
  ) -> BoundPredicate {
    func compared(_ value: BoundExpression, _ comparator: Comparator) -> BoundPredicate {
      .comparison(
        BoundComparison(
          comparator: comparator, folding: .none, left: value, right: [.constant(.null)], test: nil, syntax: whole))
    }
    guard let value = collection.whole else { return .constant(comparator == .notEqual) }
    if let column = value.column, !entity.columns[column].column.isOptional {
      warn(.neverNil, "'\(syntax.predicateFormat)' is never nil", whole.range)
    }
    // An element that is nil has no collection.
    let isThere: BoundPredicate? =
      switch collection {
      case .property(let object, _, _), .positions(of: .property(let object, _, _)): compared(object.number, .notEqual)
      case .sources(_, let number): compared(number, .notEqual)
      case .column, .keys, .list, .chosen, .distinct, .joined, .propertyKeys, .positions, .each, .flattened, .computed,
        .among:
        nil
      }
    guard comparator == .equal, let isThere else { return compared(value, comparator) }
    return .and([isThere, compared(value, .equal)])
  }

  /// Whether a comparison compares two collections element by element: both sides are collections and neither has a
  /// quantifier.
  static func isPairwise(_ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand) -> Bool {
    syntax.quantifier == nil && syntax.rightQuantifier == nil && left.collection != nil && right.collection != nil
  }

  /// Compares two collections in order, element by element. Returns an arbitrary predicate after an error.
  mutating func pairwise(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, in whole: PredicateSyntax
  ) -> BoundPredicate {
    guard let (left, right) = fitted(left, right, range: whole.range), let first = left.collection,
      let second = right.collection, checkOptions(syntax, first.elementType, second.elementType, left, whole.range)
    else { return .constant(false) }
    if syntax.comparator == .matches, let patterns = right.list, !patterns.isEmpty {
      return matches(syntax, left, first, patterns, in: whole)
    }
    return .lists(
      BoundListComparison(
        comparator: syntax.comparator, folding: TextFolding(syntax.options), left: first, right: second, syntax: whole))
  }

  /// Binds `words MATCHES {'a.*', 'b'}`: as many words as patterns, and each word matches the pattern at its position.
  /// Each pattern is compiled once.
  private mutating func matches(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ collection: BoundCollection, _ patterns: [BoundExpression],
    in whole: PredicateSyntax
  ) -> BoundPredicate {
    var parts: [BoundPredicate] = [
      .comparison(
        BoundComparison(
          comparator: .equal, folding: .none, left: .reduced(.count, collection),
          right: [.constant(.int(Int64(patterns.count)))], test: nil, syntax: whole))
    ]
    for (place, pattern) in patterns.enumerated() {
      let item = BoundExpression.item(collection, .index(.constant(.int(Int64(place)))))
      parts.append(
        .comparison(made(.matches, syntax.options, item, [pattern], range: syntax.right.range, syntax: whole)))
    }
    return .and(parts)
  }
}
