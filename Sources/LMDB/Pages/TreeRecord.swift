/// The record of a tree in the file: its root, depth, counts and kind. LMDB's `MDB_db`, 48 bytes.
struct TreeRecord: Equatable {
  /// The width of the values of a tree of fixed-width values; the page size in the record of the free tree.
  var width: UInt32
  var flags: UInt16
  var depth: UInt16
  /// The numbers of pages, without those of the trees of values.
  var branchPages: UInt64
  var leafPages: UInt64
  var overflowPages: UInt64
  var entries: UInt64
  /// The root page; nil for an empty tree.
  var root: UInt64?

  static let byteCount = 48

  /// Reads the record at an address of at least `byteCount` bytes.
  init(_ bytes: UnsafeRawPointer) {
    width = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
    flags = bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    depth = bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
    branchPages = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    leafPages = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    overflowPages = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    entries = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    let page = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
    root = page == .max ? nil : page
  }

  /// An empty tree.
  init(width: UInt32 = 0, flags: UInt16) {
    self.width = width
    self.flags = flags
    (depth, branchPages, leafPages, overflowPages, entries) = (0, 0, 0, 0, 0)
  }

  /// Writes the record to an address of at least `byteCount` bytes.
  func write(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: width, toByteOffset: 0, as: UInt32.self)
    bytes.storeBytes(of: flags, toByteOffset: 4, as: UInt16.self)
    bytes.storeBytes(of: depth, toByteOffset: 6, as: UInt16.self)
    bytes.storeBytes(of: branchPages, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(of: leafPages, toByteOffset: 16, as: UInt64.self)
    bytes.storeBytes(of: overflowPages, toByteOffset: 24, as: UInt64.self)
    bytes.storeBytes(of: entries, toByteOffset: 32, as: UInt64.self)
    bytes.storeBytes(of: root ?? .max, toByteOffset: 40, as: UInt64.self)
  }

  static let dupSort: UInt16 = 0x04
  static let integerKey: UInt16 = 0x08
  static let dupFixed: UInt16 = 0x10
  static let integerDup: UInt16 = 0x20
  /// Left in the record of the free tree by environments that are a file without a folder.
  static let withoutFolder: UInt16 = 0x4000

  /// The recorded number of entries, limited to what a file can contain, so that sums of these do not overflow.
  var plausibleEntries: Int { Int(min(entries, Self.mostEntries)) }

  /// The recorded number of pages, limited to those of a file: the counts in a damaged file can be any.
  func plausiblePages(of file: Int) -> Int {
    [branchPages, leafPages, overflowPages].reduce(0) { sum, count in
      min(sum + Int(min(count, UInt64(max(file, 0)))), file)
    }
  }

  /// More entries than fit in the address space of a process: each takes at least two bytes.
  static let mostEntries: UInt64 = 1 << 47

  func has(_ flag: UInt16) -> Bool { flags & flag != 0 }

  /// The reason the record is invalid, if it is.
  var flaw: String? {
    if depth > 32 { return "a tree of depth \(depth)" }
    if (root == nil) != (depth == 0) { return "a tree of depth \(depth) with\(root == nil ? "out" : "") a root" }
    if root == nil, entries != 0 { return "an empty tree of \(entries) entries" }
    return nil
  }
}
