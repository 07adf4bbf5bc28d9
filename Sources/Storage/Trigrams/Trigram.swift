/// Three consecutive scalars of a folded string, or its last two and its end: the key of a trigram index.
///
/// Strings are folded by `[cd]`, so that one index serves every option. The scalars are stored completely, 21 bits
/// each, so no two trigrams collide.
package struct Trigram: Hashable, Comparable, Sendable {
  /// The first scalar highest.
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The trigram of three scalars.
  package init(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
    rawValue = UInt64(first) << 42 | UInt64(second) << 21 | UInt64(third)
  }

  /// The mark for the end of a string, which is no scalar.
  package static let end: UInt32 = 0x1F_FFFF

  /// Not a trigram: its entries are the strings that their trigrams' positions do not describe completely, with the
  /// reasons in place of a position.
  package static let irregular = Trigram(rawValue: 1 << 63)

  package static func < (left: Trigram, right: Trigram) -> Bool { left.rawValue < right.rawValue }

  /// The three scalars, the end among them.
  package var scalars: [UInt32] {
    [42, 21, 0].map { UInt32(truncatingIfNeeded: rawValue >> UInt64($0)) & 0x1F_FFFF }
  }
}

/// The reasons why the trigrams of a string and their positions do not describe it completely.
package struct TrigramGaps: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The string is so long that positions, which are stored as a byte, wrap around.
  package static let long = TrigramGaps(rawValue: 1)
  /// `[c]` alone folds it differently from `[cd]`.
  package static let marked = TrigramGaps(rawValue: 2)
}

/// Extracts the trigrams of strings.
package enum TrigramText {
  /// Calls `body` with each trigram of a string and its position, a byte; finally, if needed, with the irregular one
  /// and the reasons. Strings with less than two scalars have none.
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

  /// The maximum number of scalars of a string whose positions do not wrap around. It leaves room so that no phrase
  /// extends beyond the last position and continues at the first.
  static let longestRegular = 256 - TrigramPhrase.longest

  /// Strings with at most this many bytes have no trigram twice at the same position: folding at most triples their
  /// length, and positions wrap around at 256.
  static let shortLength = 80

  /// The distinct trigrams and positions of a string, in order.
  static func places(in text: UnsafeRawBufferPointer) -> [(Trigram, UInt8)] {
    var places: [(Trigram, UInt8)] = []
    forEach(in: text) { places.append(($0, $1)) }
    places.sort { $0 < $1 }
    return places.reduce(into: []) { found, place in
      if let last = found.last, last == place { return }
      found.append(place)
    }
  }

  /// The folded scalars of a string to search.
  package static func scalars(of text: [UInt8]) -> [UInt32] {
    TextFolding.full.fold(text).withUnsafeBytes { Array(UnicodeScalars($0)) }
  }

  /// The number of scalars.
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
