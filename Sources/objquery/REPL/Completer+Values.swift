import ObjectStoreCore

/// Completions of values: the most frequent ones of the property that an open quote is compared with.
extension Completer {
  /// The value in hand, which a quote has begun.
  func completeValue(_ statement: String, after tokens: [String]) -> Completion {
    let none = Completion(word: "", candidates: [])
    guard let (quote, word) = Self.openString(statement), let path = Self.comparedPath(tokens) else { return none }
    let schema = schema()
    guard let entity = tokens.first(where: { schema.entity(named: $0) != nil }) ?? defaultEntity() else { return none }
    let found = values(entity, path, Self.decoded(word))
    // A value that is longer than a line helps nobody.
    let candidates = found.filter { $0.count <= 80 }.map { Self.encoded($0, in: quote) }
    return Completion(word: word, candidates: candidates, end: "\(quote) ")
  }

  /// The quotation mark that is open at the end of a text, and what follows it.
  private static func openString(_ text: String) -> (quote: Character, word: String)? {
    var open: (quote: Character, word: String)?
    var isEscaped = false
    for character in text {
      guard let (quote, word) = open else {
        if character == "'" || character == "\"" { open = (character, "") }
        continue
      }
      if !isEscaped, character == quote {
        open = nil
      } else {
        isEscaped = !isEscaped && character == "\\"
        open = (quote, word + String(character))
      }
    }
    return open
  }

  /// The path that a value at the end of `tokens` is compared with, or set to.
  private static func comparedPath(_ tokens: [String]) -> String? {
    var rest = tokens[...]
    // Within a list, the operator is before its brace.
    if let last = rest.last, last == "," || last == "{" {
      guard let brace = rest.lastIndex(of: "{"), !rest[brace...].contains("}") else { return nil }
      rest = rest[..<brace]
      guard rest.last?.uppercased() == "IN" else { return nil }
    }
    // Options in brackets follow their operator.
    if rest.last == "]" { rest = rest.dropLast(3) }
    guard let sign = rest.popLast()?.uppercased(), let path = rest.popLast() else { return nil }
    let compares = ["==", "=", "!=", "<>", "IN", "CONTAINS", "BEGINSWITH", "LIKE", "<", ">", "<=", ">="]
    return compares.contains(sign) && path.first?.isLetter == true ? path : nil
  }

  /// A value as it is written between quotation marks.
  static func encoded(_ value: String, in quote: Character) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case _ where Character(scalar) == quote: text += "\\\(quote)"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text that the typed part of a value stands for; only quotation marks and backslashes are typed as escapes.
  private static func decoded(_ word: String) -> String {
    var text = ""
    var isEscaped = false
    for character in word {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
        isEscaped = false
      }
    }
    return text
  }
}
