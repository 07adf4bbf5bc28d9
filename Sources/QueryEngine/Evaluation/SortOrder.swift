package import Values

/// The order in which SORT puts values of one type: nil, NaN, then ascending. Unlike a query's comparison it is total.
enum SortOrder {
  /// Negative, zero or positive.
  static func compare(_ left: Value, _ right: Value) -> Int {
    if let order = ValueOrder.compare(left, right) { return order }
    return rank(left) - rank(right)
  }

  /// nil before NaN before all others.
  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .double(let number): number.isNaN ? 1 : 2
    case .float(let number): number.isNaN ? 1 : 2
    case .date(let instant): instant.seconds.isNaN ? 1 : 2
    default: 2
    }
  }
}

extension Value {
  /// Whether it comes before another value in ascending order: nil, NaN, then all others.
  package func sortsBefore(_ other: Value) -> Bool { SortOrder.compare(self, other) < 0 }
}
