/// A Swift value that can stand for a placeholder of a query: `%@`, `$0`, `$name`.
///
/// Numbers, text, booleans, dates, UUIDs, data, optionals of those, arrays and sets (for IN and BETWEEN), and
/// ranges (for BETWEEN). An argument is always a value; it can never change how the text is read.
public protocol QueryArgument {
  /// The value as the language has it.
  var queryValue: Value { get }
}

extension Arguments {
  /// Arguments by position from Swift values.
  public init(_ positional: [any QueryArgument]) { self.init(positional.map(\.queryValue)) }

  /// Arguments by name from Swift values.
  public init(_ named: [String: any QueryArgument]) { self.init([], named: named.mapValues(\.queryValue)) }
}
