package import Values

/// The access path that a plan uses.
package enum AccessChoice: Hashable, Sendable {
  /// The cheapest by estimate.
  case cheapest
  /// A scan of all clusters, no index.
  case scanOnly
  /// The cheapest that uses only indexes with these names (`magnitude+time`); the scan if there is none.
  case forceIndex([String])
  /// The n-th of all candidates, counted from 0, for tests that compare them.
  case enumerated(Int)
}

/// How predicates on linked objects are evaluated.
package enum LinkAccess: Hashable, Sendable, CaseIterable {
  /// The cheaper of the others by estimate, which may change while the query runs.
  case cheapest
  /// Object by object.
  case rows
  /// A set at a time: the linked objects first, then the links to them.
  case sets
}

/// Options for planning and running a query.
package struct PlannerOptions: Sendable {
  /// The access path to use.
  package var access: AccessChoice
  /// How to evaluate predicates on linked objects.
  package var links: LinkAccess
  /// How to evaluate expressions.
  package var evaluation: ExpressionAccess
  /// Where scans read the clusters from.
  package var tables: TableAccess = .cheapest
  /// The objects to filter, in the given order and with repetitions; nil filters all objects of the entity. A sort or
  /// an aggregate uses each object once.
  package var given: [ObjectNumber]?
  /// Called at least every few thousand objects, elements or keys, while planning too. When it returns true, the query
  /// throws `QueryCancelled`; an error it throws ends the query too.
  package var isCancelled: (@Sendable () throws -> Bool)?
  /// The memory that the query may hold; nil for no limit.
  package var memory: MemoryBudget?
  /// The number of threads that a scan may use.
  package var threads: ScanThreads = .automatic
  /// The value of every `now()` of the query; nil uses the time of planning.
  package var now: Instant?
  /// Whether the plan lists the rejected candidates. Running a query does not need them.
  package var namesRejected = true
  /// Cached selectivities, and cached counts of index ranges.
  package var samples: SelectivityCache?
  /// Collects what the query asks of indexes.
  package var questions: IndexQuestions?
  /// The aggregates of a query that needs nothing else: then the plan may return only these.
  package var reduction: AggregateOnlyQuery?

  package init(
    access: AccessChoice = .cheapest, links: LinkAccess = .cheapest, evaluation: ExpressionAccess = .cheapest,
    isCancelled: (@Sendable () throws -> Bool)? = nil, now: Instant? = nil
  ) {
    self.access = access
    self.links = links
    self.evaluation = evaluation
    self.isCancelled = isCancelled
    self.now = now
  }
}
