/// How an amount grows with the number of objects, from the amounts in a sample and in its two halves: a part that is
/// the same in all of them, and a part in proportion to the objects. The halves share the matches of a query, so that
/// chance is not counted twice. Without halves everything is in proportion.
struct SampledGrowth {
  /// The number of objects in the sample, and the amount with so many.
  let objects: Double
  let amount: Double
  /// The amounts in the two halves; empty without any.
  let halves: [Double]

  /// The amount with more objects than in the sample.
  func amount(with all: Double) -> Double {
    if all <= objects { return amount }
    let fixed = halves.count == 2 ? min(max(0, halves[0] + halves[1] - amount), amount) : 0
    return fixed + (amount - fixed) * all / max(1, objects)
  }
}
