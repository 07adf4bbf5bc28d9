import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// Eight processes read while two write: every snapshot has the same sum. `LOAD_SECONDS` says for how long.
@Suite struct LoadTests {
  @Test func sumsAreConserved() throws {
    let seconds = ProcessInfo.processInfo.environment["LOAD_SECONDS"].flatMap(Int.init) ?? 10
    let seed = testSeed()
    let folder = try TemporaryFolder()
    let path = folder.path("accounts")
    let schema = try SchemaText.parse(
      "@Model struct Account { @Attribute(.unique) var number: Int; @Attribute(.indexed) var balance: Int }"
    )
    let store = try Store.openDynamic(path, mode: .create, schema: schema)
    try store.write { tx in
      let accounts = try tx.inserter(for: "Account")
      for number in 0..<1_000 { _ = try accounts.append([.int(Int64(number)), .int(1_000)]) }
    }
    func start(_ work: String, _ number: Int) throws -> EnduranceHelper {
      try EnduranceHelper([work, path, "\(seconds)", "\(seed &+ UInt64(number))"])
    }
    let writers = try (0..<2).map { try start("transfer", $0) }
    let readers = try (2..<10).map { try start("sum", $0) }
    var counts: [Int] = []
    for process in writers + readers {
      let outcome = process.end()
      #expect(outcome.status == 0, "\(outcome.output)")
      let count = Int(outcome.output) ?? 0
      #expect(count > 0, "\(outcome.output)")
      counts.append(count)
    }
    print("\(counts.prefix(2).reduce(0, +)) commits, \(counts.dropFirst(2).reduce(0, +)) snapshots in \(seconds) s")
    #expect(try store.objects("Account").sum(of: "balance") == .int(1_000_000))
    #expect(try store.check().problems == [])
    // No reader is left behind, and the file has not grown with the commits.
    let statistics = try store.statistics()
    #expect(statistics.readers == 0 && statistics.fileBytes < 20 << 20)
  }
}
