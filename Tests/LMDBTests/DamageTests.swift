import Glibc
import LMDB
import TestSeeds
import Testing

/// No damaged file may end the process.
@Suite struct DamageTests {
  /// So many files; `DAMAGE_FILES` in the environment damages more.
  private static let count = getenv("DAMAGE_FILES").flatMap { Int(String(cString: $0)) } ?? 500

  @Test func damagedFilesGiveErrorsAndNoSignals() throws {
    let count = Self.count
    let scratch = try Scratch()
    #expect(try Helper.result(["prepare", scratch.path]).hasPrefix("prepared"))
    let seed = testSeed()
    let helper = try Helper("damage", scratch.path, "\(seed)", "\(count)", "checked", "0")
    let lines = helper.lines()
    #expect(helper.wait() == .exit(0), "seed \(seed), \(lines.last ?? "")")
    let last = try #require(lines.last)
    #expect(last.hasPrefix("done \(count)"), "seed \(seed)")
    // Most of the damage is noticed: what is not lies in values and in free pages.
    let errors = last.split(separator: " ").last.flatMap { Int($0) } ?? 0
    #expect(errors > count * 3 / 10, "seed \(seed), \(last)")
  }

  /// The control: without the checks the same damage ends the process.
  @Test func withoutChecksTheSameDamageIsFatal() throws {
    let scratch = try Scratch()
    #expect(try Helper.result(["prepare", scratch.path]).hasPrefix("prepared"))
    var fatal = 0
    for first in 0..<5 {
      let helper = try Helper("damage", scratch.path, "7", "9", "unchecked", "\(first * 9)")
      _ = helper.lines()
      if case .signal = helper.wait() { fatal += 1 }
    }
    #expect(fatal > 0)
  }

  /// Whole and changing stores pass all checks.
  @Test func soundFilesAreNeverCalledDamaged() throws {
    let seed = testSeed()
    var random = SplitMix(seed)
    let scratch = try Scratch()
    let path = scratch("store")
    try Environment.create(path) { _ in }
    var options = Environment.Options()
    options.verification = .atOpen
    options.noSync = true
    for _ in 0..<40 {
      let environment = try Environment.open(path, options: options)
      for _ in 0..<Int.random(in: 1..<4, using: &random) {
        try environment.write { transaction in
          let log = try transaction.createDatabase("log", .integerKey)
          let sets = try transaction.createDatabase("sets", .integerSet)
          let words = try transaction.createDatabase("words")
          let small = try transaction.createDatabase("small", .dupSort)
          for _ in 0..<Int.random(in: 1..<400, using: &random) {
            let number = UInt64.random(in: 0..<2_000, using: &random)
            let size = Int.random(in: 0..<(number % 9 == 0 ? 30_000 : 900), using: &random)
            let value = String(repeating: "v", count: size)
            let duplicate = "value \(number)"
            let key = "k\(number % 7)"
            switch Int.random(in: 0..<9, using: &random) {
            case 0: try withBytes(value) { try transaction.put(number, $0, log) }
            case 1: try transaction.delete(number, log)
            case 2: try transaction.put("key\(number)", value, words)
            case 3: try withBytes("key\(number)") { _ = try transaction.delete($0, words) }
            case 4: try transaction.add(key, number, sets)
            case 5: try withBytes(key) { _ = try transaction.delete($0, number, sets) }
            case 6:
              try withBytes(key) { key in
                try withBytes(duplicate) { _ = try transaction.putDuplicate(key, $0, small) }
              }
            case 7:
              try withBytes(key) { key in try withBytes(duplicate) { _ = try transaction.delete(key, $0, small) } }
            default:
              if number < 3 { try withBytes("k\(number)") { _ = try transaction.delete($0, sets) } }
              if number == 5 { try transaction.empty(words) }
            }
          }
          if Int.random(in: 0..<12, using: &random) == 0 { try transaction.drop(small) }
        }
      }
      let report = try environment.checkPages()
      #expect(report.data == [] && report.room == [], "seed \(seed)")
      let reader = try environment.beginRead()
      for name in ["log", "sets", "words", "small"] {
        #expect(throws: Never.self, "seed \(seed)") { _ = try reader.database(name) }
      }
    }
  }

