internal import Storage
internal import Synchronization

/// Caches the last plan of a query for further runs in the same version of the store. Copies of the query share it.
///
/// A plan of another version is not used again: what it says of indexes may have become wrong.
final class PlanCache: Sendable {
  private struct Known {
    let version: Int
    let schema: StoredSchema
    let plan: Plan
  }

  private let known = Mutex<Known?>(nil)

  /// The plan made for the version that `snapshot` shows.
  func plan(in snapshot: Snapshot) -> Plan? {
    let version = snapshot.version
    let schema = snapshot.schema
    return known.withLock { known in
      guard let known, known.version == version, known.schema === schema else { return nil }
      return known.plan
    }
  }

  /// Keeps a plan for the version that `snapshot` shows.
  func keep(_ plan: Plan, in snapshot: Snapshot) {
    let made = Known(version: snapshot.version, schema: snapshot.schema, plan: plan)
    known.withLock { $0 = made }
  }
}
