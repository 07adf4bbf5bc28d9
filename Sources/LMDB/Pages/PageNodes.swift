/// The entries of a page, or of a page within an entry, whose places were checked: offsets in bounds, entries side by
/// side without gap or overlap.
///
///     0        8      10     12     14      16
///     │ number │ width│ flags│ lower│ upper │ offset… │ free │ entry… │
///                                                  lower  upper
///     entry:  │ low 16 │ high 16 │ flags │ key size │ key │ value or page number │
struct PageNodes {
  let base: UnsafeRawPointer
  /// The bytes of the page.
  let byteCount: Int
  let count: Int

  static let headerSize = 16
  static let nodeHeaderSize = 8

  static let branch: UInt16 = 0x01
  static let leaf: UInt16 = 0x02
  static let overflow: UInt16 = 0x04
  static let dirty: UInt16 = 0x10
  static let fixedWidth: UInt16 = 0x20
  static let inner: UInt16 = 0x40

  static let bigData: UInt16 = 0x01
  static let subTree: UInt16 = 0x02
  static let duplicates: UInt16 = 0x04

  static func number(_ page: UnsafeRawPointer) -> UInt64 { page.loadUnaligned(as: UInt64.self) }
  static func width(_ page: UnsafeRawPointer) -> Int { Int(page.loadUnaligned(fromByteOffset: 8, as: UInt16.self)) }
  static func flags(_ page: UnsafeRawPointer) -> UInt16 { page.loadUnaligned(fromByteOffset: 10, as: UInt16.self) }
  static func lower(_ page: UnsafeRawPointer) -> Int { Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self)) }
  static func upper(_ page: UnsafeRawPointer) -> Int { Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self)) }
  /// The number of pages of a large value.
  static func pages(_ page: UnsafeRawPointer) -> Int { Int(page.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) }

  /// The entries of a page of at least a header's size; nil when their offsets are invalid. `starts` is scratch memory
  /// with a bit for every two bytes of a page.
  init?(unverified base: UnsafeRawPointer, byteCount: Int, isBranch: Bool, starts: UnsafeMutablePointer<UInt64>) {
    let lower = Self.lower(base)
    let upper = Self.upper(base)
    guard lower >= Self.headerSize, lower & 1 == 0, lower <= upper, upper <= byteCount else { return nil }
    self.base = base
    self.byteCount = byteCount
    count = (lower - Self.headerSize) >> 1
    starts.update(repeating: 0, count: byteCount >> 7 + 1)
    var total = 0
    for index in 0..<count {
      let offset = offset(index)
      guard offset & 1 == 0, offset >= upper, offset + Self.nodeHeaderSize <= byteCount else { return nil }
      let bit = UInt64(1) << UInt64((offset >> 1) & 63)
      guard starts[offset >> 7] & bit == 0 else { return nil }
      starts[offset >> 7] |= bit
      let size = isBranch ? branchSize(index) : leafSize(index)
      guard size <= byteCount - offset else { return nil }
      total += size
    }
    guard total == byteCount - upper else { return nil }
    // If the total size is right, and each entry ends where another starts, or at the end, there can be no overlaps.
    for index in 0..<count {
      let end = offset(index) + (isBranch ? branchSize(index) : leafSize(index))
      guard end == byteCount || starts[end >> 7] & (1 << UInt64((end >> 1) & 63)) != 0 else { return nil }
    }
  }

  /// The entries of a page that was verified before, so that its offsets need no further check.
  init(verified base: UnsafeRawPointer, byteCount: Int) {
    self.base = base
    self.byteCount = byteCount
    count = (Self.lower(base) - Self.headerSize) >> 1
  }

  @inline(__always)
  func offset(_ index: Int) -> Int {
    Int(base.loadUnaligned(fromByteOffset: Self.headerSize + 2 * index, as: UInt16.self))
  }

  @inline(__always)
  func flags(_ index: Int) -> UInt16 { base.loadUnaligned(fromByteOffset: offset(index) + 4, as: UInt16.self) }

  @inline(__always)
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + offset(index) + Self.nodeHeaderSize, count: keySize(index))
  }

  /// The size of a value, also of a large one.
  @inline(__always)
  func valueSize(_ index: Int) -> Int { Int(base.loadUnaligned(fromByteOffset: offset(index), as: UInt32.self)) }

  /// The address of a value, or of the page number of a large value.
  @inline(__always)
  func value(_ index: Int) -> UnsafeRawPointer { base + offset(index) + Self.nodeHeaderSize + keySize(index) }

  /// The page a branch leads to.
  @inline(__always)
  func child(_ index: Int) -> UInt64 { UInt64(valueSize(index)) | UInt64(flags(index)) << 32 }

  @inline(__always)
  private func keySize(_ index: Int) -> Int {
    Int(base.loadUnaligned(fromByteOffset: offset(index) + 6, as: UInt16.self))
  }

  @inline(__always)
  private func branchSize(_ index: Int) -> Int { (Self.nodeHeaderSize + keySize(index) + 1) & ~1 }

  @inline(__always)
  private func leafSize(_ index: Int) -> Int {
    let value = flags(index) & Self.bigData != 0 ? 8 : valueSize(index)
    return (Self.nodeHeaderSize + keySize(index) + value + 1) & ~1
  }
}
