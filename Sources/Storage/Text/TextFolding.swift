/// The folding of strings by `[c]` and `[d]` before they are compared; it is the same for both sides.
///
/// `[d]` decomposes canonically and removes nonspacing marks; `[c]` then applies Unicode's full case folding. Both work
/// scalar by scalar, so the folding of a string is the concatenation of the foldings of its parts. No locale and no
/// other normalisation is involved.
package struct TextFolding: Hashable, Sendable {
  /// The version of the folding. It is incremented whenever the folding of any string changes, also because Unicode has
  /// new letters. Folded indexes store it, and are rebuilt if it differs.
  package static let version: UInt32 = 1

  /// `[c]`
  package let ignoresCase: Bool
  /// `[d]`
  package let ignoresDiacritics: Bool

  /// No folding.
  package static let none = TextFolding(ignoresCase: false, ignoresDiacritics: false)
  /// `[cd]`: the folding of folded indexes.
  package static let full = TextFolding(ignoresCase: true, ignoresDiacritics: true)

  package init(ignoresCase: Bool, ignoresDiacritics: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }

  /// Whether strings stay unchanged.
  package var isNone: Bool { !ignoresCase && !ignoresDiacritics }

  /// The folding of one scalar, which is the definition of folding.
  func scalars(of scalar: UInt32) -> [UInt32] {
    let bases = ignoresDiacritics ? DiacriticStripping.bases(of: scalar) : [scalar]
    return ignoresCase ? bases.flatMap(CaseFolding.fold) : bases
  }

  /// The scalars that may change, except Hangul syllables, which `[d]` decomposes.
  var changing: [UInt32] {
    (ignoresDiacritics ? DiacriticStripping.changing : []) + (ignoresCase ? CaseFolding.changing : [])
  }

  /// The folded text.
  package func fold(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { withFolded(UnsafeRawBufferPointer($0)) { Array($0) } }
  }

  /// The folded form of UTF-8 text. Invalid bytes become U+FFFD.
  package func fold(_ text: [UInt8]) -> [UInt8] {
    text.withUnsafeBytes { withFolded($0) { Array($0) } }
  }
}
