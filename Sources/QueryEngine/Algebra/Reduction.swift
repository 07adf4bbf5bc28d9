/// A function from many values to one: the aggregates after a path (`ratings.@avg`) and the functions of several values
/// (`average(a, b)`). It does not depend on where the values come from.
package enum Reduction: String, Hashable, Sendable, CaseIterable {
  case count
  case sum
  case average
  case minimum = "min"
  case maximum = "max"
  case median
  case mode
  case deviation = "stddev"
  /// All values as one list, for SELECT. It has no name in the language.
  case list = "@list"

  /// The reductions that are functions of the language.
  static let functions = allCases.filter { $0 != .list }

  /// The aggregate with a name after a path, without `@`.
  init?(operation: String) {
    switch operation {
    case "count": self = .count
    case "sum": self = .sum
    case "avg": self = .average
    case "min": self = .minimum
    case "max": self = .maximum
    default: return nil
    }
  }

  /// The function with a name in any letter case, in either spelling (`sum`, `sum:`).
  init?(function name: String) {
    var name = name.lowercased()
    if name.last == ":" { name.removeLast() }
    guard let found = Self.functions.first(where: { $0.rawValue == name }) else { return nil }
    self = found
  }

  /// The type of the result for values of a type; nil if the function does not take that type.
  func type(of element: ExpressionType) -> ExpressionType? {
    switch self {
    case .count: return .int
    case .list: return .list
    case .sum:
      if element == .int || element == .null { return .int }
      if element == .decimal { return .decimal }
      return element.isNumeric ? .double : nil
    case .average, .median:
      if element == .decimal { return .decimal }
      return element.isNumeric || element == .null ? .double : nil
    case .deviation: return element.isNumeric || element == .null ? .double : nil
    case .minimum, .maximum, .mode: return element.hasOrder ? element : nil
    }
  }

  /// A description of the values it takes, for errors.
  var parameter: String {
    switch self {
    case .count, .list: "values"
    case .sum, .average, .median, .deviation: "numbers"
    case .minimum, .maximum, .mode: "values of one type"
    }
  }
}
