/// How many threads a scan may use.
package enum ScanThreads: Hashable, Sendable {
  /// One for each core, where the scan is long enough to be worth it, but so many at most.
  case atMost(Int)
  /// Exactly so many, however short the scan is, and with several each row is first asked as a helper would: for tests.
  case always(Int)

  /// One for each core where it pays.
  package static let automatic = ScanThreads.atMost(.max)
  /// The caller's own.
  package static let one = ScanThreads.atMost(1)

  /// Whether the caller's thread first answers as helpers do.
  var isCallerHelper: Bool { if case .always = self { true } else { false } }

  /// The number for a scan of so many clusters that should cost so many nanoseconds.
  func count(clusters: Int, cost: Double) -> Int {
    switch self {
    case .always(let count): max(1, count)
    case .atMost(let most):
      // To wake a thread takes some tens of microseconds, so each is to have more than that to do.
      clusters >= 512 && cost >= 100_000
        ? max(1, min(most, WorkerPool.coreCount, 1 + Int(min(1024, cost / 100_000)))) : 1
    }
  }
}
