/// The folding of each scalar as UTF-8, with a lookup of two memory reads. Made once for each kind of folding from its
/// definition, `TextFolding.scalars(of:)`.
///
/// A page has 64 scalars, which share all UTF-8 bytes but the last. All pages without changes are the same page.
final class FoldingTable: @unchecked Sendable {
  /// The folding of a scalar in eight bytes: up to seven bytes of UTF-8, the first lowest, and in the highest byte
  /// their number plus 1.
  struct Entry {
    let bits: UInt64

    /// The scalar folds to itself.
    @inline(__always) var isItself: Bool { bits == 0 }
    /// Whether the folding does not fit; the definition must be used.
    @inline(__always) var isLong: Bool { bits == .max }
    /// The number of UTF-8 bytes.
    @inline(__always) var count: Int { Int(truncatingIfNeeded: bits &>> 56) &- 1 }

    /// The entry for a folding.
    init(_ folded: [UInt32]) {
      let bytes = folded.flatMap(UTF8Scalars.encode)
      guard bytes.count <= 7 else {
        bits = .max
        return
      }
      let packed = bytes.reversed().reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
      bits = packed | UInt64(bytes.count + 1) << 56
    }

    @inline(__always) init(bits: UInt64) { self.bits = bits }
  }

  private let pages: UnsafeMutablePointer<UInt16>
  private let entries: UnsafeMutablePointer<UInt64>

  /// The table of a folding. It lives as long as the process.
  private init(_ folding: TextFolding) {
    var places = [UInt16](repeating: 0, count: 0x110000 >> 6)
    var bits = [UInt64](repeating: 0, count: 64)
    func set(_ scalar: UInt32, _ entry: UInt64) {
      let page = Int(scalar >> 6)
      if places[page] == 0 {
        places[page] = UInt16(truncatingIfNeeded: bits.count / 64)
        bits += [UInt64](repeating: 0, count: 64)
      }
      bits[Int(places[page]) * 64 + Int(scalar & 63)] = entry
    }
    for scalar in folding.changing {
      let folded = folding.scalars(of: scalar)
      if folded != [scalar] { set(scalar, Entry(folded).bits) }
    }
    if folding.ignoresDiacritics {
      for syllable in HangulSyllables.all { set(syllable, .max) }
    }
    pages = .allocate(capacity: places.count)
    pages.initialize(from: places, count: places.count)
    entries = .allocate(capacity: bits.count)
    entries.initialize(from: bits, count: bits.count)
  }

  /// The entry of a scalar, which must be valid: below U+110000.
  @inline(__always) subscript(scalar: UInt32) -> Entry {
    let page = Int(truncatingIfNeeded: pages[Int(truncatingIfNeeded: scalar &>> 6)])
    return Entry(bits: entries[page &* 64 &+ Int(truncatingIfNeeded: scalar & 63)])
  }

  private static let ofCase = FoldingTable(TextFolding(ignoresCase: true, ignoresDiacritics: false))
  private static let ofDiacritics = FoldingTable(TextFolding(ignoresCase: false, ignoresDiacritics: true))
  private static let ofBoth = FoldingTable(.full)

  /// The table of a folding that does something.
  @inline(__always)
  static func of(_ folding: TextFolding) -> FoldingTable {
    folding.ignoresCase ? folding.ignoresDiacritics ? ofBoth : ofCase : ofDiacritics
  }
}
