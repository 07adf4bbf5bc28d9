internal import Storage

/// How many objects ranges of an index hold, and how exact that is.
struct RangeCount: Sendable {
  typealias Certainty = RangeCardinalityCache<IndexKeyRange>.Certainty

  var count: Int
  var certainty: Certainty

  init(_ count: Int, _ certainty: Certainty) {
    self.count = count
    self.certainty = certainty
  }

  init(_ amount: RangeCardinalityCache<IndexKeyRange>.Amount) {
    // A damaged file may give any number.
    self.init(Int(exactly: amount.number.rounded()) ?? .max, amount.certainty)
  }

  var amount: RangeCardinalityCache<IndexKeyRange>.Amount { .init(number: Double(count), certainty: certainty) }

  /// Whether the count is exact to a twentieth, which is enough for costs. An answer needs an exact one.
  var isAll: Bool { certainty != .atLeast }

  var isExact: Bool { certainty == .exact }
}
