/// Where in an order the objects lie that a query finds: how many objects come before the first of them, and how many lie
/// from each to the next.
struct MatchDistribution: Sendable {
  let offset: Double
  let gap: Double

  /// How many objects are walked until so many are found.
  func walk(to wanted: Double) -> Double { offset + gap * wanted }

  /// Anywhere: what holds for a part of the objects is met after its share of them.
  static func anywhere(_ found: Double, of objects: Double) -> MatchDistribution {
    MatchDistribution(offset: 0, gap: max(1, objects / max(found, 1e-9)))
  }
}
