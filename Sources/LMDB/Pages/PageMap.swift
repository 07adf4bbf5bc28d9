/// Tracks the pages of the data file during one check: every access is in bounds, and no page is used twice.
final class PageMap {
  let pageSize: Int
  let path: String
  private let file: FileMap
  private let filePages: Int
  private let lastPage: Int
  private var met: [UInt64]
  /// Pages past the end of the file, which must be free pages.
  private var metBeyond: Set<Int> = []
  /// What is wrong and keeps nobody from reading.
  var flaws: [LMDBError] = []
  private let isCancelled: (() -> Bool)?
  private var claims = 0

  /// The number of pages that may be claimed before the check tests for cancellation.
  private static let claimsPerLook = 256

  /// Creates a map of all pages that the header declares, with none used.
  ///
  /// - Parameter isCancelled: Called repeatedly: once it returns true, claiming pages fails.
  init(_ file: FileMap, header: FileHeader, path: String, isCancelled: (() -> Bool)?) {
    self.isCancelled = isCancelled
    self.file = file
    self.path = path
    pageSize = header.pageSize
    filePages = header.filePages
    lastPage = header.newest.lastPage
    met = [UInt64](repeating: 0, count: filePages / 64 + 1)
  }

  /// The address of `count` pages from page `number` on, which then belong only to the caller.
  func claim(_ number: UInt64, count: Int = 1, for owner: String) throws(LMDBError) -> UnsafeRawPointer {
    if claims % Self.claimsPerLook == 0, let isCancelled, isCancelled() { throw .cancelled }
    claims &+= 1
    guard number >= 2, number <= UInt64(lastPage), count >= 1, count <= lastPage + 1 - Int(number) else {
      throw damage(number, "\(owner) refers to it, and it is no page of the file")
    }
    let pages = Int(number)..<(Int(number) + count)
    guard pages.upperBound <= filePages else {
      throw .truncated(path: path, pages: filePages, needed: pages.upperBound - 1)
    }
    for page in pages where !mark(page) {
      throw damage(UInt64(page), "\(owner) refers to it, and so does something else")
    }
    return file.base + Int(number) * pageSize
  }

  /// Marks a page as free, be it in the file or past its end.
  func claimFree(_ number: UInt64, for owner: String) throws(LMDBError) {
    guard number >= 2, number <= UInt64(lastPage) else {
      throw damage(number, "\(owner) refers to it, and it is no page of the file")
    }
    let page = Int(number)
    guard page < filePages ? mark(page) : metBeyond.insert(page).inserted else {
      throw damage(number, "\(owner) refers to it, and so does something else")
    }
  }

  /// Marks a page of the file; false when it was used before.
  @inline(__always)
  private func mark(_ page: Int) -> Bool {
    let bit = UInt64(1) << UInt64(page & 63)
    guard met[page >> 6] & bit == 0 else { return false }
    met[page >> 6] |= bit
    return true
  }

  func damage(_ page: UInt64, _ what: String) -> LMDBError {
    .damaged(path: path, page: Int(clamping: page), what: what)
  }
}
