import Glibc
import Schema
import Storage
import TestSeeds
import Testing
import Values

/// What is left of a damaged store is saved, and what is not is named.
@Suite struct SalvageTests {
  private static let text = """
    @Model struct Town {
      @Attribute(.unique) var code: String
      @Attribute(.indexed) var size: Double
      var note: String?
      var tags: [String]
      var site: Site?
      @Relationship var main: Link<Town>?
      @Relationship var near: List<Town>
      var stops: [Stop]
      #Index<Town>([\\.size, \\.code])
    }
    @Model(.embedded) struct Site { var street: String; var number: Int? }
    @Model(.embedded) struct Stop { var name: String; var minutes: Int? }
    """

  private static func row(_ number: Int, of count: Int) -> [Value] {
    let stops = number % 3
    let isNear = number % 10 == 0
    let note = number % 97 == 0 ? Value.string(String(repeating: "long \(number) ", count: 400)) : .string("n")
    return [
      .string("town \(number)"), .double(Double(number) * 0.37),
      number % 2 == 0 && number % 97 != 0 ? .null : note,
      .list((0..<(number % 211 == 0 ? 1500 : number % 4)).map { .string("tag \($0)") }),
      number % 2 == 0 ? .bool(true) : .null, number % 2 == 0 ? .string("street \(number)") : .null,
      number % 4 == 0 ? .int(Int64(number)) : .null,
      number % 5 == 0 ? .int(Int64(number % count) + 1) : .null,
      isNear ? .list((0..<3).map { .int(Int64((number + 7 * $0) % count) + 1) }) : .list([]),
      .int(Int64(stops)), .list((0..<stops).map { .string("stop \($0)") }),
      .list((0..<stops).map { $0 == 1 ? .null : .int(Int64(number)) }),
    ]
  }

