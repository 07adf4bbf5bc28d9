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
  /// What arguments were read from that may still take the type of what they are compared with, by position.
  public var positionalTexts: [Int: ArgumentText] = [:]
  /// The same by name.
  public var namedTexts: [String: ArgumentText] = [:]

  /// Arguments by position and by name.
  public init(_ positional: [Value] = [], named: [String: Value] = [:]) {
    self.positional = positional
    self.named = named
  }

  /// Whether there are none.
  package var isEmpty: Bool { positional.isEmpty && named.isEmpty }

  /// The texts that take the type of what they are compared with, by the values they are until then: those of the value
  /// of a placeholder, and of the elements of a list in JSON.
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

/// What an argument was read from.
public enum ArgumentText: Hashable, Sendable {
  /// A text that may be of any type: `"5"` given as the number 5 is the text again against a text.
  case text(String)
  /// JSON, which has no dates, UUIDs and Data: its texts may be those.
  case json
}

/// A text that takes the type of what it is compared with.
package struct AdaptableText: Hashable, Sendable {
  package let text: String
  /// Whether it stood in JSON, and so is no number or Bool.
  package let isFromJSON: Bool
}
