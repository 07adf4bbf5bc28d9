/// Splits UTF-8 text into tokens, one at a time, directly on the bytes. It does not depend on the grammar: the parser
/// decides what a word means at its position.
struct Lexer {
  /// The text. Offsets are checked against `count` before every read.
  let bytes: UnsafePointer<UInt8>
  let count: Int
  /// The offset at which the next token is searched.
  var position = 0
  /// Whether comments are allowed, as in statements but not in predicates.
  let allowsComments: Bool
  private let keywords = KeywordTable.shared
  private let interruption: ParseInterruption?
  /// The offset at which the interruption is asked next.
  private var nextQuestion: Int
  #if DEBUG
    private let counter = StepCounter.current
  #endif

  /// - Parameter interruption: Ends the text early; nil if nothing does.
  init(
    _ bytes: UnsafePointer<UInt8>, count: Int, allowsComments: Bool, interruption: ParseInterruption? = nil
  ) {
    self.bytes = bytes
    self.count = count
    self.allowsComments = allowsComments
    self.interruption = interruption
    nextQuestion = interruption == nil ? .max : ParseInterruption.interval
  }

  /// The byte at an offset; 0 before the beginning and past the end (`count` distinguishes a real NUL).
  @inline(__always)
  func byte(_ offset: Int) -> UInt8 {
    count(1)
    return UInt(bitPattern: offset) < UInt(bitPattern: count) ? bytes[offset] : 0
  }

  /// Counts steps, in builds for tests.
  @inline(__always)
  func count(_ steps: Int) {
    #if DEBUG
      counter?.add(steps)
    #endif
  }

  /// The next token; `.end` repeatedly at the end of the text.
  mutating func next() -> Token {
    #if DEBUG
      let before = position
      defer { count(position - before + 1) }
    #endif
    if position >= nextQuestion { ask() }
    if let unclosed = skipBlanks() { return unclosed }
    let start = position
    guard start < count else { return token(.end, count, count) }
    let first = bytes[start]
    if Self.startsWord(first) { return word(from: start) }
    switch first {
    case 0x30...0x39: return number(from: start)
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return string(from: start, kind: .string)
    case UInt8(ascii: "`"):
      var name = string(from: start, kind: .quotedName)
      if name.kind == .unterminatedString { name.kind = .unterminatedName }
      return name
    case UInt8(ascii: "("): return symbol(.leftParenthesis, 1)
    case UInt8(ascii: ")"): return symbol(.rightParenthesis, 1)
    case UInt8(ascii: "["): return symbol(.leftBracket, 1)
    case UInt8(ascii: "]"): return symbol(.rightBracket, 1)
    case UInt8(ascii: "{"): return symbol(.leftBrace, 1)
    case UInt8(ascii: "}"): return symbol(.rightBrace, 1)
    case UInt8(ascii: ","): return symbol(.comma, 1)
    case UInt8(ascii: ";"): return symbol(.semicolon, 1)
    case UInt8(ascii: "?"): return symbol(.question, 1)
    case UInt8(ascii: "."): return Self.isDigit(byte(start + 1)) ? number(from: start) : symbol(.dot, 1)
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~"):
      return comparison(first, byte(start + 1), byte(start + 2))
    case UInt8(ascii: "+"): return symbol(.plus, 1)
    case UInt8(ascii: "-"): return symbol(.minus, 1)
    case UInt8(ascii: "*"): return byte(start + 1) == first ? symbol(.starStar, 2) : symbol(.star, 1)
    case UInt8(ascii: "/"): return symbol(.slash, 1)
    case UInt8(ascii: "^"): return symbol(.caret, 1)
    case UInt8(ascii: "&"): return byte(start + 1) == first ? symbol(.ampersandAmpersand, 2) : symbol(.ampersand, 1)
    case UInt8(ascii: "|"): return byte(start + 1) == first ? symbol(.barBar, 2) : symbol(.bar, 1)
    case UInt8(ascii: "@"): return prefixed(.collectionOperator)
    case UInt8(ascii: "#"): return prefixed(.escapedName)
    case UInt8(ascii: ":"):
      if byte(start + 1) == UInt8(ascii: "=") { return symbol(.assignment, 2) }
      return startsName(start + 1) ? prefixed(.colonArgument) : symbol(.colon, 1)
    case UInt8(ascii: "$"): return dollar(from: start)
    case UInt8(ascii: "%"): return percent(from: start)
    case 0x80...: return unicode(from: start)
    default: return symbol(.invalid, 1)
    }
  }

  /// Asks whether to go on; if not, the text ends here.
  @inline(never)
  private mutating func ask() {
    if interruption?.ask() ?? false { position = count } else { nextQuestion = position + ParseInterruption.interval }
  }

  @inline(__always)
  private func token(_ kind: Token.Kind, _ start: Int, _ end: Int, flag: Bool = false) -> Token {
    Token(kind: kind, keyword: nil, flag: flag, start: start, end: end)
  }

  @inline(__always)
  private mutating func symbol(_ kind: Token.Kind, _ length: Int) -> Token {
    let start = position
    position = start + length
    return token(kind, start, position)
  }

