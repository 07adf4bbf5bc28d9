package import Values

/// The order of values of one type in SORT: nil, NaN, then ascending. Unlike comparisons it is total.
enum SortOrder {
  /// Negative, zero or positive.
  static func compare(_ left: Value, _ right: Value) -> Int {
    if let order = ValueOrder.compare(left, right) { return order }
    return rank(left) - rank(right)
  }

  /// The rank of nil, NaN and all other values.
  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .double(let number): number.isNaN ? 1 : 2
    case .float(let number): number.isNaN ? 1 : 2
    case .date(let instant): instant.seconds.isNaN ? 1 : 2
    case .decimal(let number): number.isNaN ? 1 : 2
    default: 2
    }
  }
}

extension Value {
  /// Whether the value comes before another one in ascending order: nil, NaN, then all others.
  package func sortsBefore(_ other: Value) -> Bool { SortOrder.compare(self, other) < 0 }
}
