package import PredicateLanguage

/// What `[c]` and `[d]` make of text before it is compared: the same for the needle and for what it is sought in.
///
/// `[d]` decomposes canonically and drops nonspacing marks; `[c]` then applies Unicode's full case folding. Both work
/// scalar by scalar, so that folding a text is joining the foldings of its parts. No locale and no other
/// normalisation takes part. It does not know what is compared, nor how.
package struct TextFolding: Hashable, Sendable {
  /// `[c]`
  package let ignoresCase: Bool
  /// `[d]`
  package let ignoresDiacritics: Bool

  /// Text as it is.
  package static let none = TextFolding(ignoresCase: false, ignoresDiacritics: false)

  package init(ignoresCase: Bool, ignoresDiacritics: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }

  /// The folding that options ask for; `[n]` asks for none.
  package init(_ options: StringOptions) {
    self.init(
      ignoresCase: options.contains(.caseInsensitive),
      ignoresDiacritics: options.contains(.diacriticInsensitive))
  }

  /// Whether text stays as it is.
  package var isNone: Bool { !ignoresCase && !ignoresDiacritics }

  /// The folded text.
  package func fold(_ text: String) -> [UInt8] {
    var text = text
    var folded: [UInt8] = []
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &folded) }
    return folded
  }

  /// Adds the folded form of UTF-8 `text` to `folded`. Bytes that are not UTF-8 become U+FFFD.
  package func append(_ text: UnsafeRawBufferPointer, to folded: inout [UInt8]) {
    if isNone {
      folded.append(contentsOf: text)
      return
    }
    folded.reserveCapacity(folded.count + text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        folded.append(ignoresCase ? Self.lowercased(byte) : byte)
        index += 1
        continue
      }
      let (scalar, length) = UTF8Scalars.decode(text, at: index)
      index += length
      append(scalar, to: &folded)
    }
  }

  /// `A…Z` as `a…z`, other bytes as they are.
  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  private func append(_ scalar: UInt32, to folded: inout [UInt8]) {
    guard ignoresDiacritics else {
      CaseFolding.append(scalar, to: &folded)
      return
    }
    DiacriticStripping.forEachBase(of: scalar) { base in
      if ignoresCase { CaseFolding.append(base, to: &folded) } else { UTF8Scalars.append(base, to: &folded) }
    }
  }
}
