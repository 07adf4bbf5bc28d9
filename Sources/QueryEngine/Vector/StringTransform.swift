internal import Storage

/// A function from a string to a string. It does not know where strings are kept; `StringBuffer` applies it to many.
enum StringTransform: Hashable {
  case uppercase, lowercase, firstLetter
  /// What `[c]` and `[d]` make of a string before it is compared.
  case folded(TextFolding)

  /// The transform of a function; nil for a function that returns something else.
  init?(_ function: ScalarFunction) {
    switch function {
    case .uppercase: self = .uppercase
    case .lowercase: self = .lowercase
    case .firstLetter: self = .firstLetter
    case .abs, .ceiling, .floor, .round, .trunc, .sqrt, .exp, .ln, .log, .raise, .modulus, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .onesComplement, .length, .year, .month, .day, .hour, .distance:
      return nil
    }
  }

  /// What it does to ASCII, which keeps its length; nil for a transform that does more.
  var ofASCII: ASCIILetters? {
    switch self {
    case .uppercase: .exchanged(first: UInt8(ascii: "a"))
    case .lowercase: .exchanged(first: UInt8(ascii: "A"))
    case .folded(let folding): folding.ignoresCase ? .exchanged(first: UInt8(ascii: "A")) : .unchanged
    case .firstLetter: nil
    }
  }

  /// What a transform does to ASCII letters.
  enum ASCIILetters {
    case unchanged
    /// The 26 letters from this one on change their case.
    case exchanged(first: UInt8)
  }

  /// Lends the result for a string of any script.
  func withResult(of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var result: String
    switch self {
    case .folded(let folding): return folding.withFolded(text, body)
    case .uppercase: result = String(decoding: text, as: UTF8.self).uppercased()
    case .lowercase: result = String(decoding: text, as: UTF8.self).lowercased()
    case .firstLetter: result = String(decoding: text, as: UTF8.self).first.map { String($0) } ?? ""
    }
    result.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
