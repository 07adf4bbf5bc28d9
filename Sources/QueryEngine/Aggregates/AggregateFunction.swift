internal import Values

/// A function from many values to one, wherever the values come from: the elements of a collection (`ratings.@avg`), the
/// objects of a group (`@avg.magnitude`), all objects of a query, or arguments (`average(a, b)`).
///
/// nil and NaN are skipped, except by the count.
package enum AggregateFunction: Hashable, Sendable {
  case count
  /// 0 without values; nil if a sum of integers overflows.
  case sum
  case average
  case minimum
  case maximum
  case median
  /// The most frequent value; the smallest if there are several.
  case mode
  /// The standard deviation of a population.
  case deviation
  /// The value below which a share of the values lies.
  case percentile(Percentile)
  /// The distinct values, in the order of their first occurrence.
  case distinct
  /// The number of distinct values. It is written `@distinctUnionOfObjects.x.@count`.
  case distinctCount
  /// All values as one list, for SELECT. It has no name in the language.
  case list

  /// Those that make one value of values of one type and take no parameter: functions, and operators after `@`.
  package static let functions: [AggregateFunction] = [
    .count, .sum, .average, .minimum, .maximum, .median, .mode, .deviation,
  ]

  /// The name after `@`.
  package var rawValue: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .average: "avg"
    case .minimum: "min"
    case .maximum: "max"
    case .median: "median"
    case .mode: "mode"
    case .deviation: "stddev"
    case .percentile(let percentile): percentile.operation
    case .distinct: "distinctUnionOfObjects"
    case .distinctCount: "@distinctCount"
    case .list: "@list"
    }
  }

  /// Whether it makes one value of values of one type.
  var makesOneValue: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum, .median, .mode, .deviation, .percentile: true
    case .distinct, .distinctCount, .list: false
    }
  }

  /// The name as a function.
  var name: String { self == .average ? "average" : rawValue }

  /// The aggregate of a collection with a name after a path, without `@`.
  init?(operation: String) {
    if let found = Self.functions.first(where: { $0.rawValue == operation }) {
      self = found
    } else if let percentile = Percentile(operation: operation) {
      self = .percentile(percentile)
    } else {
      return nil
    }
  }

  /// The function with a name in any letter case, in either spelling (`sum`, `sum:`).
  init?(function name: String) {
    var name = name.lowercased()
    if name.last == ":" { name.removeLast() }
    guard let found = Self.functions.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The type of the result for values of a type; nil if the function does not take that type.
  package func type(of element: ExpressionType) -> ExpressionType? {
    switch self {
    case .count, .distinctCount: .int
    case .distinct, .list: .list
    case .sum where element == .int || element == .null: .int
    case .sum, .average, .median, .percentile:
      element == .decimal ? .decimal : element.isNumeric || element == .null ? .double : nil
    case .deviation: element.isNumeric || element == .null ? .double : nil
    case .minimum, .maximum, .mode: element.hasOrder ? element : nil
    }
  }

  /// Whether it takes nothing but numbers.
  var isOfNumbers: Bool {
    switch self {
    case .sum, .average, .median, .deviation, .percentile: true
    case .count, .minimum, .maximum, .mode, .distinct, .distinctCount, .list: false
    }
  }

  /// Whether it is the minimum or the maximum, which the ends of an index and zone maps show.
  var isExtreme: Bool { self == .minimum || self == .maximum }

  /// Whether it is computed from the counters, zone maps and stored form of a column.
  var hasKernels: Bool { isExtreme || self == .sum || self == .average || self == .count }

  /// A description of the values it takes, for errors.
  var parameter: String { isOfNumbers ? "numbers" : isExtreme || self == .mode ? "values of one type" : "values" }

  /// The result of an aggregate that needs all numbers at once; there is at least one.
  func value(ofAll numbers: [Double]) -> Double {
    if self == .median {
      let sorted = numbers.sorted()
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
    if case .percentile(let percentile) = self { return percentile.value(ofSorted: numbers.sorted()) }
    return Self.deviation(of: numbers)
  }

  /// The standard deviation of a population. Its sums are exact, so it does not depend on the order of the numbers. NaN
  /// with an infinite number.
  private static func deviation(of numbers: [Double]) -> Double {
    func sum(_ term: (Double) -> Double) -> Double {
      var sum = ExactSum()
      for number in numbers { sum.add(term(number)) }
      return sum.value
    }
    guard numbers.allSatisfy(\.isFinite) else { return .nan }
    let count = Double(numbers.count)
    let total = sum { $0 }
    let middle = total.isFinite ? total / count : sum { $0 / count }
    // Halves, whose difference is finite.
    let farthest = numbers.reduce(0) { max($0, ($1 / 2 - middle / 2).magnitude) }
    if farthest == 0 { return 0 }
    // Divided by a power of two, which is exact, no square is infinite or 0.
    let scale = Double(sign: .plus, exponent: farthest.exponent, significand: 1)
    let scaled = { (number: Double) in (number / 2 - middle / 2) / scale }
    // What the rounded mean is off by.
    let off = sum(scaled) / count
    return max(0, sum { scaled($0) * scaled($0) } / count - off * off).squareRoot() * scale * 2
  }

  /// The result of an aggregate that needs all values at once: the list, the mode, or the median or a percentile of
  /// Decimals.
  func value(ofAll values: [Value]) -> Value {
    if self == .list { return .list(values) }
    let sorted = values.filter(ValueOrder.isComparable).sorted { SortOrder.compare($0, $1) < 0 }
    if case .percentile(let percentile) = self {
      return percentile.value(ofSorted: sorted.compactMap(\.exact)).map(Value.decimal) ?? .null
    }
    if self == .median {
      let middle = sorted.dropFirst((sorted.count - 1) / 2).prefix(2 - sorted.count % 2).compactMap(\.exact)
      // One value is taken as it is: a mean has at most 38 digits.
      if middle.count == 1 { return .decimal(middle[0]) }
      var sum = DecimalSum()
      for number in middle { sum.add(number) }
      return sum.average.map(Value.decimal) ?? .null
    }
    var best: (first: Int, count: Int) = (0, 0)
    var first = 0
    for place in sorted.indices {
      if !ValueOrder.areEqual(sorted[first], sorted[place]) { first = place }
      if place - first + 1 > best.count { best = (first, place - first + 1) }
    }
    return best.count == 0 ? .null : sorted[best.first]
  }

  /// Calls `use` with an empty accumulator for values of a type.
  @inline(__always)
  func accumulate<Use: AccumulatorUse>(_ type: ExpressionType, _ use: Use) throws -> Use.Result {
    switch self {
    case .count: try use(ValueCount())
    case .list: try use(KeptValues())
    case .sum, .average:
      if type == .int || type == .null {
        try use(WholeSum())
      } else {
        try type == .decimal ? use(DecimalTotal()) : use(RealSum())
      }
    case .minimum, .maximum:
      switch type {
      case .int, .float, .double, .date: try use(NumberExtreme(isLeast: self == .minimum))
      case .string: try use(StringMinMax(isLeast: self == .minimum))
      case .null, .bool, .decimal, .number, .uuid, .data, .list, .structure, .object:
        try use(ValueExtreme(isLeast: self == .minimum))
      }
    case .median, .percentile: try type == .decimal ? use(KeptValues()) : use(KeptNumbers())
    case .deviation: try use(KeptNumbers())
    case .mode: try use(KeptValues())
    case .distinct, .distinctCount: try use(DistinctValues())
    }
  }
}
