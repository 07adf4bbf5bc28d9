/// A Swift value that can replace a placeholder of a query: `%@`, `$0`, `$name`.
///
/// Numbers, strings, Bools, dates, UUIDs, Data, optionals of these, arrays and sets (for IN and BETWEEN), and ranges
/// (for BETWEEN). An argument is always a value; it can never change how the text is parsed.
///
/// ```swift
/// let middling = try quakes.filter("magnitude BETWEEN %@ AND net IN %@", 5.0...6.0, ["us", "ak"])
/// ```
public protocol QueryArgument {
  /// The value in the query language.
  var queryValue: Value { get }
}

extension Arguments {
  /// Arguments by position, for `%@ %K %d …` in order and `$0 $K0`.
  public init(_ positional: [(any QueryArgument)?]) { self.init(positional.map { $0?.queryValue ?? .null }) }

  /// Arguments by name, for `$name` and `:name`.
  public init(_ named: [String: (any QueryArgument)?]) {
    self.init([Value](), named: named.mapValues { $0?.queryValue ?? .null })
  }
}
