import Glibc
import ObjectStoreCore
import TestSeeds

/// Accounts between which several processes move amounts, while others add them up: the sum never changes.
struct Accounts {
  private let path: String
  private var random: SeededNumbers

  init(_ path: String, seed: Int) {
    self.path = path
    random = SeededNumbers(UInt64(truncatingIfNeeded: seed))
  }

  mutating func transfer(for duration: Duration) throws {
    let store = try Store.openDynamic(path, mode: .readWrite)
    store.busyTimeout = .seconds(60)
    let accounts = Int64(try store.objects("Account").count)
    let end = ContinuousClock.now + duration
    var commits = 0
    while ContinuousClock.now < end {
      try store.write { tx in
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          let amount = Int64.random(in: 1...100, using: &random)
          for change in [-amount, amount] {
            // The same one twice is fine too.
            let number = Int64.random(in: 0..<accounts, using: &random)
            let account = try tx.objects("Account").filter("number == %@", number)
            guard let id = try account.ids.first, case .int(let balance)? = try account.rows(["balance"]).first?.first
            else { exit(1) }
            try tx.update(id, of: "Account", ["balance": .int(balance + change)])
          }
        }
      }
      commits += 1
    }
    print(commits)
  }

  /// Adds up in three ways what must be the same: each reads the same snapshot through other parts of the store.
  mutating func sum(for duration: Duration) throws {
    var store = try Store.openDynamic(path, mode: .readOnly)
    let end = ContinuousClock.now + duration
    var snapshots = 0
    var expected: Value?
    while ContinuousClock.now < end {
      if snapshots % 100 == 99 { store = try Store.openDynamic(path, mode: .readOnly) }
      try store.snapshot { snapshot in
        let all = try snapshot.objects("Account")
        let sum = try all.sum(of: "balance")
        if expected == nil { expected = sum }
        var rows: Int64 = 0
        try all.forEachRow(["balance"]) { if case .int(let balance) = $0[0] { rows += balance } }
        // By the index, in two halves that meet somewhere.
        let bound = Int64.random(in: 0..<2_000, using: &random)
        let halves = try ["<", ">="].map { try all.filter("balance \($0) %@", bound).sum(of: "balance") }
        var indexed: Int64 = 0
        for case .int(let half) in halves { indexed += half }
        guard sum == expected, sum == .int(rows), sum == .int(indexed) else {
          print("\(sum), \(rows) by rows and \(indexed) by the index instead of \(String(describing: expected))")
          exit(1)
        }
      }
      snapshots += 1
    }
    print(snapshots)
  }
}
