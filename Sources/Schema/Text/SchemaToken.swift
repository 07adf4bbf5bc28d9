import Diagnostics

/// A token of schema text: what it is and where. It does not know what it means there.
struct SchemaToken {
  /// The kinds of token.
  enum Kind: Hashable {
    /// A name or keyword; `escaped` when it stood in backticks, so that it is no keyword.
    case word(String, escaped: Bool)
    /// A decoded string literal without interpolation.
    case string(String)
    /// A string that is no constant of ours (interpolated, raw or of several lines), which matters only as a default.
    case otherString
    /// A whole number; nil when it needs more than 64 bits (the magnitude of `Int.min` is allowed).
    case integer(UInt64?)
    /// A number with a point or exponent.
    case number(Double)
    /// A character of its own: brackets, `@ # : , ; . = ? ! \ - < >` and whatever operators Swift code is made of.
    case mark(Unicode.Scalar)
    /// The end of the text.
    case end
  }

  /// What it is.
  var kind: Kind
  /// Where it stands.
  var range: SourceRange
  /// Whether a line ended between the token before and this one.
  var startsLine: Bool

  /// Whether this is the given character.
  func isMark(_ scalar: Unicode.Scalar) -> Bool { kind == .mark(scalar) }

  /// Whether this is the given keyword (not a name in backticks).
  func isWord(_ text: String) -> Bool { kind == .word(text, escaped: false) }
}
