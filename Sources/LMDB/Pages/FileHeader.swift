import Glibc

/// The contents of the two meta pages at the start of a data file, read and checked before anything is mapped.
///
/// Commits write them in turn, so the newer one is the state of the file and the other the commit before. While the newer
/// one is being synced, readers still begin with the other.
struct FileHeader {
  /// The contents of a meta page for one commit.
  struct Meta: Equatable {
    var pageSize: Int
    var commit: UInt64
    /// The last page ever used. The file can be shorter if that page is free again.
    var lastPage: Int
    var freeTree: TreeRecord
    var mainTree: TreeRecord

    /// The bytes of a meta page that matter.
    static let byteCount = 152
    static let magic: UInt32 = 0xBEEF_C0DE

    /// The page that has the contents: commits take turns.
    var page: Int { Int(commit & 1) }

    /// Writes the contents to the start of a page of zeros.
    func write(to bytes: UnsafeMutableRawPointer, page: Int) {
      bytes.storeBytes(of: UInt64(page), toByteOffset: 0, as: UInt64.self)
      bytes.storeBytes(of: 0x08, toByteOffset: 10, as: UInt16.self)
      bytes.storeBytes(of: Self.magic, toByteOffset: 16, as: UInt32.self)
      bytes.storeBytes(of: 1, toByteOffset: 20, as: UInt32.self)
      bytes.storeBytes(of: UInt64((lastPage + 1) * pageSize), toByteOffset: 32, as: UInt64.self)
      freeTree.write(to: bytes + 40)
      mainTree.write(to: bytes + 88)
      bytes.storeBytes(of: UInt64(lastPage), toByteOffset: 136, as: UInt64.self)
      bytes.storeBytes(of: commit, toByteOffset: 144, as: UInt64.self)
    }
  }

  var newest: Meta
  /// The contents of the other meta page: the previous commit, or the same in a file without commits.
  var previous: Meta
  /// The number of whole pages in the file.
  var filePages: Int

  var pageSize: Int { newest.pageSize }
  /// Whether the file has all pages it may refer to.
  var isComplete: Bool { newest.lastPage < filePages }

  /// Reads the meta pages. A page that a writer is currently changing is read again.
  static func read(_ descriptor: Int32, path: String) throws(LMDBError) -> FileHeader {
    for _ in 0..<5 {
      do throws(LMDBError) {
        return try readOnce(descriptor, path: path)
      } catch {
        guard case .damaged = error else { throw error }
        usleep(1_000)
      }
    }
    return try readOnce(descriptor, path: path)
  }

