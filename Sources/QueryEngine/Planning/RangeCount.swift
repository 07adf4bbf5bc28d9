internal import Storage

/// The number of objects in index ranges, and its precision.
struct RangeCount: Sendable {
  typealias Certainty = RangeCardinalityCache<IndexKeyRange>.Certainty

  var count: Int
  var certainty: Certainty

  init(_ count: Int, _ certainty: Certainty) {
    self.count = count
    self.certainty = certainty
  }

  init(_ amount: RangeCardinalityCache<IndexKeyRange>.Amount) {
    // A damaged file may contain any number.
    self.init(Int(exactly: amount.number.rounded()) ?? .max, amount.certainty)
  }

  var amount: RangeCardinalityCache<IndexKeyRange>.Amount { .init(number: Double(count), certainty: certainty) }

  /// Whether the count is exact to a twentieth, which suffices for costs. A query result needs an exact count.
  var isAll: Bool { certainty != .atLeast }

  var isExact: Bool { certainty == .exact }
}
