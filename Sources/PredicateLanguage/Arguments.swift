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
  /// The texts that arguments were read from which may still take the type of what they are compared with, by position:
  /// `"5"` given as the number 5 is the text again against a text.
  public var positionalTexts: [Int: String] = [:]
  /// The same by name.
  public var namedTexts: [String: String] = [:]

  /// Arguments by position and by name.
  public init(_ positional: [Value] = [], named: [String: Value] = [:]) {
    self.positional = positional
    self.named = named
  }

  /// Whether there are none.
  package var isEmpty: Bool { positional.isEmpty && named.isEmpty }

  /// The text that takes the type of what the placeholder's value is compared with; nil when its type is certain.
  package func text(of placeholder: Placeholder, value: Value) -> String? {
    let text: String? =
      switch placeholder {
      case .sequential(let index, _), .positional(let index): positionalTexts[index]
      case .named(let name): namedTexts[name]
      }
    if text == nil, textTakesType, case .string(let given) = value { return given }
    return text
  }
}
