import Testing

@testable import Storage

@Suite struct FoldingTests {
  static let c = TextFolding(ignoresCase: true, ignoresDiacritics: false)
  static let d = TextFolding(ignoresCase: false, ignoresDiacritics: true)
  static let cd = TextFolding(ignoresCase: true, ignoresDiacritics: true)

  private func fold(_ text: String, _ folding: TextFolding) -> String {
    String(decoding: folding.fold(text), as: UTF8.self)
  }

  /// Pairs that `[c]` makes the same; from `CaseFolding.txt`, the odd ones among them.
  @Test(arguments: [
    ("ПРИВЕТ", "привет"), ("STRASSE", "straße"), ("ẞ", "ss"), ("Σ", "ς"), ("ΑΣ", "ας"), ("İ", "i\u{307}"), ("ſ", "S"),
    ("\u{212A}", "k"), ("ﬁ", "FI"), ("ŉ", "ʼn"), ("\u{390}", "\u{399}\u{308}\u{301}"), ("\u{345}", "ι"), ("ᾳ", "αι"),
    ("ᾼ", "ΑΙ"), ("µ", "μ"),
    ("\u{AB70}", "\u{13A0}"), ("\u{13F8}", "\u{13F0}"), ("\u{1C90}", "\u{10D0}"), ("և", "ԵՒ"), ("\u{1E9B}", "ṡ"),
    ("ϴ", "θ"), ("\u{1E96}", "H\u{331}"), ("\u{1F0}", "J\u{30C}"), ("\u{1FBE}", "ι"), ("𐐀", "𐐨"),
  ])
  func caseFoldsAlike(_ left: String, _ right: String) {
    #expect(fold(left, Self.c).unicodeScalars.elementsEqual(fold(right, Self.c).unicodeScalars))
  }

  @Test(arguments: [("ı", "i"), ("é", "e"), ("a", "b"), ("e\u{301}", "é"), ("ß", "s")])
  func caseFoldsApart(_ left: String, _ right: String) {
    #expect(!fold(left, Self.c).unicodeScalars.elementsEqual(fold(right, Self.c).unicodeScalars))
  }

  @Test(arguments: [
    ("résumé", "resume"), ("Ångström", "Angstrom"), ("e\u{301}\u{323}", "e"), ("가", "\u{1100}\u{1161}"),
    ("각", "\u{1100}\u{1161}\u{11A8}"), ("ø", "ø"), ("\u{1D15E}", "\u{1D157}\u{1D165}"), ("\u{F900}", "\u{8C48}"),
    ("ǖ", "u"),
    ("\u{344}", ""), ("й", "и"), ("x\u{FE0F}", "x"),
  ])
  func diacriticsGo(_ text: String, _ base: String) {
    #expect(fold(text, Self.d).unicodeScalars.elementsEqual(base.unicodeScalars))
  }

  @Test func bothTogether() {
    #expect(fold("ÉCOLE", Self.cd) == "ecole")
    #expect(fold("İ", Self.cd) == "i")
    #expect(fold("ΆΣ", Self.cd) == "ασ")
  }

  /// Folding a text is joining the foldings of its scalars; folding twice changes nothing.
  @Test func foldingIsIdempotentAndScalarByScalar() {
    for folding in [Self.c, Self.d, Self.cd] {
      var wrong: [UInt32] = []
      for scalar in Self.letters {
        let once = folding.fold(String(scalar))
        if folding.fold(once) != once { wrong.append(scalar.value) }
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(20).map { String($0, radix: 16) })")
    }
  }

  @Test func asciiFoldsByBytes() {
    for byte in UInt8(0)..<128 {
      let text = String(Character(Unicode.Scalar(byte)))
      #expect(Self.c.fold(text) == Array(text.lowercased().utf8))
      #expect(Self.d.fold(text) == Array(text.utf8))
    }
  }

  @Test func wrongBytesNeverTrap() {
    for bytes: [UInt8] in [
      [0xC3], [0xFF, 0x41], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80, 0x80], [0xC0, 0x80], [0xF8],
      [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF4, 0xBF, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80],
    ] {
      #expect(String(validating: Self.cd.fold(bytes), as: UTF8.self) != nil)
    }
  }

  /// A folding that changed needs a new version: folded indexes of stores that are there must be made anew.
  @Test func everyVersionFoldsTheSameForever() {
    let checksums: [UInt32: UInt64] = [1: 11_773_505_460_539_786_241]
    #expect(
      checksums[TextFolding.version] == Self.checksum(),
      "give TextFolding another version, and note its checksum here")
  }

  /// A checksum of what every scalar folds to, all of them joined.
  private static func checksum() -> UInt64 {
    var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
    for first in stride(from: UInt32(0), to: 0x110000, by: 0x1000) {
      var scalars = String.UnicodeScalarView()
      for value in first..<first + 0x1000 { if let scalar = Unicode.Scalar(value) { scalars.append(scalar) } }
      for folding in [c, d, cd] {
        folding.fold(String(scalars)).withUnsafeBufferPointer { folded in
          for byte in folded { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
      }
    }
    return checksum
  }

  /// The scalars of alphabets; of syllables and Chinese signs, which are all alike, some.
  private static let letters: [Unicode.Scalar] = [
    0..<0x3400, 0xA000..<0xAD00, 0xD700..<0xE000, 0xF900..<0x11F00, 0x16000..<0x17000, 0x1D000..<0x1EA00,
    0x2F800..<0x2FA20, 0xE0000..<0xE0200,
  ].flatMap { (range: Range<UInt32>) in range.compactMap(Unicode.Scalar.init) }

  @Test func noScalarGrowsMoreThanAFoldedTextMay() {
    for scalar in Self.letters {
      let bases = DiacriticStripping.bases(of: scalar.value)
      let folded = bases.flatMap(CaseFolding.fold)
      for (folding, scalars) in [(Self.c, CaseFolding.fold(scalar.value)), (Self.d, bases), (Self.cd, folded)] {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
        let bytes = Array(String(text).utf8)
        if bytes.count > String(scalar).utf8.count * TextFolding.growth || folding.fold(String(scalar)) != bytes {
          Issue.record("\(scalar.value)")
        }
      }
    }
  }

  /// What a folded index relies on to answer `[c]`: folding `[c]` and then `[cd]` is `[cd]`, but for a Greek iota that
  /// the first makes a letter and the second takes away.
  @Test func foldingTwiceDiffersInNoMoreThanIotas() {
    let wrong = Self.letters.filter { scalar in
      let once = Self.cd.fold(String(scalar))
      let twice = Self.cd.fold(Self.c.fold(String(scalar)))
      return twice != once && twice != once + Array("ι".utf8)
    }
    #expect(wrong.isEmpty)
  }
}
