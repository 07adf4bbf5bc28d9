/// The positions of a query's matches in an order: the number of objects before the first match, and the distance from
/// each match to the next.
struct MatchDistribution: Sendable {
  let offset: Double
  let gap: Double

  /// The number of objects a walk reads until it has found a number of matches.
  func walk(to wanted: Double) -> Double { offset + gap * wanted }

  /// Evenly spaced matches; the first is one gap from the start.
  static func anywhere(_ found: Double, of objects: Double) -> MatchDistribution {
    MatchDistribution(offset: 0, gap: max(1, objects / max(found, 1e-9)))
  }
}