  private mutating func comparison(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Token {
    let equals = UInt8(ascii: "=")
    switch (first, second) {
    case (equals, equals), (UInt8(ascii: "!"), equals):
      if third == equals { return symbol(.foreignOperator, 3) }
      return symbol(first == equals ? .equal : .notEqual, 2)
    case (equals, UInt8(ascii: "<")), (UInt8(ascii: "<"), equals): return symbol(.lessOrEqual, 2)
    case (equals, UInt8(ascii: ">")), (UInt8(ascii: ">"), equals): return symbol(.greaterOrEqual, 2)
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): return symbol(.notEqual, 2)
    case (UInt8(ascii: "<"), UInt8(ascii: "<")): return symbol(.shiftLeft, 2)
    case (UInt8(ascii: ">"), UInt8(ascii: ">")): return symbol(.shiftRight, 2)
    case (UInt8(ascii: "~"), equals): return symbol(.foreignOperator, 2)
    case (equals, _): return symbol(.equal, 1)
    case (UInt8(ascii: "<"), _): return symbol(.less, 1)
    case (UInt8(ascii: ">"), _): return symbol(.greater, 1)
    case (UInt8(ascii: "~"), _): return symbol(.tilde, 1)
    default: return symbol(.bang, 1)
    }
  }

  // MARK: Words

  private mutating func word(from start: Int) -> Token {
    position = endOfName(start)
    if byte(position) == UInt8(ascii: ":") {
      if let end = selectorEnd(position) {
        position = end
        return token(.selector, start, end)
      }
      if bytes[start] == UInt8(ascii: "T"), let end = timestampEnd(start) {
        position = end
        return token(.timestamp, start, end)
      }
    } else if bytes[start] == UInt8(ascii: "T"), position == start + 1, byte(position) == UInt8(ascii: "-"),
      let end = timestampEnd(start)
    {
      position = end
      return token(.timestamp, start, end)
    } else if position == start + 3, bytes[start] | 0x20 == UInt8(ascii: "b"), byte(start + 1) == UInt8(ascii: "6"),
      byte(start + 2) == UInt8(ascii: "4"),
      byte(position) == UInt8(ascii: "\"") || byte(position) == UInt8(ascii: "'")
    {
      var literal = string(from: position, kind: .base64String)
      literal.start = start
      return literal
    }
    return Token(
      kind: .word, keyword: keywords.keyword(bytes + start, position - start), flag: false, start: start,
      end: position)
  }

  /// The end of a selector such as `:by:`, if a `(` follows.
  private func selectorEnd(_ colon: Int) -> Int? {
    var end = colon
    while byte(end) == UInt8(ascii: ":") {
      end += 1
      if startsName(end) {
        end = endOfName(end)
        guard byte(end) == UInt8(ascii: ":") else { return nil }
      }
    }
    var next = end
    while Self.isBlank(byte(next)) { next += 1 }
    return byte(next) == UInt8(ascii: "(") ? end : nil
  }

  /// A token of a sign followed by a name: `@count`, `#size`, `:name`.
  private mutating func prefixed(_ kind: Token.Kind) -> Token {
    guard startsName(position + 1) else { return symbol(.invalid, 1) }
    let start = position
    position = endOfName(start + 1)
    return token(kind, start, position)
  }

  private mutating func dollar(from start: Int) -> Token {
    var end = start + 1
    while Self.isDigit(byte(end)) { end += 1 }
    if end == start + 1 {
      guard startsName(end) else { return symbol(.invalid, 1) }
      end = endOfName(end)
    }
    position = end
    return token(.dollarArgument, start, end)
  }

  private mutating func percent(from start: Int) -> Token {
    if byte(start + 1) == UInt8(ascii: "@") { return symbol(.formatArgument, 2) }
    var end = start + 1
    while Self.startsWord(byte(end)) { end += 1 }
    guard end > start + 1 else { return symbol(.percent, 1) }
    position = end
    return token(.formatArgument, start, end)
  }

  // MARK: Strings

  private mutating func string(from start: Int, kind: Token.Kind) -> Token {
    let quote = bytes[start]
    var end = start + 1
    var hasEscapes = false
    while end < count {
      let byte = bytes[end]
      if byte == quote {
        position = end + 1
        return token(kind, start, position, flag: hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        end += 1
      }
      end += 1
    }
    position = count
    return token(.unterminatedString, start, count, flag: hasEscapes)
  }

  // MARK: Blanks and comments

  /// Skips white space and comments. A comment without an end comes back as a token.
  private mutating func skipBlanks() -> Token? {
    while position < count {
      let byte = bytes[position]
      if Self.isBlank(byte) {
        position += 1
      } else if byte >= 0x80, let length = blankLength(position) {
        position += length
      } else if allowsComments, let end = commentEnd(position) {
        guard end >= 0 else {
          let start = position
          position = count
          return token(.unterminatedComment, start, count)
        }
        position = end
      } else {
        return nil
      }
    }
    return nil
  }

  /// The end of the comment that starts at `offset`; nil if none starts there, -1 if it is not closed.
  func commentEnd(_ offset: Int) -> Int? {
    let first = bytes[offset]
    let second = byte(offset + 1)
    switch (first, second) {
    case (UInt8(ascii: "/"), UInt8(ascii: "*")):
      var end = offset + 2
      while end + 1 < count {
        if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") { return end + 2 }
        end += 1
      }
      return -1
    case (UInt8(ascii: "-"), UInt8(ascii: "-")), (UInt8(ascii: "/"), UInt8(ascii: "/")):
      guard offset == 0 || Self.isBlank(bytes[offset - 1]) else { return nil }
    case (UInt8(ascii: "#"), UInt8(ascii: "!")), (UInt8(ascii: "#"), _):
      guard second == UInt8(ascii: "!") || Self.isBlank(second) || offset + 1 == count,
        offset == 0 || bytes[offset - 1] == UInt8(ascii: "\n")
      else { return nil }
    default: return nil
    }
    var end = offset
    while end < count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  // MARK: Kinds of byte

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte &- 9 < 5 }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  /// An ASCII letter or `_`.
  @inline(__always)
  static func startsWord(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 || byte == 95 }

  /// An ASCII letter, digit or `_`.
  @inline(__always)
  static func continuesWord(_ byte: UInt8) -> Bool { startsWord(byte) || isDigit(byte) }
}
