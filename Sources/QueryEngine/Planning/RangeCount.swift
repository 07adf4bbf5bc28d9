internal import Storage

/// How many objects ranges of an index find, and how well that is known.
struct RangeCount: Sendable {
  typealias Certainty = RangeCardinalityCache<IndexKeyRange>.Certainty

  var count: Int
  var certainty: Certainty

  init(_ count: Int, _ certainty: Certainty) {
    self.count = count
    self.certainty = certainty
  }

  init(_ amount: RangeCardinalityCache<IndexKeyRange>.Amount) {
    // Of a damaged file it may be anything.
    self.init(Int(exactly: amount.number.rounded()) ?? .max, amount.certainty)
  }

  var amount: RangeCardinalityCache<IndexKeyRange>.Amount { .init(number: Double(count), certainty: certainty) }

  /// Whether it is all of them, but for a twentieth: what costs are reckoned by. An answer takes an exact one.
  var isAll: Bool { certainty != .atLeast }

  var isExact: Bool { certainty == .exact }
}
