import Testing

@testable import LMDB

/// Single pages, made by hand: random damage meets these flaws too rarely.
@Suite struct PageCheckTests {
  /// Calls `body` with a page of numbers, and the check of a tree of such.
  private func withPage(
    of numbers: [UInt64], _ body: (PageCheck, UnsafeRawPointer) throws -> Void
  ) throws {
    let page = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 8)
    let starts = UnsafeMutablePointer<UInt64>.allocate(capacity: 64)
    defer {
      page.deallocate()
      starts.deallocate()
    }
    let flags = PageNodes.leaf | PageNodes.fixedWidth
    page.storeBytes(of: 7, as: UInt64.self)
    page.storeBytes(of: 8, toByteOffset: 8, as: UInt16.self)
    page.storeBytes(of: flags, toByteOffset: 10, as: UInt16.self)
    page.storeBytes(of: UInt16(16 + 2 * numbers.count), toByteOffset: 12, as: UInt16.self)
    page.storeBytes(of: UInt16(4096 - 6 * numbers.count), toByteOffset: 14, as: UInt16.self)
    for (index, number) in numbers.enumerated() {
      page.storeBytes(of: number, toByteOffset: 16 + 8 * index, as: UInt64.self)
    }
    var record = TreeRecord(width: 8, flags: TreeRecord.dupFixed | TreeRecord.integerKey)
    (record.depth, record.leafPages, record.entries, record.root) = (1, 1, UInt64(numbers.count), 7)
    try body(PageCheck(record, .duplicates, name: "the tree", pageSize: 4096, path: "file", starts: starts), page)
  }

  @Test func aPageHasItsNumber() throws {
    try withPage(of: [1, 2]) { check, page in
      try check.kind(of: page, 7, level: 1)
      let flaw = failure { try check.kind(of: page, 8, level: 1) }
      #expect(flaw.map { "\($0)".contains("it is another page") } ?? false)
    }
  }

  @Test(arguments: [[1], [1, 2, 3], [1, 256, .max]] as [[UInt64]])
  func numbersAscend(_ numbers: [UInt64]) throws {
    try withPage(of: numbers) { check, page in
      let count = try check.fixedWidth(7, page, byteCount: 4096, from: nil, to: nil)
      #expect(count == numbers.count)
    }
  }

  @Test(arguments: [[2, 1], [1, 1], [1, 3, 2], [256, 1]] as [[UInt64]])
  func numbersThatDoNotAscendAreRefused(_ numbers: [UInt64]) throws {
    try withPage(of: numbers) { check, page in
      let flaw = failure { _ = try check.fixedWidth(7, page, byteCount: 4096, from: nil, to: nil) }
      #expect(flaw.map { "\($0)".contains("numbers out of order") } ?? false)
    }
  }

  @Test func numbersAreWithinTheBoundsOfTheirPage() throws {
    try withPage(of: [4, 6]) { check, page in
      func flaw(from: UInt64, to: UInt64) -> LMDBError? {
        withUnsafeBytes(of: from) { from in
          withUnsafeBytes(of: to) { to in
            failure { _ = try check.fixedWidth(7, page, byteCount: 4096, from: from, to: to) }
          }
        }
      }
      #expect(flaw(from: 4, to: 7) == nil)
      #expect(flaw(from: 5, to: 7) != nil)
      #expect(flaw(from: 4, to: 6) != nil)
    }
  }
}
