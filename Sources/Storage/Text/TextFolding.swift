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

  /// The folded text.
  package func fold(_ text: String) -> [UInt8] {
    var text = text
    var folded: [UInt8] = []
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &folded) }
    return folded
  }

  /// The folded form of UTF-8 text.
  package func fold(_ text: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    text.withUnsafeBytes { append($0, to: &folded) }
    return folded
  }

  /// How many times as long as a text its folded form can be.
  static let growth = 3

  /// Adds the folded form of UTF-8 `text` to `folded`. Bytes that are not UTF-8 become U+FFFD.
  package func append(_ text: UnsafeRawBufferPointer, to folded: inout [UInt8]) {
    if isNone {
      folded.append(contentsOf: text)
      return
    }
    let start = folded.count
    folded.append(contentsOf: repeatElement(0, count: text.count * Self.growth))
    let end = folded.withUnsafeMutableBufferPointer { folded in
      var writer = UTF8Writer(folded, at: start)
      write(text, to: &writer)
      return writer.position
    }
    folded.removeLast(folded.count - end)
  }

  @inline(__always)
  private func write(_ text: UnsafeRawBufferPointer, to writer: inout UTF8Writer) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        writer.put(byte: ignoresCase ? Self.lowercased(byte) : byte)
        index += 1
        continue
      }
      let (scalar, length) = UTF8Scalars.decode(text, at: index)
      index += length
      if ignoresDiacritics {
        DiacriticStripping.forEachBase(of: scalar) { base in
          if ignoresCase { write(caseFolded: base, to: &writer) } else { writer.put(base) }
        }
      } else {
        write(caseFolded: scalar, to: &writer)
      }
    }
  }

  @inline(__always)
  private func write(caseFolded scalar: UInt32, to writer: inout UTF8Writer) {
    if let folded = CaseFolding.single(scalar) {
      writer.put(folded)
    } else {
      for part in CaseFolding.fold(scalar) { writer.put(part) }
    }
  }

  /// `A…Z` as `a…z`, other bytes as they are.
  @inline(__always) private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}

/// Writes UTF-8 into memory that is there already. What does not fit is left out.
private struct UTF8Writer {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var position: Int

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>, at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  @inline(__always)
  mutating func put(byte: UInt8) {
    guard position < bytes.count else { return }
    bytes[position] = byte
    position &+= 1
  }

  @inline(__always)
  mutating func put(_ scalar: UInt32) {
    if scalar < 0x80 {
      put(byte: UInt8(truncatingIfNeeded: scalar))
    } else if scalar < 0x800 {
      put(byte: UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      put(byte: UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    } else if scalar < 0x10000 {
      put(byte: UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      put(byte: UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      put(byte: UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    } else {
      put(byte: UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
      put(byte: UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
      put(byte: UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      put(byte: UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }
  }
}
