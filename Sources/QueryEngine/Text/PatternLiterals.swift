/// The literal parts of a regular expression: the prefix of every match, and a part that every match contains. The
/// pattern is parsed as RE2 does, but only its simple constructs. Anything else ends a literal, so no claim is ever
/// wrong.
struct PatternLiterals: Hashable {
  /// The prefix of every match.
  private(set) var start = ""
  /// The longest literal that every match contains.
  private(set) var part = ""
  /// Whether the literals match in any letter case.
  private(set) var ignoresCase: Bool

  /// Parses a pattern that RE2 has accepted.
  init(_ pattern: String, ignoringCase: Bool) {
    var reader = Reader(pattern)
    ignoresCase = ignoringCase
    var runs: [[Unicode.Scalar]] = [[]]
    while let atom = reader.atom() {
      // Nothing can be derived from such a pattern.
      if atom == .unknown { return }
      let times = reader.repetition()
      // The repetition would apply to the preceding atom.
      if atom == .nothing, times != .once { return }
      if case .letter(let letter) = atom, times != .perhaps {
        runs[runs.count - 1].append(letter)
        if times == .several { runs.append([]) }
      } else if atom == .other || times != .once {
        runs.append([])
      }
    }
    if reader.foldsCase { ignoresCase = true }
    start = Self.text(runs.first ?? [])
    part = runs.map(Self.text).max { $0.utf8.count < $1.utf8.count } ?? ""
  }

  private static func text(_ letters: [Unicode.Scalar]) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: letters)
    return String(text)
  }

  /// An element of a pattern.
  private enum Atom: Equatable {
    case letter(Unicode.Scalar)
    /// An assertion, such as the beginning of a word, which matches no characters.
    case place
    /// An option for the following elements.
    case nothing
    /// An element that matches some characters.
    case other
    /// Alternatives, or a construct that is not parsed here.
    case unknown
  }

  /// The repetition of an atom.
  private enum Times {
    case once
    /// At least once.
    case several
    case perhaps
  }

  /// Parses a pattern from left to right.
  private struct Reader {
    private let pattern: [Unicode.Scalar]
    private var place = 0
    private var isQuoted = false
    /// Whether the pattern contains an option to ignore case.
    private(set) var foldsCase = false

    init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
      pattern.indices.contains(place + offset) ? pattern[place + offset] : nil
    }

    /// The next atom; nil at the end.
    mutating func atom() -> Atom? {
      if isQuoted { return quoted() }
      guard let scalar = peek() else { return nil }
      place += 1
      switch scalar {
      case "|", ")", "*", "+", "?": return .unknown
      case "^", "$": return .place
      case ".": return .other
      case "[": return bracket()
      case "(": return group()
      case "\\": return escape()
      default: return .letter(scalar)
      }
    }

    /// The repetition of the atom just read.
    mutating func repetition() -> Times {
      if isQuoted { return .once }
      var times = Times.once
      while let scalar = peek() {
        switch scalar {
        case "*", "?":
          place += 1
          times = .perhaps
        case "+":
          place += 1
          if times == .once { times = .several }
        case "{":
          guard let least = count() else { return times }
          if least == 0 { times = .perhaps } else if times == .once { times = .several }
        default: return times
        }
        // A lazy repetition matches at least as often.
        if peek() == "?" { place += 1 }
      }
      return times
    }

    /// Skips `{2}`, `{2,}` or `{2,5}` and returns the minimum; nil for a literal brace.
    private mutating func count() -> Int? {
      var end = place + 1
      var digits = ""
      var isAfterComma = false
      while pattern.indices.contains(end), pattern[end] != "}" {
        let scalar = pattern[end]
        if scalar == ",", !isAfterComma, !digits.isEmpty {
          isAfterComma = true
        } else if "0"..."9" ~= scalar {
          if !isAfterComma { digits.unicodeScalars.append(scalar) }
        } else {
          return nil
        }
        end += 1
      }
      guard pattern.indices.contains(end), !digits.isEmpty else { return nil }
      place = end + 1
      return Int(digits) ?? 0
    }

    /// The next character between `\Q` and `\E`.
    private mutating func quoted() -> Atom? {
      guard let scalar = peek() else { return nil }
      if scalar == "\\", peek(1) == "E" {
        place += 2
        isQuoted = false
        return .nothing
      }
      place += 1
      // A repetition after the last letter applies to that letter.
      if peek() == "\\", peek(1) == "E" {
        place += 2
        isQuoted = false
      }
      return .letter(scalar)
    }

    private mutating func escape() -> Atom {
      guard let scalar = peek() else { return .unknown }
      place += 1
      switch scalar {
      case "A", "z", "b", "B": return .place
      case "d", "D", "s", "S", "w", "W": return .other
      case "n": return .letter("\n")
      case "t": return .letter("\t")
      case "r": return .letter("\r")
      case "f": return .letter("\u{C}")
      case "v": return .letter("\u{B}")
      case "a": return .letter("\u{7}")
      case "Q":
        isQuoted = true
        return .nothing
      case "p", "P":
        guard peek() == "{" else {
          place += 1
          return .other
        }
        return skip(to: "}")
      case "x":
        guard peek() == "{" else {
          place += 2
          return .other
        }
        return skip(to: "}")
      default:
        // Escaped punctuation is literal; escaped letters and digits have a meaning that is not parsed here.
        return scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9" ~= scalar)
          ? .letter(scalar) : .unknown
      }
    }

    private mutating func skip(to end: Unicode.Scalar) -> Atom {
      while let scalar = peek() {
        place += 1
        if scalar == end { return .other }
      }
      return .unknown
    }

    /// `[…]`
    private mutating func bracket() -> Atom {
      if peek() == "^" { place += 1 }
      if peek() == "]" { place += 1 }
      while let scalar = peek() {
        place += 1
        switch scalar {
        case "]": return .other
        case "\\": place += 1
        case "[" where peek() == ":":
          // `[:alpha:]`
          var end = place + 1
          while pattern.indices.contains(end), pattern[end] != ":" && pattern[end] != "]" { end += 1 }
          if pattern.indices.contains(end + 1), pattern[end] == ":", pattern[end + 1] == "]" { place = end + 2 }
        default: break
        }
      }
      return .unknown
    }

    /// `(…)` as one atom, and `(?i)`, which takes up no text.
    private mutating func group() -> Atom {
      if peek() == "?", peek(1) != "P", peek(1) != "<" {
        var end = place + 1
        var isOff = false
        while pattern.indices.contains(end), pattern[end] != ")" && pattern[end] != ":" {
          if pattern[end] == "-" { isOff = true }
          if pattern[end] == "i", !isOff { foldsCase = true }
          end += 1
        }
        guard pattern.indices.contains(end) else { return .unknown }
        place = end + 1
        if pattern[end] == ")" { return .nothing }
      }
      while let scalar = peek() {
        if scalar == ")" {
          place += 1
          return .other
        }
        // Alternatives within a group stay within it.
        if scalar == "|" || scalar == "*" || scalar == "+" || scalar == "?" {
          place += 1
          continue
        }
        guard let inner = atom() else { return .unknown }
        if inner == .unknown { return .unknown }
        if isQuoted { return .unknown }
      }
      return .unknown
    }
  }
}