  /// A copy checks every page first, and can be given up meanwhile.
  @Test func checkingBeforeACopyIsGivenUp() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try Environment.create(path) { transaction in
      let database = try transaction.createDatabase("log", .integerKey)
      let value = [UInt8](repeating: 7, count: 1_500)
      for number in 0..<8_000 {
        try value.withUnsafeBytes { try transaction.put(UInt64(number), $0, database, append: true) }
      }
    }
    var status = stat()
    #expect(stat(path + "/data.mdb", &status) == 0)
    let file = open(path + "/data.mdb", O_WRONLY)
    let zeros = [UInt8](repeating: 0, count: 4_096)
    #expect(pwrite(file, zeros, zeros.count, status.st_size / 4_096 * 9 / 10 * 4_096) == zeros.count)
    close(file)
    let environment = try Environment.open(path)
    var looks = 0
    let flaw = failure {
      try environment.copy(to: scratch("copy")) {
        looks += 1
        return false
      }
    }
    guard case .damaged = flaw else { throw flaw ?? .cancelled }
    #expect(looks > 5, "it is hardly ever looked whether somebody waits")
    for look in [1, 2, looks] {
      var left = look
      let flaw = failure {
        try environment.copy(to: scratch("copy")) {
          left -= 1
          return left == 0
        }
      }
      #expect(flaw == .cancelled, "at look \(look)")
    }
    #expect(names(in: scratch.path) == ["store"])
  }

  @Test func otherThingsAreNotTakenForStores() throws {
    let scratch = try Scratch()
    #expect(failure { _ = try Environment.open(scratch("none")) } == .notFound(path: scratch("none")))

    func store(_ name: String, _ bytes: [UInt8]) -> String {
      mkdir(scratch(name), 0o700)
      let file = open(scratch(name) + "/data.mdb", O_WRONLY | O_CREAT, 0o600)
      _ = write(file, bytes, bytes.count)
      close(file)
      return scratch(name)
    }
    func isRefused(_ path: String) -> Bool {
      if case .notAStore = failure({ _ = try Environment.open(path) }) { return true }
      return false
    }
    #expect(isRefused(store("empty", [])))
    #expect(isRefused(store("short", [1, 2, 3])))
    #expect(isRefused(store("text", Array(repeating: UInt8(ascii: "x"), count: 20_000))))
    #expect(isRefused(scratch("text") + "/data.mdb"))
    mkdir(scratch("folder"), 0o700)
    #expect(isRefused(scratch("folder")))
    mkdir(scratch("folder") + "/data.mdb", 0o700)
    #expect(isRefused(scratch("folder")))
    // Nothing was made in looking.
    #expect(access(scratch("empty") + "/lock.mdb", F_OK) != 0)
  }

  @Test func everyCutIsNoticed() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try Environment.create(path) { transaction in
      let database = try transaction.createDatabase("log", .integerKey)
      let value = [UInt8](repeating: 1, count: 700)
      for number in UInt64(0)..<100 { try value.withUnsafeBytes { try transaction.put(number, $0, database) } }
    }
    var status = stat()
    #expect(stat(path + "/data.mdb", &status) == 0)
    let size = Int(status.st_size)
    for length in stride(from: size - 1, through: 0, by: -511) {
      #expect(truncate(path + "/data.mdb", off_t(length)) == 0)
      let error = failure { _ = try Environment.open(path) }
      switch error {
      case .truncated, .notAStore: break
      default: Issue.record("\(length) bytes of \(size): \(String(describing: error))")
      }
    }
  }
}
