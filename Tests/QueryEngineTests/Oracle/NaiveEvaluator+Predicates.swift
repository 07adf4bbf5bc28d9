import PredicateLanguage
import Values

/// What holds for an object.
extension NaiveEvaluator {
  func holds(_ predicate: PredicateSyntax, _ scope: OracleScope) -> Bool {
    switch predicate.kind {
    case .and(let parts): return parts.allSatisfy { holds($0, scope) }
    case .or(let parts): return parts.contains { holds($0, scope) }
    case .not(let inner):
      if mistake == .notTurnsComparisons, case .comparison(var comparison) = inner.kind,
        let opposite = [Comparator.less: Comparator.greaterOrEqual, .greater: .lessOrEqual][comparison.comparator]
      {
        comparison.comparator = opposite
        return holds(comparison, scope)
      }
      return !holds(inner, scope)
    case .constant(let value): return value
    case .truth(let expression): return value(expression, scope) == .bool(true)
    case .named(let name): return definitions[name].map { holds($0, scope) } ?? false
    case .comparison(let comparison): return holds(comparison, scope)
    }
  }

  private func holds(_ comparison: ComparisonSyntax, _ scope: OracleScope) -> Bool {
    if case .shape(let shape) = comparison.right.kind {
      let places = (try? manyPlaces(comparison.left, scope)) ?? [value(comparison.left, scope)]
      return quantified(comparison.quantifier, places) { place in
        OracleGeo(evaluator: self, scope: scope).isWithin(place, shape)
      }
    }
    let left = side(comparison.left, scope, isRanged: comparison.quantifier != nil)
    let right = side(comparison.right, scope, isRanged: comparison.rightQuantifier != nil)
    switch comparison.comparator {
    case .between:
      let bounds = right.items
      guard bounds.count == 2 else { return false }
      return quantified(comparison.quantifier, left.items) { item in
        let (low, a) = pair(bounds[0], item, comparison.options)
        let (high, b) = pair(bounds[1], item, comparison.options)
        return [.less, .equal].contains(OracleValues.order(low, a))
          && [.less, .equal].contains(OracleValues.order(b, high))
      }
    case .isIn where !right.isMany:
      // `x IN 'text'` asks whether the text contains x.
      return compared(right, nil, .contains, left, comparison.quantifier, comparison.options)
    case .isIn:
      return compared(left, comparison.quantifier, .equal, right, comparison.rightQuantifier, comparison.options)
    case .contains
    where left.isMany && left.hasMembers && comparison.quantifier == nil && mistake != .containsLooksInside
      && !isListWithList(left, right, comparison):
      // Whether the collection has the element.
      return compared(right, comparison.rightQuantifier, .equal, left, nil, comparison.options)
    case .equal where isWhole(left, right, comparison), .notEqual where isWhole(left, right, comparison):
      // What is nil has no collection to be asked about.
      if left.isOfNothing && right.isNilLiteral || right.isOfNothing && left.isNilLiteral, !left.isMany || !right.isMany
      {
        return false
      }
      return areEqualLists(left, right, comparison.options) == (comparison.comparator == .equal)
    case _ where isListWithList(left, right, comparison) && mistake != .textsOfListsAreAny:
      return areOrderedLists(left, comparison.comparator, right, comparison.options)
    default:
      return compared(
        left, comparison.quantifier, comparison.comparator, right, comparison.rightQuantifier, comparison.options)
    }
  }

  /// Whether two collections are compared as such, and not an element with an element: two lists, or one that the object
  /// itself has and nil.
  private func isWhole(_ left: OracleSide, _ right: OracleSide, _ comparison: ComparisonSyntax) -> Bool {
    guard comparison.quantifier == nil, comparison.rightQuantifier == nil else { return false }
    if isListWithList(left, right, comparison) { return true }
    let isWhole = linkMistake == .nilIsAskedOfTheWhole
    return left.isMany && (left.isOwn || isWhole) && right.isNilLiteral
      || right.isMany && (right.isOwn || isWhole) && left.isNilLiteral
  }

  private func isListWithList(_ left: OracleSide, _ right: OracleSide, _ comparison: ComparisonSyntax) -> Bool {
    comparison.quantifier == nil && comparison.rightQuantifier == nil && left.isMany && right.isMany
  }

  /// `{1, 2} < ratings`: as many on both sides, and each with the one in its place; nil as with single values.
  private func areOrderedLists(
    _ left: OracleSide, _ comparator: Comparator, _ right: OracleSide, _ options: StringOptions
  ) -> Bool {
    if left.isNil || right.isNil { return compare(comparator, nil, bothNil: left.isNil && right.isNil) }
    return left.items.count == right.items.count
      && zip(left.items, right.items).allSatisfy { satisfies($0, comparator, $1, options) }
  }

  private func areEqualLists(_ left: OracleSide, _ right: OracleSide, _ options: StringOptions) -> Bool {
    if left.isNilLiteral || right.isNilLiteral { return left.isNilLiteral && right.isNilLiteral }
    if mistake == .listsWithoutOrder {
      return left.items.allSatisfy { a in right.items.contains { satisfies(a, .equal, $0, options) } }
    }
    return left.items.count == right.items.count
      && zip(left.items, right.items).allSatisfy { satisfies($0, .equal, $1, options) }
  }

