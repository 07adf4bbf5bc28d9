internal import Values

/// The parameter of `@percentile(0.9)`: the share of the values that lie below the result, from 0 (the least) to 1 (the
/// greatest). Between two values it is interpolated, so that 0.5 is the median.
package struct Percentile: Hashable, Sendable {
  private let fraction: DecimalValue

  /// nil unless `fraction` is from 0 to 1.
  package init?(_ fraction: Double) {
    guard 0...1 ~= fraction, let exact = DecimalValue(shortest: fraction) else { return nil }
    self.fraction = exact
  }

  /// The parameter in the name of an operation, such as `percentile(0.9)`; nil for the name of any other.
  init?(operation: String) {
    guard operation.hasPrefix("percentile("), operation.hasSuffix(")"),
      let fraction = Double(operation.dropFirst("percentile(".count).dropLast())
    else { return nil }
    self.init(fraction)
  }

  /// The name of the operation, as the parser writes it.
  package var operation: String { "percentile(\(fraction))" }

  /// The position among `count` sorted values: that of the value before it, and how far the result is from that value
  /// to the next. The product is exact, since the numbers together have fewer digits than a Decimal.
  private func position(among count: Int) -> (place: Int, rest: DecimalValue) {
    guard let position = DecimalValue.product(fraction, DecimalValue(Int64(count - 1))),
      let floor = position.rounded(.down), let place = floor.integer.flatMap(Int.init(exactly:)),
      let rest = DecimalValue.difference(position, floor)
    else { return (0, .zero) }
    return (min(max(place, 0), count - 1), rest)
  }

  /// The result for numbers in ascending order; there is at least one.
  func value(ofSorted numbers: [Double]) -> Double {
    let (place, rest) = position(among: numbers.count)
    let low = numbers[place]
    guard rest != .zero, place + 1 < numbers.count, numbers[place + 1] != low else { return low }
    let next = numbers[place + 1]
    // As the median, where it is one.
    if rest.double == 0.5, (low + next).isFinite { return (low + next) / 2 }
    return low * (1 - rest.double) + next * rest.double
  }

  /// The result for Decimals in ascending order, exactly; nil without values, and where it has too many digits. Half-way
  /// between two it is their average, which is rounded.
  func value(ofSorted numbers: [DecimalValue]) -> DecimalValue? {
    if numbers.isEmpty { return nil }
    let (place, rest) = position(among: numbers.count)
    guard rest != .zero, place + 1 < numbers.count else { return numbers[place] }
    if rest.double == 0.5 {
      var sum = DecimalSum()
      sum.add(numbers[place])
      sum.add(numbers[place + 1])
      return sum.average
    }
    return DecimalValue.difference(numbers[place + 1], numbers[place])
      .flatMap { DecimalValue.product($0, rest) }
      .flatMap { DecimalValue.sum(numbers[place], $0) }
  }
}
