import PredicateLanguage
import Schema
import TestSeeds
import Testing
import Values

@testable import QueryEngine
@testable import Storage

/// Searches that fold nothing until they must, against folding everything first.
@Suite struct FoldedSearchTests {
  static let options = ["[c]", "[d]", "[cd]"]

  private static func folding(_ options: String) -> TextFolding {
    TextFolding(ignoresCase: options.contains("c"), ignoresDiacritics: options.contains("d"))
  }

  /// The definition: every scalar by itself.
  private static func fold(_ text: String, _ folding: TextFolding) -> [Unicode.Scalar] {
    text.unicodeScalars.flatMap { folding.scalars(of: $0.value) }.compactMap(Unicode.Scalar.init)
  }

  private static func contains(_ text: [Unicode.Scalar], _ needle: [Unicode.Scalar]) -> Bool {
    needle.isEmpty || text.indices.contains { text[$0...].starts(with: needle) }
  }

  /// Letters that fold in every odd way, and others; texts of few of them are often alike.
  private static let alphabets: [[String]] = [
    ["м", "М", "о", "О", "\u{1C82}", "с", "\u{1C83}", "й", "и\u{306}", "Й", "к", "в"],
    ["σ", "ς", "Σ", "α", "ά", "Ά", "ᾳ", "ᾼ", "ι", "\u{345}", "ΐ", "\u{390}", "ὠ", "ω"],
    ["s", "S", "ß", "ẞ", "ſ", "ﬆ", "ﬅ", "t", "T", "ẗ", "\u{308}", "ṡ", "\u{1E9B}"],
    ["e", "E", "é", "É", "e\u{301}", "ế", "Ế", "k", "K", "\u{212A}", "i", "İ", "ı", "\u{307}", "a", "å", "\u{212B}"],
    ["f", "F", "ﬁ", "ﬂ", "ﬀ", "ﬃ", "ﬄ", "i", "I", "l", "j", "J", "ǰ", "\u{30C}", "n", "ŉ", "ʼ"],
    ["日", "本", "語", "\u{F900}", "\u{8C48}", "東", "a", "A"],
    ["가", "각", "\u{1100}", "\u{1161}", "\u{11A8}", "한", "글", "a"],
    ["𐐀", "𐐨", "𞤀", "𞤢", "\u{1D15E}", "\u{1D157}", "\u{1D165}", "x", "😀", "\u{FE0F}", "\u{10FFFF}"],
    ["ա", "և", "ե", "ւ", "Ե", "ﬓ", "մ", "ն", "Ꭰ", "\u{AB70}", "ა", "\u{1C90}"],
  ]

  private static func text(_ random: inout OracleRandom, _ alphabet: [String], upTo count: Int) -> String {
    (0..<random.below(count + 1)).map { _ in
      random.once(in: 12) ? random.pick(random.pick(alphabets)) : random.pick(alphabet)
    }.joined()
  }

  @Test(arguments: alphabets.indices)
  func findsWhatFoldingEverythingFinds(_ number: Int) throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed &+ UInt64(number))
    let alphabet = Self.alphabets[number]
    // Some plain texts among them; the number keeps them apart, so that there is no dictionary.
    let texts = (0..<300).map { n in
      random.once(in: 3)
        ? "Plain text sS kK \(n)"
        : Self.text(&random, alphabet, upTo: 9) + "\(n)" + Self.text(&random, alphabet, upTo: 4)
    }
    let store = try TestStore(.string, texts.map { .string($0) })
    for options in Self.options {
      let folding = Self.folding(options)
      let folded = texts.map { Self.fold($0, folding) }
      for _ in 0..<6 {
        var needle = Self.text(&random, alphabet, upTo: 3)
        if random.once(in: 2) {
          // A part of one of them, as it is written or folded.
          let place = random.below(texts.count)
          let scalars = random.once(in: 2) ? Array(texts[place].unicodeScalars) : folded[place]
          let start = random.below(scalars.count)
          needle = String(String.UnicodeScalarView(scalars[start..<min(scalars.count, start + 1 + random.below(5))]))
        }
        let wanted = Self.fold(needle, folding)
        func check(_ comparator: String, _ argument: String, _ holds: ([Unicode.Scalar]) -> Bool) throws {
          let found = try store.rows("x \(comparator)\(options) %@", [.string(argument)])
          let expected = folded.indices.filter { holds(folded[$0]) }
          #expect(found == expected, "seed \(seed): \(comparator)\(options) \(Array(argument.unicodeScalars))")
        }
        try check("CONTAINS", needle) { Self.contains($0, wanted) }
        try check("BEGINSWITH", needle) { $0.starts(with: wanted) }
        try check("ENDSWITH", needle) { $0.reversed().starts(with: wanted.reversed()) }
        try check("==", needle) { $0 == wanted }
        try check("<", needle) { $0.lexicographicallyPrecedes(wanted) }
        let whole = random.pick(texts)
        try check("==", whole) { $0 == Self.fold(whole, folding) }
        if !needle.contains(where: { "*?\\".contains($0) }) {
          try check("LIKE", "*\(needle)*1*") { text in
            text.indices.contains { text[$0] == "1" && Self.endsAtOrBefore($0, wanted, text) }
          }
        }
      }
    }
  }

  /// Whether `text` has `needle` before `end`.
  private static func endsAtOrBefore(_ end: Int, _ needle: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
    contains(Array(text[..<end]), needle)
  }

  /// A text that contains a folded needle is never passed over, whatever the needle.
  @Test(arguments: options)
  func noScalarIsPassedOver(_ options: String) throws {
    let folding = Self.folding(options)
    var scalars = folding.changing.filter { !folding.scalars(of: $0).isEmpty }
    scalars += [0xAC00, 0xAC01, 0xD7A3, 0x41, 0x61, 0xE9, 0x65E5, 0x1F600]
    for (place, value) in scalars.enumerated() where place % 9 == 0 || value < 0x250 {
      guard let scalar = Unicode.Scalar(value), let other = Unicode.Scalar(scalars[(place * 7 + 1) % scalars.count])
      else { continue }
      let text = "<\(String(scalar))\u{301}\(String(other))>"
      var bytes = Array(text.utf8) + [0xFF]
      let count = bytes.count
      bytes += [UInt8](repeating: 0x61, count: 32)
      let folded = String(decoding: folding.fold(text), as: UTF8.self).unicodeScalars.map { $0 }
      for start in folded.indices {
        for end in start..<min(folded.count, start + 3) {
          let needle = folding.fold(String(String.UnicodeScalarView(folded[start...end])))
          guard let anchor = FoldedAnchor(needle, folding) else { continue }
          let found = bytes.withUnsafeBufferPointer { bytes in
            [0, UInt32(count)].withUnsafeBufferPointer { offsets in
              guard let bytes = bytes.baseAddress, let offsets = offsets.baseAddress else { return false }
              let block = TextBlock(offsets: offsets, bytes: bytes, byteCount: count, count: 1, isASCII: false)
              return anchor.mask(block)[0]
            }
          }
          if !found { Issue.record("\(options): \(needle) in \(text)") }
        }
      }
    }
  }
}
