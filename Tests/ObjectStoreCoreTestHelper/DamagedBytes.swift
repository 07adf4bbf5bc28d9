import Glibc
import TestSeeds

/// The bytes of a store's file, and many ways to damage them.
struct DamagedBytes {
  /// A way to damage a file.
  enum Kind: CaseIterable {
    /// One bit of the meta pages: each in its turn.
    case metaBit
    case bit, bits, recordBit, keyBit, entryBit, headerBit
    case zeroPage, zeroSector, noisePage, swappedPages
    /// A page with what it had some commits before: a write that the disk lost.
    case formerPage
    case cut, grown, mix
  }

  /// A damaged file.
  struct Damaged {
    var bytes: [UInt8]
    /// Whether a page has objects of an earlier commit, which are sound by themselves.
    var hasFormerObjects = false
  }

  private static let pageSize = 4_096
  private let original: [UInt8]
  private let former: [UInt8]
  /// Pages by kind: their numbers.
  private let trees: [Int]
  private let used: [Int]
  /// The pages of the newest commit: the others have what earlier ones left there.
  private let current: Set<Int>

  /// The newest bytes of a file, and those of some commits before.
  init(_ original: [UInt8], former: [UInt8]) {
    self.original = original
    self.former = former
    let pages = 2..<original.count / Self.pageSize
    used = pages.filter { Self.number(original, $0 * Self.pageSize, 8) == $0 }
    current = CurrentPages(original).pages
    trees = used.filter { [1, 2, 0x22].contains(original[$0 * Self.pageSize + 10]) }
  }

  /// The file of a case.
  func damaged(_ kind: Kind, case number: Int, _ random: inout SeededNumbers) -> Damaged {
    var damaged = Damaged(bytes: original)
    damage(&damaged, kind, number, &random)
    return damaged
  }

  private func damage(_ damaged: inout Damaged, _ kind: Kind, _ number: Int, _ random: inout SeededNumbers) {
    if kind == .mix {
      for _ in 0..<Int.random(in: 2..<5, using: &random) {
        let kinds: [Kind] = [.bit, .recordBit, .keyBit, .entryBit, .headerBit, .zeroSector, .formerPage]
        if let kind = kinds.randomElement(using: &random) { damage(&damaged, kind, number, &random) }
      }
      return
    }
    let before = damaged.bytes
    damage(&damaged.bytes, kind, number, &random)
    if kind == .formerPage, damaged.bytes != before { damaged.hasFormerObjects = true }
    // A page of an earlier commit in the place of one of this commit.
    if kind == .swappedPages {
      let changed = used.filter { page in
        let range = page * Self.pageSize..<(page + 1) * Self.pageSize
        return damaged.bytes[range] != before[range]
      }
      let isReadable = changed.allSatisfy { Self.number(damaged.bytes, $0 * Self.pageSize, 8) == $0 }
      if isReadable, changed.contains(where: { !current.contains($0) }) { damaged.hasFormerObjects = true }
    }
  }

  private func damage(_ bytes: inout [UInt8], _ kind: Kind, _ number: Int, _ random: inout SeededNumbers) {
    let page = used.randomElement(using: &random).map { $0 * Self.pageSize } ?? 0
    switch kind {
    case .metaBit:
      let bit = number % (2 * 152 * 8)
      bytes[bit / (152 * 8) * Self.pageSize + bit % (152 * 8) / 8] ^= 1 << UInt8(bit % 8)
    case .bit: flip(&bytes, page..<page + Self.pageSize, &random)
    case .bits: for _ in 0..<Int.random(in: 2..<40, using: &random) { flip(&bytes, 0..<bytes.count, &random) }
    case .recordBit:
      let records = entries(in: bytes).filter { bytes[$0.flags] == 2 || bytes[$0.flags] == 6 }
      if let record = records.randomElement(using: &random) {
        // Half of the time the counts: of pages of three kinds, and of entries.
        let start = record.key.upperBound + (Bool.random(using: &random) ? 8 : 0)
        flip(&bytes, start..<record.key.upperBound + (start == record.key.upperBound ? 48 : 40), &random)
      }
    case .keyBit:
      if let entry = entries(in: bytes).filter({ !$0.key.isEmpty }).randomElement(using: &random) {
        flip(&bytes, entry.key, &random)
      }
    case .entryBit:
      if let entry = entries(in: bytes).randomElement(using: &random) {
        flip(&bytes, entry.flags - 4..<entry.flags + 4, &random)
      }
    case .headerBit: flip(&bytes, page..<page + 24, &random)
    case .zeroPage: for index in page..<page + Self.pageSize { bytes[index] = 0 }
    case .zeroSector:
      let sector = page + 512 * Int.random(in: 0..<8, using: &random)
      for index in sector..<sector + 512 { bytes[index] = 0 }
    case .noisePage:
      for index in page + 16..<page + Self.pageSize { bytes[index] = .random(in: .min ... .max, using: &random) }
    case .swappedPages:
      guard let other = used.randomElement(using: &random).map({ $0 * Self.pageSize }) else { return }
      for index in 0..<Self.pageSize { bytes.swapAt(page + index, other + index) }
      // Their own numbers right, so that only their place is wrong.
      if Bool.random(using: &random) { for index in 0..<8 { bytes.swapAt(page + index, other + index) } }
    case .formerPage:
      let changed = used.map { $0 * Self.pageSize }.filter {
        $0 + Self.pageSize <= former.count && former[$0..<$0 + Self.pageSize] != original[$0..<$0 + Self.pageSize]
      }
      if let page = changed.randomElement(using: &random) {
        bytes.replaceSubrange(page..<page + Self.pageSize, with: former[page..<page + Self.pageSize])
      }
    case .cut: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case .grown:
      for _ in 0..<Int.random(in: 1..<20_000, using: &random) {
        bytes.append(.random(in: .min ... .max, using: &random))
      }
    // Several of the others.
    case .mix: break
    }
  }

  private func flip(_ bytes: inout [UInt8], _ range: Range<Int>, _ random: inout SeededNumbers) {
    guard let place = range.clamped(to: bytes.indices).randomElement(using: &random) else { return }
    bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  }

  /// The entries of a random page of a tree: where the flags and the key of each are.
  private func entries(in bytes: [UInt8]) -> [(flags: Int, key: Range<Int>)] {
    trees.map { $0 * Self.pageSize }.flatMap { page -> [(flags: Int, key: Range<Int>)] in
      guard bytes[page + 10] & 0x20 == 0 else { return [] }
      let count = max(0, Self.number(bytes, page + 12, 2) - 16) / 2
      return (0..<min(count, 2_000)).compactMap { index in
        let entry = page + Self.number(bytes, page + 16 + 2 * index, 2)
        guard entry + 8 <= page + Self.pageSize else { return nil }
        let end = entry + 8 + Self.number(bytes, entry + 6, 2)
        return end <= page + Self.pageSize ? (entry + 4, entry + 8..<end) : nil
      }
    }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 &<< 8 | Int($1) }
  }
}