  /// A store with several commits behind it, and its rows.
  private func fill(_ folder: StoreFolder, count: Int = 1_500) throws -> [UInt64: [Value]] {
    let file = try folder.open(Schema.text(Self.text))
    try file.insert((0..<count).map { Self.row($0, of: count) }, into: "Town")
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "Town"))
      for number in stride(from: 7, to: UInt64(count), by: 100) { try session.delete(ObjectNumber(number), of: entity) }
      for number in stride(from: 20, to: UInt64(count), by: 300) {
        try session.update(ObjectNumber(number), of: entity, [(2, .string("changed"))])
      }
    }
    return try file.rows("Town")
  }

  /// Salvages and compares: what differs is named as lost.
  @discardableResult
  private func salvage(
    _ folder: StoreFolder, _ rows: [UInt64: [Value]], _ comment: Comment? = nil
  ) throws -> (report: SalvageReport, saved: [UInt64: [Value]]) {
    let new = try StoreFolder()
    let report = try StoreFile.salvage(folder.store, to: new.store)
    let file = try new.open(mode: .readOnly)
    try file.expectWhole(comment)
    let saved = try file.rows("Town")
    let paths = try file.entity("Town").columns.map(\.path)
    func isLost(_ number: UInt64, _ path: String) -> Bool {
      report.lost.contains { $0.objects.contains(number) && ($0.property == nil || $0.property == path) }
    }
    var unnamed: [String] = []
    for (number, row) in rows {
      for (index, path) in paths.enumerated() {
        let isSame = saved[number].map { $0[index].isIdentical(to: row[index]) } ?? false
        if !isSame, !isLost(number, path) { unnamed.append("\(number) \(path)") }
      }
    }
    #expect(unnamed.isEmpty, comment)
    #expect(Set(saved.keys).subtracting(rows.keys).isEmpty, comment)
    return (report, saved)
  }

  @Test func aWholeStoreIsSavedWhole() throws {
    let folder = try StoreFolder()
    let rows = try fill(folder)
    var before: [UInt8] = []
    try folder.change { before = $0 }
    let (report, saved) = try salvage(folder, rows)
    #expect(report.lost.isEmpty && report.notes.isEmpty && !report.mayLackChanges)
    #expect(report.entities.map(\.name) == ["Town"])
    #expect(report.entities.map(\.saved) == [rows.count] && report.entities.map(\.counted) == [rows.count])
    #expect(saved.count == rows.count)
    try folder.change { #expect($0 == before) }
  }

  @Test func numbersGoOnWhereTheyWere() throws {
    let folder = try StoreFolder()
    _ = try fill(folder, count: 300)
    var file: StoreFile? = try folder.open()
    try file?.delete([299, 300], of: "Town")
    file = nil
    let new = try StoreFolder()
    _ = try StoreFile.salvage(folder.store, to: new.store)
    let made = try new.open().insert([Self.row(5_000, of: 1)], into: "Town")
    #expect(made == [ObjectNumber(301)])
  }

  @Test func aDamagedPropertyLosesOnlyItself() throws {
    let folder = try StoreFolder()
    let rows = try fill(folder)
    // The values of `size` of the last version of a cluster are the only numbers of eight bytes there.
    try folder.change { bytes in
      let starts = stride(from: 0, to: bytes.count - 4_096, by: 8).filter {
        bytes[$0..<$0 + 4].elementsEqual("OSCL".utf8) && bytes[$0 + 24] == 2
      }
      for start in starts {
        let entry = start + 80 + 48
        let place = Int(bytes[entry + 8]) | Int(bytes[entry + 9]) << 8
        bytes[start + place + 40] ^= 4
      }
    }
    let (report, saved) = try salvage(folder, rows)
    #expect(report.lost.count == 1)
    let loss = try #require(report.lost.first)
    #expect(loss.property == "size" && loss.objects == 512...767 && loss.pages != nil, "\(loss)")
    #expect(saved.count == rows.count)
    #expect(report.notes == ["Town.size is optional in the new store, since values of it are lost"])
    #expect(saved[600]?[1] == .null && saved[600]?[0] == rows[600]?[0])
  }

  /// A page without objects holds nothing that is not also known otherwise.
  @Test func noPageOfATreeIsNeeded() throws {
    let folder = try StoreFolder()
    let rows = try fill(folder, count: 600)
    var original: [UInt8] = []
    try folder.change { original = $0 }
    var tried = 0
    for page in stride(from: 8_192, to: original.count - 4_095, by: 4_096) {
      let isTree = original[page + 10] == 1 || original[page + 10] == 2
      let hasCluster = original[page..<page + 4_096].withUnsafeBytes { $0.holds(Array("OSCL".utf8)) }
      guard isTree, !hasCluster else { continue }
      tried += 1
      for change in [10, 18] {
        try folder.change { bytes in
          bytes = original
          bytes[page + change] ^= 0x41
        }
        let (report, saved) = try salvage(folder, rows, "page \(page / 4_096), byte \(change)")
        #expect(report.lost.isEmpty, "page \(page / 4_096), byte \(change): \(report.lost.first.map { "\($0)" } ?? "")")
        #expect(saved.count == rows.count)
      }
    }
    #expect(tried > 5)
  }

  @Test func whateverIsDamagedTheRestIsSaved() throws {
    var random = Seeded(testSeed())
    let folder = try StoreFolder()
    let rows = try fill(folder)
    var original: [UInt8] = []
    try folder.change { original = $0 }
    var lost = 0
    for round in 0..<60 {
      try folder.change { bytes in
        bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let page = Int.random(in: 2..<original.count / 4_096, using: &random) * 4_096
          if round % 3 == 0 {
            for place in page..<page + 4_096 { bytes[place] = 0 }
          } else {
            bytes[page + Int.random(in: 0..<4_096, using: &random)] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
          }
        }
      }
      let (report, _) = try salvage(folder, rows, "round \(round)")
      lost += report.lost.count
    }
    #expect(lost > 0)
  }

  @Test func damagedMetaPagesAreNoEnd() throws {
    let folder = try StoreFolder()
    let rows = try fill(folder)
    var original: [UInt8] = []
    try folder.change { original = $0 }
    for page in 0..<2 {
      try folder.change { bytes in
        bytes = original
        for place in page * 4_096..<page * 4_096 + 200 { bytes[place] = 0xA5 }
      }
      let new = try StoreFolder()
      let report = try StoreFile.salvage(folder.store, to: new.store)
      #expect(report.notes.count == 1 && report.lost.isEmpty && report.mayLackChanges, "\(report)")
      #expect(report.notes.first?.hasPrefix("page \(page), a meta page, is damaged") == true)
      try new.open().expectWhole()
    }
    try folder.change { bytes in
      bytes = original
      for place in 0..<8_192 { bytes[place] = 0 }
    }
    let new = try StoreFolder()
    let report = try StoreFile.salvage(folder.store, to: new.store)
    #expect(report.notes.first == "both meta pages are damaged: everything was searched for page by page")
    let saved = try new.open().rows("Town")
    for (number, row) in rows {
      #expect(saved[number].map { zip($0, row).allSatisfy { $0.isIdentical(to: $1) } } == true, "object \(number)")
    }
  }

  /// One wrong bit in a number must not take the last commit away.
  @Test func theNumberInATreeCountsForMoreThanThatOfItsMetaPage() throws {
    let folder = try StoreFolder()
    let rows = try fill(folder)
    var original: [UInt8] = []
    try folder.change { original = $0 }
    func commit(_ page: Int) -> UInt64 {
      original[page * 4_096 + 144..<page * 4_096 + 152].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let newest = commit(0) > commit(1) ? 0 : 1
    let last = commit(newest)
    try #require(last > 2)
    for (page, number) in [(newest, last & 1 == 0 ? 2 : 1), (1 - newest, last + 7)] where number != commit(page) {
      try folder.change { bytes in
        bytes = original
        for byte in 0..<8 { bytes[page * 4_096 + 144 + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte)) }
      }
      #expect(throws: StoreError.self) { try folder.open(mode: .readOnly) }
      let (report, saved) = try salvage(folder, rows, "page \(page)")
      #expect(saved.count == rows.count && report.lost.isEmpty && !report.mayLackChanges)
      let says = "says commit \(number), and its tree is of commit \(commit(page))"
      #expect(report.notes == ["page \(page), a meta page, \(says)"])
    }
    // Nothing confirms the number of a tree that is damaged, and the other page does not fit it.
    let root = original[newest * 4_096 + 128..<newest * 4_096 + 136].reversed().reduce(0) { $0 << 8 | Int($1) }
    try folder.change { bytes in
      bytes = original
      bytes[newest * 4_096 + 144] += 8
      bytes[root * 4_096 + 10] ^= 0xFF
    }
    let new = try StoreFolder()
    let report = try StoreFile.salvage(folder.store, to: new.store)
    #expect(
      report.mayLackChanges && report.notes.first?.hasPrefix("the meta pages are 9 commits apart") == true, "\(report)")
    try new.open().expectWhole()
  }

  @Test func lostObjectsLeaveTheLinksThatLeadToThem() throws {
    let folder = try StoreFolder()
    let rows = try fill(folder)
    // The directory of a cluster.
    try folder.change { bytes in
      for start in stride(from: 0, to: bytes.count - 4_096, by: 8)
      where bytes[start..<start + 4].elementsEqual("OSCL".utf8) && bytes[start + 24] == 1 {
        bytes[start + 90] ^= 1
      }
    }
    let (report, saved) = try salvage(folder, rows)
    #expect(report.lost.contains { $0.objects == 256...511 && $0.property == nil && $0.pages != nil })
    #expect(report.lost.contains { $0.property == "near" && $0.reason.contains("could not be saved") })
    #expect(saved[600] != nil && saved[300] == nil)
    #expect(saved.count == rows.keys.filter { !(256...511).contains($0) }.count)
    #expect(report.entities.first?.saved == saved.count && report.entities.first?.counted == rows.count)
  }

  // MARK: What nothing leads to

  /// The pages that the newest meta page names: the roots of the tree of free pages and of the main tree.
  private static func roots(_ bytes: [UInt8]) -> (free: Int, main: Int) {
    func number(_ place: Int) -> Int { bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) } }
    let newest = number(144) > number(4_096 + 144) ? 0 : 4_096
    return (number(newest + 80), number(newest + 128))
  }

  /// Where the states of a cluster begin, the latest one last.
  private static func places(of cluster: Int, in bytes: [UInt8]) -> [Int] {
    func transaction(_ start: Int) -> UInt64 {
      bytes[start + 32..<start + 40].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    return stride(from: 0, to: bytes.count - 4_096, by: 8).filter { start in
      bytes[start..<start + 4].elementsEqual("OSCL".utf8) && Int(bytes[start + 24]) == cluster
    }.sorted { transaction($0) < transaction($1) }
  }

  @Test(arguments: [2, 5]) func clustersToWhichNothingLeadsAreNamed(cluster: Int) throws {
    let folder = try StoreFolder()
    let rows = try fill(folder)
    try folder.change { bytes in
      for start in Self.places(of: cluster, in: bytes) { bytes[start] ^= 0xFF }
      for place in 0..<4_096 { bytes[Self.roots(bytes).main * 4_096 + place] = 0 }
    }
    let (report, _) = try salvage(folder, rows)
    #expect(report.mayLackChanges && report.notes.contains { $0.contains("its last ones may be missing") })
    #expect(report.lost.contains { $0.property == nil && $0.objects.contains(UInt64(cluster) << 8 + 3) }, "\(report)")
  }

  @Test func aPageWithFormerContentIsNoticed() throws {
    let folder = try StoreFolder()
    _ = try fill(folder)
    var file: StoreFile? = try folder.open()
    try file?.write { session in
      let entity = try #require(session.schema.entity(named: "Town"))
      try session.update(ObjectNumber(600), of: entity, [(1, .double(1.5))])
    }
    file = nil
    try folder.change { bytes in
      let places = Self.places(of: 2, in: bytes).suffix(2)
      guard let former = places.first, let latest = places.last, former != latest else { return }
      let length = bytes[former + 40..<former + 44].reversed().reduce(0) { $0 << 8 | Int($1) }
      for place in 0..<length { bytes[latest + place] = bytes[former + place] }
    }
    let new = try StoreFolder()
    let report = try StoreFile.salvage(folder.store, to: new.store)
    #expect(report.mayLackChanges && report.notes.contains { $0.contains("a page has former content") }, "\(report)")
  }

  /// The tree of the objects is whole: what it does not lead to was deleted.
  @Test func whatWasDeletedStaysDeletedWithoutTheFreePages() throws {
    let folder = try StoreFolder()
    _ = try fill(folder)
    var file: StoreFile? = try folder.open()
    try file?.write { session in
      let entity = try #require(session.schema.entity(named: "Town"))
      for number in UInt64(512)..<768 { try session.delete(ObjectNumber(number), of: entity) }
    }
    let rows = try #require(try file?.rows("Town"))
    file = nil
    try folder.change { bytes in bytes[Self.roots(bytes).free * 4_096 + 10] ^= 0xFF }
    let (report, saved) = try salvage(folder, rows)
    #expect(saved.count == rows.count && report.lost.isEmpty, "\(report)")
  }

  @Test func whatIsNoStoreIsRefused() throws {
    let folder = try StoreFolder()
    let new = try StoreFolder()
    #expect(throws: StoreError.self) { try StoreFile.salvage(folder.store, to: new.store) }
    _ = try fill(folder, count: 300)
    _ = try new.open()
    #expect(throws: StoreError.self) { try StoreFile.salvage(folder.store, to: new.store) }
  }
}
