/// The number of threads that a scan may use.
package enum ScanThreads: Hashable, Sendable {
  /// One for each core if the scan is long enough, up to a maximum.
  case atMost(Int)
  /// Exactly this number, regardless of the length of the scan. With several threads the caller's thread also evaluates
  /// rows as helpers do. For tests.
  case always(Int)

  /// One for each core if the scan is long enough.
  package static let automatic = ScanThreads.atMost(.max)
  /// Only the caller's thread.
  package static let one = ScanThreads.atMost(1)

  /// The least number of clusters that are shared out, unless the number of threads is fixed.
  static let fewestClusters = 512

  /// Whether the caller's thread first evaluates rows as helpers do.
  var isCallerHelper: Bool { if case .always = self { true } else { false } }

  /// The number of threads for a scan of `clusters` clusters with an estimated cost in nanoseconds.
  func count(clusters: Int, cost: Double) -> Int {
    switch self {
    case .always(let count): max(1, count)
    case .atMost(let most):
      // Waking a thread takes some tens of microseconds, so each thread must have more work than that.
      clusters >= Self.fewestClusters && cost >= 100_000
        ? max(1, min(most, WorkerPool.coreCount, 1 + Int(min(1024, cost / 100_000)))) : 1
    }
  }
}
