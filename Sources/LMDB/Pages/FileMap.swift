import Glibc

/// The data file mapped for looking at it without LMDB.
final class FileMap {
  let base: UnsafeRawPointer
  let byteCount: Int

  /// Maps the first bytes of a file that has as many.
  init(_ descriptor: Int32, byteCount: Int, path: String) throws(LMDBError) {
    guard let base = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
      throw .lastSystemError("mapping", path)
    }
    self.base = UnsafeRawPointer(base)
    self.byteCount = byteCount
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), byteCount) }

  /// Whether it is so small that keeping it for the next look costs less than mapping the file again. What is kept of a
  /// large one would be memory for tables of pages that nobody looks at twice.
  var isWorthKeeping: Bool { byteCount <= 16 << 20 }
}
