import Schema
import Storage
import Synchronization
import Testing
import Values

@testable import QueryEngine

/// Scans on several threads: the same objects in the same order, whatever is asked.
@Suite struct FilterScanTests {
  static let store: Result<TestStore, any Error> = Result {
    let properties = [
      Property(name: "n", type: .scalar(.int)), Property(name: "x", type: .scalar(.double), isOptional: true),
      Property(name: "word", type: .scalar(.string)), Property(name: "text", type: .scalar(.string), isOptional: true),
    ]
    let words = ["earthquake", "quarry blast", "explosion"]
    return try TestStore(
      Schema(entities: [Entity(name: "Thing", properties: properties)]),
      rows: (0..<9000).map { n -> [Value] in
        // Now and then a text that is kept out of line, which only the caller's thread can read.
        let long = String(repeating: "long ", count: 900) + "Alaska"
        let text = n % 900 == 7 ? long : "\(n) km of Alask" + (n % 3 == 0 ? "a" : "o")
        let decimal: Value = n % 50 == 0 ? .null : .double(Double(n * 7919 % 1000) / 100)
        return [.int(Int64(n)), decimal, .string(words[n % 17 % 3]), n % 31 == 0 ? .null : .string(text)]
      })
  }

  private func options(_ threads: ScanThreads) -> PlannerOptions {
    var options = PlannerOptions()
    options.threads = threads
    return options
  }

  @Test(arguments: [
    "x > 9", "word == 'quarry blast'", "word IN {'explosion', 'quarry blast'}", "text ENDSWITH 'Alaska'",
    "text CONTAINS[c] 'ALASKA'", "NOT text LIKE '*o'", "x > 5 AND (word == 'explosion' OR text BEGINSWITH '8')",
    "x * 2 + 1 > 11", "x == nil", "modulus:by:(n, 7) == 3", "text MATCHES '.*[0-9]5 km.*'",
    "uppercase:(word) == 'EXPLOSION'", "lowercase(text) ENDSWITH 'alaska'",
  ])
  func findTheSame(_ text: String) throws {
    let store = try Self.store.get()
    // One snapshot is not shared: the first scan of a version goes without a table.
    for _ in 0..<3 {
      let alone = try store.rows(text, options: options(.one))
      for threads in [2, 3, 8] {
        #expect(try store.rows(text, options: options(.always(threads))) == alone, "\(threads)")
      }
    }
  }

  /// Holds for every object but those of clusters that it cannot read.
  private final class DamagedRows: ColumnFilter {
    struct Damage: Error {}
    let damaged: Set<UInt64>

    init(_ damaged: Set<UInt64>) { self.damaged = damaged }

    func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
      if damaged.contains(cluster.number) { throw Damage() }
      return candidates
    }
  }

  /// What cannot be read is met in its turn: who needs only what is before it gets that.
  @Test(arguments: [1, 2, 5]) func damageIsMetInItsTurn(_ threads: Int) throws {
    let store = try Self.store.get()
    _ = try store.rows("x > 9")
    let snapshot = try store.file.beginSnapshot()
    guard let entity = snapshot.schema.entity(named: "Thing"), let table = try snapshot.tableScan(entity, for: .scan)
    else {
      Issue.record("no table")
      return
    }
    for first in [0, 1, 9, 30] {
      let condition = DamagedRows([UInt64(first), UInt64(first + 2)])
      let both = NotFilter(AnyFilter([NotFilter(condition), ConstantFilter(false)]))
      let scan = try FilterScan(
        both, table, ExecutionContext(snapshot, nil, CancellationCheck()), threads: threads, isCancelled: nil)
      var met: [Int] = []
      #expect(throws: DamagedRows.Damage.self) {
        try scan.forEach(wantsAll: threads == 5) { row, mask in
          #expect(mask == table.present(row))
          met.append(row)
          return true
        }
      }
      #expect(met == Array(0..<first), "\(threads)")
    }
  }

  @Test func explainCountsTheSame() throws {
    let store = try Self.store.get()
    func counters(_ threads: ScanThreads) throws -> [String] {
      let snapshot = try store.file.beginSnapshot()
      let plan = try store.compile("x > 9 AND text CONTAINS 'Alaska'").plan(in: snapshot, options: options(threads))
      return try plan.analyze(in: snapshot).text.split(separator: "\n").filter {
        !$0.contains(" ms") && !$0.contains("µs")
      }
      .map(String.init)
    }
    _ = try counters(.one)
    #expect(try counters(.one) == counters(.always(4)))
  }

  @Test func aScanThatIsToldToStopStops() throws {
    let store = try Self.store.get()
    let asked = Counter()
    var options = options(.always(4))
    options.isCancelled = { asked.next() > 1 }
    for _ in 0..<2 {
      let snapshot = try store.file.beginSnapshot()
      let query = try store.compile("x > 9")
      #expect(throws: QueryCancelled.self) { try query.plan(in: snapshot, options: options).count(in: snapshot) }
    }
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
  }

  /// Several callers share the pool's threads.
  @Test func manyAtOnce() async throws {
    let store = try Self.store.get()
    let expected = try store.rows("x > 9", options: options(.one))
    try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 {
        group.addTask { try store.rows("x > 9", options: options(.always(4))) }
      }
      for try await found in group { #expect(found == expected) }
    }
  }

  @Test func sharesOfWorkAreDoneOnceEach() {
    for helpers in [0, 1, 3, 20] {
      let calls = (0...max(1, helpers)).map { _ in Counter() }
      WorkerPool.shared.share(helpers: helpers) { number in _ = calls[number].next() }
      #expect(calls[0].next() == 2)
      for call in calls.dropFirst() { #expect(call.next() <= 2) }
    }
  }

  /// A share of work that is over holds nothing of it any more, however short it was: the closure is not the pool's.
  @Test func workThatIsDoneIsLetGo() {
    let calls = Counter()
    for _ in 0..<20_000 { WorkerPool.shared.share(helpers: 2) { _ in _ = calls.next() } }
    #expect(calls.next() > 20_000)
  }

  /// How many threads there may be is the caller's to say each time, whatever plan is remembered.
  @Test func rememberedPlansTakeTheThreadsTheyAreGiven() throws {
    let store = try Self.store.get()
    let snapshot = try store.file.beginSnapshot()
    let query = try store.compile("x > 9")
    for threads in [ScanThreads.one, .always(3), .automatic, .one] {
      var options = options(threads)
      options.namesRejected = false
      #expect(try query.plan(in: snapshot, options: options).threads == threads)
    }
  }

  @Test func threadsAreAskedForWhereTheyPay() {
    #expect(ScanThreads.automatic.count(clusters: 100, cost: 1e9) == 1)
    #expect(ScanThreads.automatic.count(clusters: 4000, cost: 9e4) == 1)
    #expect(ScanThreads.automatic.count(clusters: 4000, cost: 1.2e5) == min(2, WorkerPool.coreCount))
    #expect(ScanThreads.automatic.count(clusters: 4000, cost: 1e9) == WorkerPool.coreCount)
    #expect(ScanThreads.one.count(clusters: 4000, cost: 1e9) == 1)
    #expect(ScanThreads.always(5).count(clusters: 1, cost: 0) == 5)
  }
}
