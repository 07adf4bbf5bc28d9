internal import PredicateLanguage
internal import Storage
internal import Values

/// The result of comparing two values: two-valued, with the semantics of nil and NaN that the language defines. This is
/// the only definition for single values; the kernels must agree with it.
enum Comparison {
  /// `==` to `>=` and the string operators with one operand.
  static func holds(_ comparator: Comparator, _ left: Value, _ right: Value, folding: TextFolding) -> Bool {
    switch comparator.family {
    case .relation(let relation): return holds(relation, left, right, folding)
    // A pattern is compiled with the query, so MATCHES never has a plain value on the right.
    case .string(.matches), .range, .membership, .place, .fullText: return false
    case .string:
      switch (left, right) {
      case (.string, .string(let pattern)):
        return (try? TextTest(comparator, pattern, folding: folding))?.matches(left) ?? false
      case (.data, .data(let pattern)):
        return TextTest(comparator, pattern)?.matches(left) ?? false
      default: return false
      }
    }
  }

  private static func holds(
    _ relation: Comparator.Relation, _ left: Value, _ right: Value, _ folding: TextFolding
  ) -> Bool {
    switch relation {
    case .equal: return areEqual(left, right, folding)
    case .notEqual: return !areEqual(left, right, folding)
    case .lessOrEqual, .greaterOrEqual:
      if left.isNull && right.isNull { return true }
      guard let order = order(left, right, folding) else { return false }
      return relation == .lessOrEqual ? order <= 0 : order >= 0
    case .less, .greater:
      guard let order = order(left, right, folding) else { return false }
      return relation == .less ? order < 0 : order > 0
    }
  }

  /// BETWEEN: both bounds are inclusive; false if any operand is nil.
  static func isBetween(_ value: Value, _ low: Value, _ high: Value, folding: TextFolding) -> Bool {
    guard let fromLow = order(value, low, folding), let toHigh = order(value, high, folding) else { return false }
    return fromLow >= 0 && toHigh <= 0
  }

  private static func areEqual(_ left: Value, _ right: Value, _ folding: TextFolding) -> Bool {
    left.isNull ? right.isNull : order(left, right, folding) == 0
  }

  private static func order(_ left: Value, _ right: Value, _ folding: TextFolding) -> Int? {
    if !folding.isNone, case .string(let a) = left, case .string(let b) = right {
      let a = folding.fold(a)
      let b = folding.fold(b)
      return a.withUnsafeBytes { a in b.withUnsafeBytes { Bytes.compare(a, $0) } }
    }
    return ValueOrder.compare(left, right)
  }
}

extension Comparator {
  /// Whether nil compared with nil is true.
  var holdsForTwoNils: Bool { self == .equal || self == .lessOrEqual || self == .greaterOrEqual }
}
