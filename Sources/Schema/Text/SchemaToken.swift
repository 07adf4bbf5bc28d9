import Diagnostics

/// A token of schema text, with its kind and range. It does not know its role in the grammar.
struct SchemaToken {
  /// The kinds of token.
  enum Kind: Hashable {
    /// A name or keyword; `escaped` when it was in backticks and so is not a keyword.
    case word(String, escaped: Bool)
    /// A decoded string literal without interpolation.
    case string(String)
    /// An unsupported string constant (interpolated, raw or multiline), which is an error only as a default.
    case otherString
    /// An integer; nil when it needs more than 64 bits (the magnitude of `Int.min` is allowed).
    case integer(UInt64?)
    /// A number with a point or exponent.
    case number(Double)
    /// A single character: brackets, `@ # : , ; . = ? ! \ - < >` and all operator characters of Swift code.
    case mark(Unicode.Scalar)
    /// The end of the text.
    case end
  }

  /// The kind of the token.
  var kind: Kind
  /// The range of the token.
  var range: SourceRange
  /// Whether there is a line break between the previous token and this one.
  var startsLine: Bool

  /// Whether this is the given character.
  func isMark(_ scalar: Unicode.Scalar) -> Bool { kind == .mark(scalar) }

  /// Whether this is the given keyword (not a name in backticks).
  func isWord(_ text: String) -> Bool { kind == .word(text, escaped: false) }
}
