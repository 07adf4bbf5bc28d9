/// How an amount grows with the number of objects, from the amounts in two samples of which one is twice as large. With
/// one sample it grows in proportion.
struct SampledGrowth {
  /// A number of objects, and the amount with so many.
  typealias Point = (objects: Double, amount: Double)

  let large: Point
  /// nil without a second sample.
  let small: Point?

  /// The amount with more objects than in the samples.
  func amount(with objects: Double) -> Double {
    if objects <= large.objects { return large.amount }
    guard let small, small.objects < large.objects else { return large.amount * objects / max(1, large.objects) }
    let perObject = max(0, (large.amount - small.amount) / (large.objects - small.objects))
    return large.amount + perObject * (objects - large.objects)
  }
}
