import Glibc
import Testing

@testable import LMDB

/// What else would only be met by who reads what is wrong: numbers in records and meta pages that do not fit the rest. Of
/// most of them the seal of the commit tells first, so they are looked at alone.
@Suite struct TreeCheckTests {
  /// A store of six commits.
  private func fill(_ path: String) throws {
    try Environment.create(path) { _ = try $0.createDatabase("log", .integerKey) }
    let environment = try Environment.open(path)
    for number in 2...6 {
      try environment.write { transaction in
        let log = try transaction.createDatabase("log", .integerKey)
        try withUnsafeBytes(of: number) { try transaction.put(UInt64(number), $0, log) }
      }
    }
  }

  @Test func aTreeHasAsManyEntriesAsItsRecordSays() throws {
    let scratch = try Scratch()
    try fill(scratch("store"))
    let environment = try Environment.open(scratch("store"))
    let (reader, header) = try environment.beginReadWithHeader()
    defer { reader.end() }
    for difference in [0, 1, -1] {
      var record = header.newest.mainTree
      record.entries = UInt64(Int(record.entries) + difference)
      let flaw = failure { try TreeCheck.run(environment.map(header), record, .main, name: "the main tree") }
      #expect(
        flaw.map { "\($0)".contains("entries where there should be \(record.entries)") } ?? false == (difference != 0))
    }
  }

  @Test func aTreeHasAsManyPagesAsItsRecordSays() throws {
    let scratch = try Scratch()
    try fill(scratch("store"))
    let environment = try Environment.open(scratch("store"))
    let (reader, header) = try environment.beginReadWithHeader()
    defer { reader.end() }
    for count in [\TreeRecord.branchPages, \.leafPages, \.overflowPages] {
      var record = header.newest.mainTree
      record[keyPath: count] += 1
      let map = try environment.map(header)
      let found = try TreeCheck.run(map, record, .main, name: "the main tree")
      #expect(map.flaws.count == 1)
      #expect(found == header.newest.mainTree)
    }
  }

  @Test func metaPagesOfDistantCommitsAreRefused() throws {
    let scratch = try Scratch()
    try fill(scratch("store"))
    let file = open(scratch("store") + "/data.mdb", O_RDWR)
    defer { close(file) }
    let newest = try FileHeader.read(file, path: "").newest
    let older = (newest.commit - 3).littleEndian
    // The commits take turns, so the other page has the odd ones, or the even ones.
    let place = off_t((1 - newest.page) * newest.pageSize + 144)
    #expect(withUnsafeBytes(of: older) { pwrite(file, $0.baseAddress, 8, place) } == 8)
    let flaw = failure { _ = try Environment.open(scratch("store")) }
    #expect(flaw.map { "\($0)".contains("3 commits apart") } ?? false)
  }
}
