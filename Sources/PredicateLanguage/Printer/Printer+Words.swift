import Values

/// Constants that are words, such as `nil`.
extension Printer {
  /// Prints a constant, spelled so that it is not the name of a property.
  mutating func print(_ keyword: Keyword) {
    guard let isProperty else {
      output += keyword.rawValue
      return
    }
    output += keyword.spellings.first { !isProperty($0) } ?? keyword.rawValue
  }

  mutating func print(_ number: Double) {
    if number.isFinite {
      output += NumberText.text(number)
    } else {
      if number == -.infinity { output += "-" }
      print(number.isNaN ? Keyword.nan : .inf)
    }
  }
}

extension Keyword {
  /// The spellings of a constant: its own, that of its synonym, and both in other letter cases.
  fileprivate var spellings: some Sequence<String> {
    let synonym: Keyword? =
      switch self {
      case .isTrue: .yes
      case .isFalse: .no
      case .nil: .null
      case .inf: .infinity
      default: nil
      }
    let words = [rawValue] + (synonym.map { [$0.rawValue] } ?? [])
    return [words, words.flatMap { Self.letterCases(of: $0) }].joined()
  }

  /// A word in every letter case.
  private static func letterCases(of word: String) -> some Sequence<String> {
    let letters = word.unicodeScalars.count
    return (0..<1 << min(letters, 16)).lazy.map { bits in
      String(
        word.enumerated().map { place, letter in
          Character(bits >> place & 1 == 1 ? letter.uppercased() : letter.lowercased())
        })
    }
  }
}

extension FilterSyntax {
  /// The canonical text for an entity with properties named like constants; the constants are spelled differently then.
  package func predicateFormat(besides isProperty: @escaping (String) -> Bool) -> String {
    Printer.text(deepest: SyntaxLimits.violation(of: self), besides: isProperty) { $0.print(normalized) }
  }
}