  /// The size of the file in bytes.
  static func size(_ descriptor: Int32, path: String) throws(LMDBError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .lastSystemError("looking at", path) }
    return Int(status.st_size)
  }

  private static func readOnce(_ descriptor: Int32, path: String) throws(LMDBError) -> FileHeader {
    let start = try bytes(descriptor, at: 0, path)
    if start.isEmpty { throw .notAStore(path: path, why: "it is empty") }
    guard start.count == Meta.byteCount, number(UInt32.self, start, 16) == Meta.magic else {
      // A second meta page without a valid first one is a damaged store; otherwise the file is not a store.
      let second = try bytes(descriptor, at: 4_096, path)
      if second.count == Meta.byteCount, number(UInt32.self, second, 16) == Meta.magic {
        throw .damaged(path: path, page: 0, what: "it is no meta page")
      }
      throw .notAStore(
        path: path, why: "it is not an LMDB file; if it was one, objquery salvage saves what is left of it")
    }
    let first = try meta(start, page: 0, path)
    let rest = try bytes(descriptor, at: first.pageSize, path)
    let filePages = try size(descriptor, path: path) / first.pageSize
    guard filePages >= 2, rest.count == Meta.byteCount else {
      throw .truncated(path: path, pages: filePages, needed: 1)
    }
    let second = try meta(rest, page: 1, path)
    guard first.pageSize == second.pageSize else {
      throw .damaged(path: path, page: 1, what: "its page size is not that of the other meta page")
    }
    let isSecondNewer = second.commit > first.commit
    let (newest, previous) = isSecondNewer ? (second, first) : (first, second)
    guard newest.commit - previous.commit <= 1 || previous.commit == 0 || DamageChecks.areSkipped else {
      let distance = newest.commit - previous.commit
      throw .damaged(path: path, page: 0, what: "the meta pages are \(distance) commits apart")
    }
    guard previous.lastPage <= newest.lastPage else {
      let page = isSecondNewer ? 1 : 0
      throw .damaged(path: path, page: page, what: "its last page is before that of the previous commit")
    }
    return FileHeader(newest: newest, previous: previous, filePages: filePages)
  }

  /// The header as of a commit, ignoring a later one; nil when neither meta page belongs to that commit.
  func of(commit: UInt64) -> FileHeader? {
    if newest.commit == commit { return self }
    guard previous.commit == commit else { return nil }
    return FileHeader(newest: previous, previous: previous, filePages: filePages)
  }

  /// The meta page at an offset in the file, which need not be one.
  static func meta(of descriptor: Int32, at offset: Int, page: Int, _ path: String) throws(LMDBError) -> Meta {
    let bytes = try bytes(descriptor, at: offset, path)
    guard bytes.count == Meta.byteCount else { throw .truncated(path: path, pages: page, needed: page) }
    return try meta(bytes, page: page, path)
  }

  private static func meta(_ bytes: [UInt8], page: Int, _ path: String) throws(LMDBError) -> Meta {
    func damage(_ what: String) -> LMDBError { .damaged(path: path, page: page, what: what) }
    guard number(UInt64.self, bytes, 0) == UInt64(page), number(UInt16.self, bytes, 10) == 0x08,
      number(UInt32.self, bytes, 16) == Meta.magic
    else { throw damage("it is no meta page") }
    guard number(UInt32.self, bytes, 20) == 1 else { throw .versionMismatch }
    let (free, main) = bytes.withUnsafeBytes { bytes in
      // `bytes` has `Meta.byteCount` bytes, which contain both records.
      (TreeRecord(bytes.baseAddress.unsafelyUnwrapped + 40), TreeRecord(bytes.baseAddress.unsafelyUnwrapped + 88))
    }
    let size = Int(free.width)
    guard (256...32_768).contains(size), size & (size - 1) == 0 else { throw damage("a page size of \(size)") }
    let commit = number(UInt64.self, bytes, 144)
    guard commit == 0 || commit & 1 == UInt64(page), commit < 1 << 62 else {
      throw damage("commit \(commit) is not its own")
    }
    let last = number(UInt64.self, bytes, 136)
    guard last >= 1, last < 1 << 46 else { throw damage("a last page of \(last)") }
    if let flaw = free.flaw ?? main.flaw { throw damage(flaw) }
    guard free.flags & ~TreeRecord.withoutFolder == TreeRecord.integerKey, main.flags == 0 else {
      throw damage("trees of kinds \(free.flags) and \(main.flags)")
    }
    guard commit > 0 || main.root == nil && free.root == nil else { throw damage("trees before the first commit") }
    return Meta(pageSize: size, commit: commit, lastPage: Int(last), freeTree: free, mainTree: main)
  }

  /// Up to `Meta.byteCount` bytes of the file.
  private static func bytes(_ descriptor: Int32, at offset: Int, _ path: String) throws(LMDBError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Meta.byteCount)
    let count = bytes.withUnsafeMutableBytes { buffer in
      var count = -1
      repeat {
        count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      } while count < 0 && errno == EINTR
      return count
    }
    guard count >= 0 else { throw .lastSystemError("reading", path) }
    return Array(bytes.prefix(count))
  }

  /// The number at an offset, which the caller knows to be in bounds.
  private static func number<N: FixedWidthInteger>(_: N.Type, _ bytes: [UInt8], _ offset: Int) -> N {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: N.self) }
  }
}
