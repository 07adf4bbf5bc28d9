internal import Storage

/// What a range of keys or values is that may lie within another one.
protocol Coverable {
  /// Whether all that lies within another lies within this one, as far as the bounds alone tell.
  func covers(_ other: Self) -> Bool
}

extension IndexKeyRange: Coverable {}
extension ValueInterval: Coverable {}

/// How much some ranges hold, the last ones that were looked at: one that lies between two of them, around the one and
/// within the other, holds an amount between theirs. So ranges that differ a little, as those of new constants do, are
/// counted a few times and then known.
struct RangeAmounts<Range: Coverable & Sendable>: Sendable {
  /// An amount; where it is not whole, at least so much.
  struct Amount: Sendable {
    var number: Double
    var isWhole = true
  }

  /// Side by side, so that looking through the amounts copies no ranges.
  private var ranges: [Range] = []
  private var amounts: [Amount] = []

  /// Of more ranges the oldest are forgotten.
  private static var most: Int { 24 }
  /// As near to each other are amounts that need not be told apart.
  private static var near: Double { 1.1 }
  /// Of two that are as near as that one is enough.
  private static var same: Double { 1.04 }

  /// What a range holds, nearly; nil where no others say so.
  ///
  /// One that has a range within it that holds more than was counted holds more than is counted, too.
  func amount(of range: Range) -> Amount? {
    var least: Amount?
    var most = Double.infinity
    for place in ranges.indices.reversed() {
      let held = amounts[place]
      if held.isWhole, held.number < most, ranges[place].covers(range) { most = held.number }
      if held.number >= least?.number ?? 0, range.covers(ranges[place]) { least = held }
      if let least, most <= least.number * Self.near { return Amount(number: (least.number + most) / 2) }
    }
    guard let least, !least.isWhole else { return nil }
    return least
  }

  /// Keeps what a range holds.
  mutating func keep(_ amount: Amount, of range: Range) {
    let like = ranges.indices.first { place in
      let held = amounts[place]
      return held.isWhole == amount.isWhole && held.number <= amount.number * Self.same
        && amount.number <= held.number * Self.same
        && (ranges[place].covers(range) || range.covers(ranges[place]))
    }
    if let forgotten = like ?? (ranges.count >= Self.most ? 0 : nil) {
      ranges.remove(at: forgotten)
      amounts.remove(at: forgotten)
    }
    ranges.append(range)
    amounts.append(amount)
  }
}
