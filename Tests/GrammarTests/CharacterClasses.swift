import GrammarNotation

/// The characters that the grammars describe in words.
enum CharacterClasses {
  static let all: [String: CharacterClass] = [
    "a digit from 0 to 9": CharacterClass(["0", "1", "2", "5", "9"]) { "0"..."9" ~= $0 },
    "a hexadecimal digit": CharacterClass(["0", "1", "4", "a", "C"]) {
      "0"..."9" ~= $0 || "a"..."f" ~= $0 || "A"..."F" ~= $0
    },
    "a digit from 0 to 7": CharacterClass(["0", "1", "7"]) { "0"..."7" ~= $0 },
    "a letter": CharacterClass(["a", "b", "x", "Q", "é", "名"], isLetter),
    "a mark or digit": CharacterClass(["0", "7", "\u{301}"]) { scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
      default: false
      }
    },
    "a character but ' and \\": CharacterClass(["a", " ", "\"", "😀", "\n", "%"]) { $0 != "'" && $0 != "\\" },
    "a character but \" and \\": CharacterClass(["a", " ", "'", "é", "\t", "-"]) { $0 != "\"" && $0 != "\\" },
    "a character but ` and \\": CharacterClass(["a", " ", "'", "é"]) { $0 != "`" && $0 != "\\" },
    "one of \\ \" ' ` a b f n r t v": CharacterClass(["\\", "\"", "'", "`", "n", "t"]) {
      "\\\"'`abfnrtv".unicodeScalars.contains($0)
    },
    "any other character": CharacterClass(["q", "/", "Ω"]) { !"\\\"'`abfnrtvxu01234567".unicodeScalars.contains($0) },
    "a capital letter": CharacterClass(["Q", "É", "A"]) { $0.properties.isUppercase },
    "a character but the end of the line": CharacterClass(["a", " ", "-", "é"]) { $0 != "\n" },
    "a character but the end of the comment": CharacterClass(["a", " ", "\n"]) { $0 != "*" },
    "an ASCII letter, \"_\" or a character beyond ASCII": CharacterClass(["a", "Q", "_", "é"]) {
      $0.value >= 0x80 || $0 == "_" || $0.properties.isAlphabetic
    },
    "a character but a quotation mark, a backslash or the end of a line": CharacterClass(["a", " ", "é"]) {
      $0 != "\"" && $0 != "\\" && $0 != "\n" && $0 != "\r"
    },
    "one of \\ \" ' n r t 0": CharacterClass(["n", "\\", "\"", "0"]) { "\\\"'nrt0".unicodeScalars.contains($0) },
    "a capital T": CharacterClass(["T"]) { $0 == "T" },
    "a capital K": CharacterClass(["K"]) { $0 == "K" },
  ]

  @Sendable private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
    default: false
    }
  }
}
