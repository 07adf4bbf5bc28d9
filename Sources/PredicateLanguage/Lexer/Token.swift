import Diagnostics

/// A token with its kind and range. It has no value: that is parsed from the bytes when needed.
struct Token {
  var kind: Kind
  /// The keyword, only for `.word`.
  var keyword: Keyword?
  /// For a string or quoted name: whether it has escapes. For a number: whether a word follows without a space.
  var flag: Bool
  var start: Int
  var end: Int

  var range: SourceRange { SourceRange(start, end) }

  enum Kind: UInt8 {
    case end
    /// A name or keyword.
    case word
    /// `#name`
    case escapedName
    /// `` `name` ``
    case quotedName
    /// `modulus:by:`, with a `(` after it
    case selector
    case string
    /// `B64"…"`
    case base64String
    case integer
    case decimal
    /// `2018-02-07@01:02:03`
    case date
    /// `T1234:5`
    case timestamp
    /// `%@`, `%K`, `%d`, …
    case formatArgument
    /// `$0`, `$K0`, `$name`
    case dollarArgument
    /// `:name`
    case colonArgument
    /// `@count`
    case collectionOperator

    case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
    case comma, dot, semicolon, colon
    case plus, minus, star, slash, starStar, shiftLeft, shiftRight, ampersand, bar, caret, tilde
    case bang, ampersandAmpersand, barBar
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// `?` behind the type of a property
    case question

    // Tokens that occur only in invalid text.
    case percent
    /// `===`, `!==`, `~=`, `=~`
    case foreignOperator
    case assignment
    /// `“…”`
    case smartString
    case unterminatedString, unterminatedName, unterminatedComment
    case invalid
  }

  /// All symbols that are tokens, by their spelling; `Grammar/Predicate.ebnf` must contain each.
  static let symbols = [
    "(", ")", "[", "]", "{", "}", ",", ".", "+", "-", "*", "/", "**", "<<", ">>", "&", "|", "^", "~", "!", "&&", "||",
    "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", ";", ":", "?", "#", "`", "@", "$", "%",
  ]
}
