import TestSeeds
import Testing

@testable import Storage

/// Folding by tables, whole texts at a time, against the definition, scalar by scalar.
@Suite struct FoldingTableTests {
  static let foldings = [
    TextFolding(ignoresCase: true, ignoresDiacritics: false), TextFolding(ignoresCase: false, ignoresDiacritics: true),
    TextFolding.full,
  ]

  private func defined(_ text: [UInt32], _ folding: TextFolding) -> [UInt8] {
    text.flatMap { folding.scalars(of: $0) }.flatMap(UTF8Scalars.encode)
  }

  @Test(arguments: foldings)
  func everyScalarFoldsAsDefined(_ folding: TextFolding) {
    // Those that change are in some of these; the others are all alike.
    let ranges: [Range<UInt32>] = [
      0..<0x3500, 0xA000..<0xAD00, 0xD700..<0xD800, 0xE000..<0xE100, 0xF900..<0x13500, 0x16000..<0x17000,
      0x1BC00..<0x1BD00, 0x1CF00..<0x1EA00, 0x2F800..<0x2FB00, 0xE0000..<0xE0200, 0x10FF00..<0x110000,
    ]
    #expect(folding.changing.allSatisfy { scalar in ranges.contains { $0.contains(scalar) } })
    for start in ranges.flatMap({ stride(from: $0.lowerBound, to: $0.upperBound, by: 0x100) }) {
      let scalars = Array(start..<start + 0x100)
      let text = scalars.flatMap(UTF8Scalars.encode)
      if folding.fold(text) != defined(scalars, folding) { Issue.record("from \(String(start, radix: 16))") }
    }
  }

  @Test(arguments: foldings)
  func textsOfAllPlanesFoldAsDefined(_ folding: TextFolding) {
    let seed = testSeed()
    var random = RandomScalars(seed: seed)
    for _ in 0..<1000 {
      let scalars = random.text(upTo: 40)
      let text = scalars.flatMap(UTF8Scalars.encode)
      let folded = defined(scalars, folding)
      #expect(folding.fold(text) == folded, "seed \(seed): \(scalars)")
      compare(text, folded, folding, &random, "seed \(seed): \(scalars)")
    }
  }

  @Test(arguments: foldings)
  func wrongBytesCompareAsTheyFold(_ folding: TextFolding) {
    let seed = testSeed()
    var random = RandomScalars(seed: seed)
    for _ in 0..<1000 {
      var text = random.text(upTo: 8).flatMap(UTF8Scalars.encode)
      for _ in 0..<1 + random.below(3) where !text.isEmpty {
        let place = random.below(text.count)
        if random.below(2) == 0 { text.remove(at: place) } else { text[place] = UInt8(random.below(256)) }
      }
      let folded = folding.fold(text)
      #expect(String(validating: folded, as: UTF8.self) != nil, "seed \(seed): \(text)")
      compare(text, folded, folding, &random, "seed \(seed): \(text)")
    }
  }

  /// The order, the beginning and the end of a text against parts of its folded form, and against others near them.
  private func compare(
    _ text: [UInt8], _ folded: [UInt8], _ folding: TextFolding, _ random: inout RandomScalars, _ note: String
  ) {
    let cut = random.below(folded.count + 1)
    var needles = [folded, Array(folded[..<cut]), Array(folded[cut...]), folded + [0x61], [0x61] + folded, []]
    if !folded.isEmpty {
      needles.append(folded)
      needles[needles.count - 1][random.below(folded.count)] ^= 1
    }
    for needle in needles {
      text.withUnsafeBytes { text in
        needle.withUnsafeBytes { bytes in
          let order = folding.order(of: text, against: bytes).signum()
          #expect(
            order == (folded == needle ? 0 : folded.lexicographicallyPrecedes(needle) ? -1 : 1), "\(note), \(needle)")
          #expect(folding.hasPrefix(text, bytes) == folded.starts(with: needle), "\(note), \(needle)")
          #expect(
            folding.hasSuffix(text, bytes) == folded.reversed().starts(with: needle.reversed()), "\(note), \(needle)")
        }
      }
    }
  }
}

/// Scalars of all planes, those that fold more often than others.
struct RandomScalars {
  private var state: UInt64
  private static let changing = TextFolding.full.changing.sorted()

  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
  }

  mutating func text(upTo count: Int) -> [UInt32] {
    (0..<below(count + 1)).map { _ in
      switch below(6) {
      case 0, 1: UInt32(0x20 + below(0x5F))
      case 2: UInt32(0xA0 + below(0x500))
      case 3: Self.changing[below(Self.changing.count)]
      case 4: UInt32(0xAC00 + below(11_172))
      default: scalar(UInt32(below(0x110000)))
      }
    }
  }

  private func scalar(_ value: UInt32) -> UInt32 { 0xD800..<0xE000 ~= value ? value &- 0x1000 : value }
}
