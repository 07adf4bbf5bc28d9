internal import PredicateLanguage
internal import Storage
internal import Values

/// What a comparison of two values says: two-valued, with nil and NaN as the language has them. It is the one place
/// where that is written down for single values; the kernels must agree with it.
enum Comparison {
  /// `==` to `>=` and the text operators with one operand.
  static func holds(_ comparator: Comparator, _ left: Value, _ right: Value, folding: TextFolding) -> Bool {
    switch comparator {
    case .equal: return areEqual(left, right, folding)
    case .notEqual: return !areEqual(left, right, folding)
    case .lessOrEqual, .greaterOrEqual:
      if left.isNull && right.isNull { return true }
      guard let order = order(left, right, folding) else { return false }
      return comparator == .lessOrEqual ? order <= 0 : order >= 0
    case .less, .greater:
      guard let order = order(left, right, folding) else { return false }
      return comparator == .less ? order < 0 : order > 0
    case .contains, .beginsWith, .endsWith, .like:
      switch (left, right) {
      case (.string, .string(let pattern)):
        return (try? TextTest(comparator, pattern, folding: folding))?.matches(left) ?? false
      case (.data, .data(let pattern)):
        return TextTest(comparator, pattern)?.matches(left) ?? false
      default: return false
      }
    case .matches, .between, .isIn, .geoWithin, .text: return false
    }
  }

  /// BETWEEN: within both ends; false with nil anywhere.
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
