internal import CKernels
internal import Storage

/// Finds those of a block's joined strings that may contain a folded needle, without folding the strings.
///
/// It selects two neighbouring scalars of the needle. Wherever the folded string has them, the original string has a
/// scalar whose folding ends with the first, followed by one whose folding begins with the second or one that folds to
/// nothing; or a single scalar that folds to both. The search looks for the last bytes of these scalars, which take few
/// values. A match may be false; a string without a match does not contain the needle.
struct FoldedAnchor: Sendable {
  /// The needle itself, if nothing else folds to any part of it; every match then contains it.
  private let exact: [UInt8]?
  private let pairs: text_pairs

  /// Whether every match contains the needle.
  var isExact: Bool { exact != nil }

  /// nil for a needle that cannot be searched this way: an empty one, or with `[d]` one of Korean letters only.
  init?(_ needle: [UInt8], _ folding: TextFolding) {
    if folding.isNone { return nil }
    let scalars = String(decoding: needle, as: UTF8.self).unicodeScalars.prefix(Self.longest).map(\.value)
    guard let first = scalars.first else { return nil }
    let sources = FoldingSources.of(folding)
    if !folding.ignoresDiacritics, needle.count <= Self.longest,
      scalars.allSatisfy({ Self.isKnown($0, folding) && !sources.hasOthers($0) })
    {
      exact = needle
      pairs = text_pairs()
      return
    }
    exact = nil
    var best: Choice?
    if scalars.count == 1, Self.isKnown(first, folding) {
      best = Choice(first, sources)
    } else {
      for (left, right) in zip(scalars, scalars.dropFirst())
      where Self.isKnown(left, folding) && Self.isKnown(right, folding) {
        let choice = Choice(left, right, sources)
        if best.map({ choice.commonness < $0.commonness }) ?? true { best = choice }
      }
    }
    guard let best else { return nil }
    pairs = best.pairs
  }

  /// The maximum number of scalars of a needle that are considered.
  private static let longest = 64

  /// Whether everything that folds to a scalar is known. False for parts of Hangul syllables, and for the replacement
  /// of invalid bytes.
  private static func isKnown(_ scalar: UInt32, _ folding: TextFolding) -> Bool {
    scalar != 0xFFFD && !(folding.ignoresDiacritics && 0x1100..<0x1200 ~= scalar)
  }

  /// The slots of a block whose string may contain the needle.
  func mask(_ block: TextBlock) -> Mask {
    if let exact { return exact.withUnsafeBytes { needle in block.slots { Bytes.find(needle, in: $0) } } }
    return withUnsafePointer(to: pairs) { pairs in
      block.slots { text in
        let found = text_pairs_find(pairs, text.baseAddress, text.count)
        return found < 0 ? nil : found
      }
    }
  }

  /// The bytes to search for one or two scalars, and a measure of the false matches to expect.
  private struct Choice {
    private(set) var pairs = text_pairs()
    private(set) var commonness = 0
    private var number: UInt8 = 0

    /// Searches for two neighbouring scalars.
    init(_ left: UInt32, _ right: UInt32, _ sources: FoldingSources) {
      let ends = Set(sources.ending(with: left).compactMap(\.last))
      let begins = Dictionary(grouping: sources.beginning(with: right), by: \.count)
      for (count, scalars) in begins.sorted(by: { $0.key < $1.key }) {
        add(ends, Set(scalars.compactMap(\.last)), distance: count)
      }
      let single = sources.having(left, right)
      if !single.isEmpty {
        add(Set(single.map { $0[$0.count - 2] }), Set(single.compactMap(\.last)), distance: 1)
      }
      // Grouped by their high halves, to reduce false matches.
      let dropped = Dictionary(grouping: sources.firstBytesOfDropped, by: { $0 >= 0xE0 ? 0xE : $0 >> 4 })
      for (_, bytes) in dropped.sorted(by: { $0.key < $1.key }) { add(ends, Set(bytes), distance: 1) }
    }

    /// Searches for a single scalar.
    init(_ only: UInt32, _ sources: FoldingSources) {
      for (count, scalars) in Dictionary(grouping: sources.having(only), by: \.count) {
        let firsts = Set(scalars.compactMap(\.first))
        // A string is always followed by at least one byte.
        if count == 1 {
          add(firsts, Set(0...0xFF), distance: 1)
        } else {
          add(firsts, Set(scalars.compactMap(\.last)), distance: count - 1)
        }
      }
    }

    private mutating func add(_ firsts: Set<UInt8>, _ nexts: Set<UInt8>, distance: Int) {
      for byte in firsts { text_pairs_add_first(&pairs, number, byte) }
      for byte in nexts { text_pairs_add_next(&pairs, number, distance, byte) }
      number &+= 1
      commonness += Self.weight(firsts) * Self.weight(nexts)
    }

    /// A rough measure of the frequency of bytes: spaces and vowels are frequent; bytes of other scripts count alike.
    private static func weight(_ bytes: Set<UInt8>) -> Int {
      bytes.reduce(0) { weight, byte in
        switch byte {
        case 0x20: weight + 16
        case 0x61, 0x65, 0x69, 0x6E, 0x6F, 0x72, 0x73, 0x74: weight + 4
        case 0x21..<0x41: weight + 4
        case 0x61..<0x7B: weight + 2
        default: weight + 1
        }
      }
    }
  }
}
