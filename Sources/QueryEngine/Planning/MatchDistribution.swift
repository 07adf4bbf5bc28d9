/// Where in an order the matches of a query lie: how many objects come before the first, and how many from each to the
/// next.
struct MatchDistribution: Sendable {
  let offset: Double
  let gap: Double

  /// How many objects a walk reads until it found so many matches.
  func walk(to wanted: Double) -> Double { offset + gap * wanted }

  /// Evenly spread: the first match comes after its share of the objects.
  static func anywhere(_ found: Double, of objects: Double) -> MatchDistribution {
    MatchDistribution(offset: 0, gap: max(1, objects / max(found, 1e-9)))
  }
}
