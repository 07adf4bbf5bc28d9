/// The pages that the newest commit of a whole store's file leads to, without those of the tree of free pages.
struct CurrentPages {
  private(set) var pages: Set<Int> = []
  private let bytes: [UInt8]

  private static let pageSize = 4_096

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let meta = number(144, 8) > number(Self.pageSize + 144, 8) ? 0 : Self.pageSize
    meet(recordAt: meta + 88)
  }

  /// The pages of a tree whose record stands at an offset.
  private mutating func meet(recordAt offset: Int) {
    if number(offset + 6, 2) > 0 { meet(number(offset + 40, 8)) }
  }

  private mutating func meet(_ page: Int) {
    let start = page * Self.pageSize
    pages.insert(page)
    let flags = bytes[start + 10]
    // The leaves of numbers side by side lead nowhere.
    guard flags == 1 || flags == 2 else { return }
    for index in 0..<(number(start + 12, 2) - 16) / 2 {
      let entry = start + number(start + 16 + 2 * index, 2)
      let value = entry + 8 + number(entry + 6, 2)
      if flags == 1 {
        meet(number(entry, 6))
        continue
      }
      switch bytes[entry + 4] {
      case 1:
        let first = number(value, 8)
        pages.formUnion(first..<first + (15 + number(entry, 4)) / Self.pageSize + 1)
      // The record of a database, or of the values of a key.
      case 2, 6: meet(recordAt: value)
      default: break
      }
    }
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 &<< 8 | Int($1) }
  }
}
