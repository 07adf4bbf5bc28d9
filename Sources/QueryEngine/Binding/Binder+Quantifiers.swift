internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// A predicate over every element of a collection, made by `body` from the element; for a single value just that.
  /// Without a quantifier ANY is meant.
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

  /// Reports a quantifier before a single value, on either side.
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

  /// Reports a quantifier before a single value, which begins at `end`; `what` says what that is.
  mutating func reportMisplaced(
    _ quantifier: Quantifier, _ what: String, _ end: Int, at place: SourceRange, range: SourceRange
  ) {
    var fixes: [Fix] = []
    let isNegative = quantifier == Quantifier.none
    // Within the text of a definition there is nothing to change here.
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

  /// Collections compared as such and not element by element: two of them without a quantifier, or one with nil, unless
  /// it is a value of each of many objects, any of which may be nil. nil (not a predicate) when the comparison is no such one.
  mutating func whole(
    _ syntax: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, in whole: PredicateSyntax
  ) -> BoundPredicate? {
    guard syntax.quantifier == nil, syntax.rightQuantifier == nil else { return nil }
    for (side, other) in [(left, right), (right, left)] {
      guard let collection = side.collection, !collection.isOfEach, other.isNil else { continue }
      guard syntax.comparator == .equal || syntax.comparator == .notEqual else { return nil }
      guard let value = collection.whole else { return .constant(syntax.comparator == .notEqual) }
      if let column = value.column, !entity.columns[column].column.isOptional {
        warn(.neverNil, "'\(side.syntax.predicateFormat)' is never nil", whole.range)
      }
      return .comparison(
        BoundComparison(
          comparator: syntax.comparator, folding: .none, left: value, right: [.constant(.null)],
          test: nil, syntax: whole))
    }
    guard left.collection != nil, right.collection != nil else { return nil }
    guard let (left, right) = fitted(left, right, range: whole.range), let first = left.collection,
      let second = right.collection, checkOptions(syntax, first.elementType, second.elementType, left, whole.range)
    else { return .constant(false) }
    return .lists(
      BoundListComparison(
        comparator: syntax.comparator, folding: TextFolding(syntax.options), left: first, right: second, syntax: whole))
  }
}
