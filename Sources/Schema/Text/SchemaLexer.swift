import Diagnostics

/// Splits schema text into tokens. Since the text may be any Swift file it never fails: unknown characters become a
/// `mark`, and only an unclosed string or comment is an error.
struct SchemaLexer {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var tokens: [SchemaToken] = []
  private(set) var diagnostics: [Diagnostic] = []

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The tokens of `text`, ending with `end`, and the errors.
  static func tokens(of text: String) -> (tokens: [SchemaToken], diagnostics: [Diagnostic]) {
    var lexer = SchemaLexer(text)
    lexer.run()
    return (lexer.tokens, lexer.diagnostics)
  }

  private mutating func run() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    var startsLine = true
    while true {
      if skipSpace() { startsLine = true }
      let start = position
      let kind = next()
      tokens.append(SchemaToken(kind: kind, range: SourceRange(start, position), startsLine: startsLine))
      if kind == .end { return }
      startsLine = false
    }
  }

  // MARK: Characters

  private func byte(_ offset: Int = 0) -> UInt8? {
    let index = position + offset
    return index < bytes.count ? bytes[index] : nil
  }

  private func at(_ text: StaticString) -> Bool {
    for offset in 0..<text.utf8CodeUnitCount where byte(offset) != text.utf8Start[offset] { return false }
    return true
  }

  private mutating func report(_ code: DiagnosticCode, _ message: String, from start: Int, notes: [String] = []) {
    diagnostics.append(Diagnostic(code: code, message: message, range: SourceRange(start, position), notes: notes))
  }

  // MARK: Space and comments

  /// Skips white space and comments; whether a line ended in them.
  private mutating func skipSpace() -> Bool {
    var ended = false
    while let next = byte() {
      if next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") {
        ended = true
        position += 1
      } else if next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") || next == 0x0B || next == 0x0C || next == 0 {
        position += 1
      } else if at("//") || (position == 0 && at("#!")) {
        while let next = byte(), next != UInt8(ascii: "\n"), next != UInt8(ascii: "\r") { position += 1 }
      } else if at("/*") {
        if skipBlockComment() { ended = true }
      } else {
        break
      }
    }
    return ended
  }

  private mutating func skipBlockComment() -> Bool {
    let start = position
    var depth = 0
    var ended = false
    repeat {
      if at("/*") {
        depth += 1
        position += 2
      } else if at("*/") {
        depth -= 1
        position += 2
      } else if let next = byte() {
        if next == UInt8(ascii: "\n") { ended = true }
        position += 1
      } else {
        diagnostics.append(
          Diagnostic(
            code: .unterminatedComment, message: "this comment is never closed", range: SourceRange(start, start + 2)))
        return ended
      }
    } while depth > 0
    return ended
  }

  // MARK: Tokens

  private mutating func next() -> SchemaToken.Kind {
    guard let first = byte() else { return .end }
    if isNameStart(first) { return word() }
    if first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") { return number() }
    if first == UInt8(ascii: "`") { return escapedName() }
    if first == UInt8(ascii: "\"") { return string() }
    if first == UInt8(ascii: "#"), let kind = rawString() { return kind }
    position += 1
    return .mark(Unicode.Scalar(first))
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
  }

  private func text(from start: Int, to end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  private mutating func word() -> SchemaToken.Kind {
    let start = position
    while let next = byte(), isNamePart(next) { position += 1 }
    return .word(text(from: start, to: position), escaped: false)
  }

  private mutating func escapedName() -> SchemaToken.Kind {
    let start = position
    position += 1
    while let next = byte(), next != UInt8(ascii: "`"), next != UInt8(ascii: "\n") { position += 1 }
    let name = text(from: start + 1, to: position)
    if byte() == UInt8(ascii: "`") {
      position += 1
    } else {
      report(.unterminatedName, "this name in backticks is never closed", from: start)
    }
    return .word(name, escaped: true)
  }

  private mutating func number() -> SchemaToken.Kind {
    let start = position
    for (prefix, radix) in [("0x" as StaticString, 16), ("0o", 8), ("0b", 2)] where at(prefix) {
      position += 2
      while let next = byte(), isNamePart(next) { position += 1 }
      return .integer(UInt64(text(from: start + 2, to: position).filter { $0 != "_" }, radix: radix))
    }
    skipDigits()
    var isWhole = true
    if byte() == UInt8(ascii: "."), let next = byte(1), next >= UInt8(ascii: "0"), next <= UInt8(ascii: "9") {
      isWhole = false
      position += 1
      skipDigits()
    }
    if let next = byte(), next | 0x20 == UInt8(ascii: "e") {
      let mark = position
      position += 1
      if byte() == UInt8(ascii: "-") || byte() == UInt8(ascii: "+") { position += 1 }
      if let next = byte(), next >= UInt8(ascii: "0"), next <= UInt8(ascii: "9") {
        isWhole = false
        skipDigits()
      } else {
        position = mark
      }
    }
    let digits = text(from: start, to: position).filter { $0 != "_" }
    return isWhole ? .integer(UInt64(digits)) : .number(Double(digits) ?? .infinity)
  }

  private mutating func skipDigits() {
    while let next = byte(), next == UInt8(ascii: "_") || (next >= UInt8(ascii: "0") && next <= UInt8(ascii: "9")) {
      position += 1
    }
  }

  // MARK: Strings

  /// A string that begins with `#`: its content is passed over. Nil when the `#` begins something else.
  private mutating func rawString() -> SchemaToken.Kind? {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    guard byte(hashes) == UInt8(ascii: "\"") else { return nil }
    let start = position
    position += hashes + 1
    while position < bytes.count {
      if byte() == UInt8(ascii: "\""), (1...hashes).allSatisfy({ byte($0) == UInt8(ascii: "#") }) {
        position += hashes + 1
        return .otherString
      }
      position += 1
    }
    diagnostics.append(
      Diagnostic(
        code: .unterminatedString, message: "this string is never closed", range: SourceRange(start, start + hashes + 1)
      ))
    return .otherString
  }

  private mutating func string() -> SchemaToken.Kind {
    if at("\"\"\"") { return longString() }
    let start = position
    position += 1
    var content: [UInt8] = []
    var isConstant = true
    while let next = byte() {
      switch next {
      case UInt8(ascii: "\""):
        position += 1
        return isConstant ? .string(String(decoding: content, as: UTF8.self)) : .otherString
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        report(.unterminatedString, "this string is never closed", from: start)
        return .otherString
      case UInt8(ascii: "\\"):
        if byte(1) == UInt8(ascii: "(") {
          isConstant = false
          position += 2
          skipInterpolation()
        } else {
          escape(into: &content)
        }
      default:
        content.append(next)
        position += 1
      }
    }
    report(.unterminatedString, "this string is never closed", from: start)
    return .otherString
  }

  private mutating func longString() -> SchemaToken.Kind {
    let start = position
    position += 3
    while position < bytes.count {
      if at("\"\"\"") {
        position += 3
        return .otherString
      }
      position += byte() == UInt8(ascii: "\\") && position + 1 < bytes.count ? 2 : 1
    }
    report(.unterminatedString, "this string is never closed", from: start)
    return .otherString
  }

  /// Passes over the rest of `\(…)`, strings within included, to its bracket or the end of the line.
  private mutating func skipInterpolation() {
    var depth = 1
    var inString = false
    while let next = byte(), next != UInt8(ascii: "\n") {
      position += 1
      switch next {
      case UInt8(ascii: "\\") where inString: position = min(position + 1, bytes.count)
      case UInt8(ascii: "\""): inString.toggle()
      case UInt8(ascii: "(") where !inString: depth += 1
      case UInt8(ascii: ")") where !inString:
        depth -= 1
        if depth == 0 { return }
      default: break
      }
    }
  }

  private mutating func escape(into content: inout [UInt8]) {
    let start = position
    position += 2
    switch start + 1 < bytes.count ? bytes[start + 1] : nil {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "0"): content.append(0)
    case UInt8(ascii: "\\"): content.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "\""): content.append(UInt8(ascii: "\""))
    case UInt8(ascii: "'"): content.append(UInt8(ascii: "'"))
    case UInt8(ascii: "u") where byte() == UInt8(ascii: "{"):
      position += 1
      let digits = position
      while let next = byte(), next != UInt8(ascii: "}"), next != UInt8(ascii: "\""), next != UInt8(ascii: "\n") {
        position += 1
      }
      let code = UInt32(text(from: digits, to: position), radix: 16).flatMap(Unicode.Scalar.init)
      if byte() == UInt8(ascii: "}") { position += 1 }
      if let code {
        content += Array(String(Character(code)).utf8)
      } else {
        report(.invalidEscape, "this is not the number of a Unicode scalar", from: start)
      }
    default:
      position = min(position, bytes.count)
      report(
        .invalidEscape, "this escape is unknown", from: start,
        notes: [#"the escapes of a string are \n \t \r \0 \\ \" \' and \u{…}"#])
    }
  }
}
