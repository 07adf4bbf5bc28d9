/// Reads the notation of `Grammar/README.md`.
package struct NotationReader {
  /// What is wrong with a text, and where.
  package struct Failure: Error, CustomStringConvertible {
    /// File, line, and what was expected.
    package var description: String
  }

  private enum Piece: Equatable {
    case name(String)
    case text(String)
    case words(String)
    case mark(Character)
    case end
  }

  private let characters: [Character]
  private let file: String
  private var index = 0
  private var line = 1
  private var piece = Piece.end
  private var pieceLine = 1
  private var remark: String?

  /// The grammar that `text` says.
  package static func grammar(_ text: String, file: String) throws -> Grammar {
    var reader = try NotationReader(text, file)
    return try reader.grammar()
  }

  private init(_ text: String, _ file: String) throws {
    characters = Array(text)
    self.file = file
    try next()
  }

  private func failure(_ what: String) -> Failure { Failure(description: "\(file):\(pieceLine): \(what)") }

  // MARK: Rules

  private mutating func grammar() throws -> Grammar {
    var rules: [Rule] = []
    while piece != .end {
      let (line, remark) = (pieceLine, remark)
      guard case .name(let name) = piece else { throw failure("a rule starts with its name") }
      try next()
      try take("=")
      let pattern = try choice()
      self.remark = nil
      try take(";")
      rules.append(Rule(name: name, pattern: pattern, remark: remark, file: file, line: line))
    }
    return Grammar(rules)
  }

  private mutating func choice() throws -> Pattern {
    var parts = [try sequence()]
    while piece == .mark("|") {
      try next()
      parts.append(try sequence())
    }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws -> Pattern {
    var parts: [Pattern] = []
    while let part = try part() { parts.append(part) }
    guard !parts.isEmpty else { throw failure("a rule, a text or a bracket is expected") }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func part() throws -> Pattern? {
    switch piece {
    case .name(let name):
      try next()
      return .rule(name)
    case .text(let text):
      try next()
      return .text(text)
    case .words(let words):
      try next()
      return .words(words)
    case .mark("("): return try bracketed(")")
    case .mark("["): return .optional(try bracketed("]"))
    case .mark("{"): return .repetition(try bracketed("}"))
    case .mark("&"), .mark("!"):
      let isNegated = piece == .mark("!")
      try next()
      guard let part = try part() else { throw failure("what comes next is expected") }
      return .ahead(part, isNegated: isNegated)
    default: return nil
    }
  }

  private mutating func bracketed(_ end: Character) throws -> Pattern {
    try next()
    let inner = try choice()
    try take(end)
    return inner
  }

  private mutating func take(_ mark: Character) throws {
    guard piece == .mark(mark) else { throw failure("'\(mark)' is expected, and there is \(piece)") }
    try next()
  }

  // MARK: Pieces

  private mutating func next() throws {
    try skipBlanks()
    pieceLine = line
    guard index < characters.count else {
      piece = .end
      return
    }
    let character = characters[index]
    switch character {
    case "\"", "'": piece = .text(try upTo(character))
    case "?": piece = .words(try upTo(character).split(whereSeparator: \.isWhitespace).joined(separator: " "))
    case "=", ";", "|", "(", ")", "[", "]", "{", "}", "&", "!":
      piece = .mark(character)
      index += 1
    default:
      let start = index
      while index < characters.count,
        characters[index].isLetter || characters[index].isNumber || characters[index] == "_"
      { index += 1 }
      guard index > start else { throw failure("'\(character)' is no part of the notation") }
      piece = .name(String(characters[start..<index]))
    }
  }

  private mutating func upTo(_ end: Character) throws -> String {
    index += 1
    let start = index
    while index < characters.count, characters[index] != end { advance() }
    guard index < characters.count else { throw failure("\(end) is never closed") }
    index += 1
    return String(characters[start..<index - 1])
  }

  private mutating func advance() {
    if characters[index] == "\n" { line += 1 }
    index += 1
  }

  private mutating func skipBlanks() throws {
    while index < characters.count {
      if characters[index].isWhitespace {
        advance()
      } else if characters[index...].starts(with: ["(", "*"]) {
        let start = index + 2
        while index < characters.count, !characters[index...].starts(with: ["*", ")"]) || index < start { advance() }
        guard index < characters.count else { throw failure("a remark is never closed") }
        remark = characters[start..<index].split(whereSeparator: \.isWhitespace).map { String($0) }.joined(
          separator: " ")
        index += 2
      } else {
        return
      }
    }
  }
}
