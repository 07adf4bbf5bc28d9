import Values

/// Aggregates by the table of §3: nil and NaN are skipped; of nothing the sum is 0 and the others are nil.
enum OracleAggregates {
  static func reduce(_ name: String, _ values: [Value], isInteger: Bool) -> Value {
    let kept = values.filter { OracleValues.order($0, $0) != nil }
    let numbers = kept.compactMap(OracleArithmetic.double)
    switch name {
    case "min": return kept.min(by: OracleValues.sortsBefore) ?? .null
    case "max": return kept.max(by: OracleValues.sortsBefore) ?? .null
    case "sum" where isInteger:
      // An Int sum that does not fit is nil; what matters is the sum itself, not how it was reached.
      var sum: Int128 = 0
      for case .int(let number) in kept { sum += Int128(number) }
      return Int64(exactly: sum).map(Value.int) ?? .null
    case "sum": return .double(numbers.reduce(0, +))
    default:
      if kept.isEmpty { return .null }
      if isInteger {
        var sum: Int128 = 0
        for case .int(let number) in kept { sum += Int128(number) }
        return .double(Double(sum) / Double(kept.count))
      }
      return .double(numbers.reduce(0, +) / Double(kept.count))
    }
  }

  /// Whether two results are the same but for the order in which Doubles were added.
  static func isClose(_ found: Value, _ wanted: Value, _ values: [Value]) -> Bool {
    guard case .double(let a) = found, case .double(let b) = wanted else { return OracleValues.same(found, wanted) }
    if a.isNaN || b.isNaN || a.isInfinite || b.isInfinite {
      // Sums of the largest numbers may overflow on the way in one order and not in another.
      return OracleValues.same(found, wanted) || values.contains { abs(OracleArithmetic.double($0) ?? 0) >= 1e300 }
    }
    let size = values.compactMap(OracleArithmetic.double).filter(\.isFinite).reduce(1) { $0 + abs($1) }
    return abs(a - b) <= 1e-12 * size
  }
}