  /// Each element of the left with each of the right, as the quantifiers say; ANY where none is written.
  private func compared(
    _ left: OracleSide, _ leftQuantifier: Quantifier?, _ comparator: Comparator, _ right: OracleSide,
    _ rightQuantifier: Quantifier?, _ options: StringOptions
  ) -> Bool {
    quantified(leftQuantifier, left.items) { a in
      quantified(rightQuantifier, right.items) { b in satisfies(a, comparator, b, options) }
    }
  }

  private func quantified<T>(_ quantifier: Quantifier?, _ items: [T], _ test: (T) -> Bool) -> Bool {
    if mistake == .anyIsAll, quantifier == .any { return items.allSatisfy(test) }
    switch quantifier {
    case nil, .any?: return items.contains(where: test)
    case .all?:
      if mistake == .allOfNothingIsFalse, items.isEmpty { return false }
      return items.allSatisfy(test)
    case .some(.none): return !items.contains(where: test)
    }
  }

  // MARK: Two single values

  private func satisfies(_ left: OracleItem, _ comparator: Comparator, _ right: OracleItem, _ options: StringOptions)
    -> Bool
  {
    switch comparator {
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return compareTexts(comparator, left.value, right.value, options)
    default:
      let (a, b) = pair(left, right, options)
      if left.isMeasured || right.isMeasured { notice(a, b) }
      return compare(comparator, a, b)
    }
  }

  /// Distances that are all but equal may compare either way.
  private func notice(_ a: Value, _ b: Value) {
    guard let x = OracleArithmetic.double(a), let y = OracleArithmetic.double(b), x.isFinite, y.isFinite else { return }
    if abs(x - y) <= 1e-9 * max(abs(x), abs(y)) + 1e-3 { doubt.isThere = true }
  }

  private func compare(_ comparator: Comparator, _ a: Value, _ b: Value) -> Bool {
    if mistake == .nilIsLess, a.isNull, !b.isNull, comparator == .less { return true }
    if mistake == .intsAsDoubles, let x = OracleArithmetic.double(a), let y = OracleArithmetic.double(b) {
      return compare(comparator, OracleValues.order(.double(x), .double(y)), bothNil: false)
    }
    return compare(comparator, OracleValues.order(a, b), bothNil: a.isNull && b.isNull)
  }

  private func compare(_ comparator: Comparator, _ order: OracleValues.Order?, bothNil: Bool) -> Bool {
    switch comparator {
    case .equal: return order == .equal || bothNil
    case .notEqual: return !(order == .equal || bothNil)
    case .less: return order == .less
    case .greater: return order == .greater
    case .lessOrEqual: return order == .less || order == .equal || bothNil
    case .greaterOrEqual: return order == .greater || order == .equal || bothNil
    default: return false
    }
  }

  private func compareTexts(
    _ comparator: Comparator, _ left: Value, _ right: Value, _ options: StringOptions
  ) -> Bool {
    if case .data(let bytes) = left, case .data(let other) = right { return compareBytes(comparator, bytes, other) }
    guard case .string(let text) = left, case .string(let other) = right else { return false }
    if mistake == .emptyNeedleNeverMatches, other.isEmpty { return false }
    switch comparator {
    case .like: return OracleText.like(text, other, options)
    case .matches:
      return OracleRegex(other)?.matches(text, ignoringCase: options.contains(.caseInsensitive)) ?? false
    default:
      return OracleText.contains(
        folds.folded(text, options), folds.folded(other, options), atFront: comparator == .beginsWith,
        atEnd: comparator == .endsWith)
    }
  }

  /// Data, byte for byte: each as the character of its number, of which none is folded.
  private func compareBytes(_ comparator: Comparator, _ left: [UInt8], _ right: [UInt8]) -> Bool {
    func text(_ bytes: [UInt8]) -> String { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
    if mistake == .emptyNeedleNeverMatches, right.isEmpty { return false }
    if comparator == .like { return OracleText.like(text(left), text(right), []) }
    return OracleText.contains(
      text(left), text(right), atFront: comparator == .beginsWith, atEnd: comparator == .endsWith)
  }

  /// Both values as they compare: a literal takes the type of a property it stands against; options fold texts.
  private func pair(_ left: OracleItem, _ right: OracleItem, _ options: StringOptions) -> (Value, Value) {
    let (a, b) = (keyed(left, against: right.type), keyed(right, against: left.type))
    if linkMistake == .keyOfNothingIsEqual, left.type.isObject, !a.type.isObject, a.value.isNull {
      return (b.value, b.value)
    }
    if linkMistake == .objectsAreEqual, a.type.isObject, !a.value.isNull, !b.value.isNull { return (b.value, b.value) }
    return (folded(a.adapted(to: b.type), options), folded(b.adapted(to: a.type), options))
  }

  private func folded(_ value: Value, _ options: StringOptions) -> Value {
    if case .string(let text) = value { return .string(folds.folded(text, options)) }
    return value
  }
}
