/// Which access path a plan takes to its objects.
package enum AccessChoice: Hashable, Sendable {
  /// The one that should cost least.
  case cheapest
  /// Every cluster, no index.
  case scanOnly
  /// The cheapest that goes by indexes of these names (`magnitude+time`) only; the scan when none fits.
  case forceIndex([String])
  /// The n-th of all possible plans, counted from 0, for tests that compare them.
  case enumerated(Int)
}

/// What a caller may say about how a query is planned and run.
package struct PlannerOptions: Sendable {
  /// How objects are reached.
  package var access: AccessChoice
  /// Asked once a cluster; when it answers true the query ends with `QueryCancelled`.
  package var isCancelled: (@Sendable () -> Bool)?

  package init(access: AccessChoice = .cheapest, isCancelled: (@Sendable () -> Bool)? = nil) {
    self.access = access
    self.isCancelled = isCancelled
  }
}

/// Thrown by a query that was told to stop.
public struct QueryCancelled: Error, Hashable, Sendable {
  /// The error.
  public init() {}
}
