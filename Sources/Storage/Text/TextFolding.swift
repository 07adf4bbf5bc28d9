/// What `[c]` and `[d]` make of text before it is compared: the same for the needle and for what it is sought in.
///
/// `[d]` decomposes canonically and drops nonspacing marks; `[c]` then applies Unicode's full case folding. Both work
/// scalar by scalar, so that folding a text is joining the foldings of its parts. No locale and no other
/// normalisation takes part. It does not know what is compared, nor how.
package struct TextFolding: Hashable, Sendable {
  /// The version of what folding makes of texts. It moves whenever that changes for any text, if only because Unicode
  /// has new letters: folded indexes remember it, and one made by another version is made anew.
  package static let version: UInt32 = 1

  /// `[c]`
  package let ignoresCase: Bool
  /// `[d]`
  package let ignoresDiacritics: Bool

  /// Text as it is.
  package static let none = TextFolding(ignoresCase: false, ignoresDiacritics: false)
  /// `[cd]`: what folded indexes are made by.
  package static let full = TextFolding(ignoresCase: true, ignoresDiacritics: true)

  package init(ignoresCase: Bool, ignoresDiacritics: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }

  /// Whether text stays as it is.
  package var isNone: Bool { !ignoresCase && !ignoresDiacritics }

  /// What one scalar becomes: the definition of folding.
  func scalars(of scalar: UInt32) -> [UInt32] {
    let bases = ignoresDiacritics ? DiacriticStripping.bases(of: scalar) : [scalar]
    return ignoresCase ? bases.flatMap(CaseFolding.fold) : bases
  }

  /// The scalars that may not become themselves, but for Hangul syllables, which `[d]` takes apart.
  var changing: [UInt32] {
    (ignoresDiacritics ? DiacriticStripping.changing : []) + (ignoresCase ? CaseFolding.changing : [])
  }

  /// The folded text.
  package func fold(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { withFolded(UnsafeRawBufferPointer($0)) { Array($0) } }
  }

  /// The folded form of UTF-8 text. Bytes that are not UTF-8 become U+FFFD.
  package func fold(_ text: [UInt8]) -> [UInt8] {
    text.withUnsafeBytes { withFolded($0) { Array($0) } }
  }
}
