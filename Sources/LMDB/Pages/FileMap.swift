import Glibc

/// The data file mapped for looking at it without LMDB.
final class FileMap {
  let base: UnsafeRawPointer
  let byteCount: Int

  /// Maps the start of a file that has at least that many bytes.
  init(_ descriptor: Int32, byteCount: Int, path: String) throws(LMDBError) {
    guard let base = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
      throw .lastSystemError("mapping", path)
    }
    self.base = UnsafeRawPointer(base)
    self.byteCount = byteCount
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), byteCount) }

  /// Whether it is so small that keeping the map for the next check costs less than mapping the file again. For a large
  /// file it would waste memory on page tables that are rarely used again.
  var isWorthKeeping: Bool { byteCount <= 16 << 20 }
}
