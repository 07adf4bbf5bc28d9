/// Three neighbouring scalars of a folded text, or the last two and its end: what a trigram index has texts under.
///
/// Texts are folded by `[cd]`, so that one index serves every option. The scalars are kept whole, 21 bits each; no two
/// trigrams are taken for each other.
package struct Trigram: Hashable, Comparable, Sendable {
  /// The first scalar highest.
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The trigram of three scalars.
  package init(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
    rawValue = UInt64(first) << 42 | UInt64(second) << 21 | UInt64(third)
  }

  /// What stands after the last scalar. No scalar has that number.
  package static let end: UInt32 = 0x1F_FFFF

  /// Not a trigram: has the texts for which the places of trigrams do not tell everything, with the reasons in place
  /// of a position.
  package static let irregular = Trigram(rawValue: 1 << 63)

  package static func < (left: Trigram, right: Trigram) -> Bool { left.rawValue < right.rawValue }

  /// The three scalars, the end among them.
  package var scalars: [UInt32] {
    [42, 21, 0].map { UInt32(truncatingIfNeeded: rawValue >> UInt64($0)) & 0x1F_FFFF }
  }
}

/// Why the trigrams of a text and their positions do not tell everything about it.
package struct TrigramGaps: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It is so long that positions, which are kept as a byte, begin again.
  package static let long = TrigramGaps(rawValue: 1)
  /// `[c]` alone makes something else of it than `[cd]` does.
  package static let marked = TrigramGaps(rawValue: 2)
}

/// The trigrams of texts. It does not know where they are kept.
package enum TrigramText {
  /// Calls `body` with each trigram of a text and its position, a byte; and last, if need be, with the irregular one
  /// and the reasons. Texts of less than two scalars have none.
  @inline(__always)
  static func forEach(in text: UnsafeRawBufferPointer, _ body: (Trigram, UInt8) -> Void) {
    let isASCII = text.allSatisfy { $0 < 0x80 }
    let count = TextFolding.full.withFolded(text) { folded in
      isASCII ? slide(ASCIIScalars(folded), body) : slide(UnicodeScalars(folded), body)
    }
    var gaps: TrigramGaps = count > longestRegular ? .long : []
    if !isASCII, isMarked(text) { gaps.insert(.marked) }
    if !gaps.isEmpty { body(.irregular, gaps.rawValue) }
  }

  /// How many scalars a text may have for its trigrams to stand where their positions say. So many less than there are
  /// positions that no phrase goes beyond the last one and on at the first.
  static let longestRegular = 256 - TrigramPhrase.longest

  /// Texts of no more bytes have no trigram twice at one position: folded they are three times as long at most, and
  /// positions begin again at 256.
  static let shortLength = 80

  /// The trigrams and positions of a text, each once, in order.
  static func places(in text: UnsafeRawBufferPointer) -> [(Trigram, UInt8)] {
    var places: [(Trigram, UInt8)] = []
    forEach(in: text) { places.append(($0, $1)) }
    places.sort { $0 < $1 }
    return places.reduce(into: []) { found, place in
      if let last = found.last, last == place { return }
      found.append(place)
    }
  }

  /// The folded scalars of a text that is to be sought.
  package static func scalars(of text: [UInt8]) -> [UInt32] {
    TextFolding.full.fold(text).withUnsafeBytes { Array(UnicodeScalars($0)) }
  }

  /// How many scalars there were.
  @inline(__always)
  private static func slide(_ scalars: some Sequence<UInt32>, _ body: (Trigram, UInt8) -> Void) -> Int {
    var window: UInt64 = 0
    var count = 0
    for scalar in scalars {
      window = (window << 21 | UInt64(scalar)) & (1 << 63 - 1)
      count &+= 1
      if count > 2 { body(Trigram(rawValue: window), UInt8(truncatingIfNeeded: count &- 3)) }
    }
    if count > 1 {
      window = (window << 21 | UInt64(Trigram.end)) & (1 << 63 - 1)
      body(Trigram(rawValue: window), UInt8(truncatingIfNeeded: count &- 2))
    }
    return count
  }

  private static func isMarked(_ text: UnsafeRawBufferPointer) -> Bool {
    TextFolding.full.withFolded(text) { full in
      TextFolding(ignoresCase: true, ignoresDiacritics: false).withFolded(text) { !$0.elementsEqual(full) }
    }
  }

  private struct ASCIIScalars: Sequence, IteratorProtocol {
    private let text: UnsafeRawBufferPointer
    private var place = 0

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    @inline(__always)
    mutating func next() -> UInt32? {
      guard place < text.count else { return nil }
      defer { place &+= 1 }
      return UInt32(text[place])
    }
  }

  private struct UnicodeScalars: Sequence, IteratorProtocol {
    private let text: UnsafeRawBufferPointer
    private var place = 0

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    @inline(__always)
    mutating func next() -> UInt32? {
      guard place < text.count else { return nil }
      let (scalar, length) = UTF8Scalars.decode(text, at: place)
      place &+= length
      return scalar
    }
  }
}
