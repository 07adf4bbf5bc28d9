public import Values

/// The values for a text's placeholders. An argument is always a value: it can never change the parse.
public struct Arguments: Sendable {
  /// For `%@ %K %d …` in order, and `$0 $K0` by position.
  public var positional: [Value]
  /// For `$name` and `:name`.
  public var named: [String: Value]
  /// Whether a text takes the type of what it is compared with, as arguments from a command line must: `"5"` against a
  /// number is 5. Off, a text is a text.
  public var textTakesType = false

  /// Arguments by position and by name.
  public init(_ positional: [Value] = [], named: [String: Value] = [:]) {
    self.positional = positional
    self.named = named
  }
}
