public import Values

/// The values for a text's placeholders. An argument is always a value: it can never change the parse.
public struct Arguments: Sendable {
  /// For `%@ %K %d …` in order, and `$0 $K0` by position.
  public var positional: [Value]
  /// For `$name` and `:name`.
  public var named: [String: Value]
  /// Whether string arguments take the type of the value they are compared with, as arguments from a command line must:
  /// `"5"` compared with a number is 5. If false, a string stays a string.
  public var textTakesType = false
  /// The sources of arguments that may still take the type of the value they are compared with, by position.
  public var positionalTexts: [Int: ArgumentText] = [:]
  /// The sources of arguments by name.
  public var namedTexts: [String: ArgumentText] = [:]

  /// Arguments by position and by name.
  public init(_ positional: [Value] = [], named: [String: Value] = [:]) {
    self.positional = positional
    self.named = named
  }

  /// Whether there are no arguments.
  package var isEmpty: Bool { positional.isEmpty && named.isEmpty }

  /// The strings that take the type of the value they are compared with, by their current values: for a placeholder's
  /// value, and for the elements of a list from JSON.
  package func texts(of placeholder: Placeholder, value: Value) -> [Value: AdaptableText] {
    let origin: ArgumentText? =
      switch placeholder {
      case .sequential(let index, _), .positional(let index): positionalTexts[index]
      case .named(let name): namedTexts[name]
      }
    switch (origin, value) {
    case (.text(let text), _): return [value: AdaptableText(text: text, isFromJSON: false)]
    case (.json, .string(let text)): return [value: AdaptableText(text: text, isFromJSON: true)]
    case (.json, .list(let elements)):
      var texts: [Value: AdaptableText] = [:]
      for case .string(let text) in elements { texts[.string(text)] = AdaptableText(text: text, isFromJSON: true) }
      return texts
    case (nil, .string(let text)) where textTakesType: return [value: AdaptableText(text: text, isFromJSON: false)]
    case (.json, _), (nil, _): return [:]
    }
  }
}

/// The source of an argument.
public enum ArgumentText: Hashable, Sendable {
  /// A string that may have any type: `"5"` given as the number 5 becomes the string again if it is compared with a
  /// string.
  case text(String)
  /// JSON, which has no dates, UUIDs and Data: its strings may be these.
  case json
}

/// A string that takes the type of the value it is compared with.
package struct AdaptableText: Hashable, Sendable {
  package let text: String
  /// Whether the string comes from JSON, and so is not a number or Bool.
  package let isFromJSON: Bool
}
