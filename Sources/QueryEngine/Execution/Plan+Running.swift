package import Storage
package import Values

extension Plan {
  /// The number of objects that the query finds.
  package func count(in snapshot: Snapshot) throws -> Int {
    let executor = Executor(self, snapshot)
    return try executor.cancellation.during { try executor.count(root) }
  }

  /// The objects in the query's order; without a sort, in insertion order.
  package func objects(in snapshot: Snapshot) throws -> [ObjectNumber] {
    let executor = Executor(self, snapshot)
    return try executor.cancellation.during { try executor.objects(root).map(ObjectNumber.init) }
  }

  /// Calls `body` with each object in order until it returns false. Without a sort, clusters are read only when they
  /// are reached.
  package func forEach(in snapshot: Snapshot, _ body: (ObjectNumber) throws -> Bool) throws {
    let executor = Executor(self, snapshot)
    try executor.cancellation.during { try executor.forEach(root) { try body(ObjectNumber($0)) } }
  }

  /// Aggregates a column of the objects.
  package func aggregate(_ aggregate: AggregateFunction, column: Int, in snapshot: Snapshot) throws -> Value {
    let executor = Executor(self, snapshot)
    return try executor.cancellation.during { try executor.aggregate(aggregate, column: column, root) }
  }
}
