internal import Storage

/// A function from a string to a string. `StringBuffer` applies it to many strings.
enum StringTransform: Hashable {
  /// A function of the language.
  case function(ScalarFunction)
  /// The folding of `[c]` and `[d]` before a comparison.
  case folded(TextFolding)
  /// A part by constant positions.
  case part(TextPart)
  /// A replacement of constant strings that never makes a string longer.
  case replaced(TextReplacement)

  /// The effect on ASCII strings, whose length stays the same; nil for a transform with any other effect.
  var ofASCII: ASCIILetters? {
    switch self {
    case .function(.uppercase): .exchanged(first: UInt8(ascii: "a"))
    case .function(.lowercase): .exchanged(first: UInt8(ascii: "A"))
    case .function, .part, .replaced: nil
    case .folded(let folding): folding.ignoresCase ? .exchanged(first: UInt8(ascii: "A")) : .unchanged
    }
  }

  /// Whether the result is the first character of the string.
  var keepsFirstCharacter: Bool {
    switch self {
    case .function(let function): function.keepsFirstCharacter
    case .folded, .part, .replaced: false
    }
  }

  /// Whether the result of an ASCII string is one.
  var keepsASCII: Bool {
    switch self {
    case .function, .folded, .part: true
    case .replaced(let replacement): replacement.keepsASCII
    }
  }

  /// The effect of a transform on ASCII letters.
  enum ASCIILetters {
    case unchanged
    /// The 26 letters from this one on change their case.
    case exchanged(first: UInt8)
  }

  /// Calls `body` with the result for a string of any script.
  func withResult(of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    switch self {
    case .folded(let folding): folding.withFoldedParts(text, body)
    case .part(let part): body(part.slice(of: text))
    case .replaced(let replacement):
      if let bytes = replacement.bytes(of: text) { bytes.withUnsafeBytes { body($0) } }
    case .function(let function):
      // Only functions from strings to strings are transforms.
      guard case .string(let transform) = function.family else { return body(text) }
      var result = transform(String(decoding: text, as: UTF8.self))
      result.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }
}
