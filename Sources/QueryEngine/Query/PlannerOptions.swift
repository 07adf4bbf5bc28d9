package import Values

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

/// How conditions over linked objects are asked.
package enum LinkAccess: Hashable, Sendable, CaseIterable {
  /// In the way that should cost least, which may change on the way.
  case cheapest
  /// Object by object.
  case rows
  /// A set at a time: the linked objects first, then the links to them.
  case sets
}

/// What a caller may say about how a query is planned and run.
package struct PlannerOptions: Sendable {
  /// How objects are reached.
  package var access: AccessChoice
  /// How conditions over linked objects are asked.
  package var links: LinkAccess
  /// The objects to ask, in the order and as often as they are given; nil asks all of the entity. Sorted and reduced,
  /// each counts once.
  package var given: [ObjectNumber]?
  /// Asked for every few thousand objects, elements or keys at least, while planning too; when it answers true the query
  /// ends with `QueryCancelled`.
  package var isCancelled: (@Sendable () -> Bool)?
  /// How many threads a scan may use.
  package var threads: ScanThreads = .automatic
  /// What every `now()` of the query is; where nil, the moment at which it is planned.
  package var now: Instant?
  /// Whether the plan tells which other ways there are. To run a query that need not be found out.
  package var namesRejected = true
  /// What conditions held for when they were asked before, and how many objects ranges had.
  package var samples: SelectivityCache?
  /// Columns by which the objects are grouped, where the groups are only counted: then the plan may find groups.
  var groupColumns: [Int]?
  /// What the objects are reduced to, where nothing else is asked of them: then the plan may find only that.
  package var reduction: AggregateOnlyQuery?

  package init(
    access: AccessChoice = .cheapest, links: LinkAccess = .cheapest, isCancelled: (@Sendable () -> Bool)? = nil,
    now: Instant? = nil
  ) {
    self.access = access
    self.links = links
    self.isCancelled = isCancelled
    self.now = now
  }
}

/// Thrown by a query that was told to stop.
public struct QueryCancelled: Error, Hashable, Sendable {
  /// The error.
  public init() {}
}
