internal import Storage

/// What a range of keys or values is that may lie within another one.
protocol Coverable {
  /// Whether all that lies within another lies within this one, as far as the bounds alone tell.
  func covers(_ other: Self) -> Bool
}

extension IndexKeyRange: Coverable {}
extension ValueInterval: Coverable {}

/// How much some ranges hold that were looked at: one that lies between two of them, around the one and within the other,
/// holds an amount between theirs. So of ranges that differ a little, as those of new constants do, a few are looked at
/// and then the others are known.
struct RangeCardinalityCache<Range: Coverable & Sendable>: Sendable {
  /// How well an amount is known.
  enum Certainty: Sendable {
    /// It is that.
    case exact
    /// It is that to a twentieth: good to compare ways by, and for nothing else.
    case near
    /// It is that or more.
    case atLeast
  }

  struct Amount: Sendable {
    var number: Double
    var certainty = Certainty.exact
  }

  /// Side by side, so that looking through the amounts copies no ranges. None of them is only near.
  private var ranges: [Range] = []
  private var amounts: [Amount] = []

  /// Of more ranges the oldest are forgotten.
  private static var most: Int { 24 }
  /// As near to each other are amounts that need not be told apart.
  private static var near: Double { 1.1 }

  /// What a range holds; nil where no others say so.
  ///
  /// One that has a range within it that holds more than was counted holds more than is counted, too.
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

  /// Keeps what a range holds, and no longer what others do between it and a third.
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
