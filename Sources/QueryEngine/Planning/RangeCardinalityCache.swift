internal import Storage

/// A range of keys or values that may contain another.
protocol Coverable {
  /// Whether this range contains the other one, decided by the bounds alone.
  func covers(_ other: Self) -> Bool
}

extension IndexKeyRange: Coverable {}
extension ValueInterval: Coverable {}

/// The counts of some ranges. A range that contains one cached range and lies within another has a count between
/// theirs. So if many ranges differ only slightly, as with new constants, few of them are counted.
struct RangeCardinalityCache<Range: Coverable & Sendable>: Sendable {
  /// How exact a count is.
  enum Certainty: Sendable {
    /// Exact.
    case exact
    /// Exact to a twentieth, which suffices only for comparing plans.
    case near
    /// A lower bound.
    case atLeast
  }

  struct Amount: Sendable {
    var number: Double
    var certainty = Certainty.exact
  }

  /// Separate from the counts, so that a search copies no ranges. None of the cached counts is approximate.
  private var ranges: [Range] = []
  private var amounts: [Amount] = []

  /// The capacity; the oldest ranges are dropped.
  private static var most: Int { 24 }
  /// The planner treats counts this close as equal.
  private static var near: Double { 1.1 }

  /// The count of a range; nil if the cached ranges do not bound it closely enough.
  ///
  /// A range that contains one whose count exceeded the counting limit exceeds it too.
  func amount(of range: Range) -> Amount? { amount(of: range, without: nil) }

  private func amount(of range: Range, without left: Int?) -> Amount? {
    var least: Amount?
    var most = Double.infinity
    for place in ranges.indices.reversed() where place != left {
      let held = amounts[place]
      if held.certainty == .exact, held.number < most, ranges[place].covers(range) { most = held.number }
      if held.number >= least?.number ?? 0, range.covers(ranges[place]) { least = held }
      guard let least, most <= least.number * Self.near else { continue }
      return most == least.number ? least : Amount(number: (least.number + most) / 2, certainty: .near)
    }
    return least.flatMap { $0.certainty == .atLeast ? $0 : nil }
  }

  /// Caches the count of a range, and drops cached ranges that become redundant.
  mutating func keep(_ amount: Amount, of range: Range) {
    ranges.append(range)
    amounts.append(amount)
    for place in ranges.indices.dropLast().reversed() {
      let held = amounts[place].number
      guard held <= amount.number * Self.near, amount.number <= held * Self.near,
        range.covers(ranges[place]) || ranges[place].covers(range),
        let told = self.amount(of: ranges[place], without: place),
        told.certainty != .atLeast || amounts[place].certainty == .atLeast
      else { continue }
      forget(place)
    }
    if ranges.count > Self.most { forget(0) }
  }

  private mutating func forget(_ place: Int) {
    ranges.remove(at: place)
    amounts.remove(at: place)
  }
}
