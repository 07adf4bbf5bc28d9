internal import Storage
internal import Synchronization

/// The last plan of a query, for repeated execution in the same version of the store. Copies of the query share it.
///
/// A plan of another version is not reused, since its indexes may have changed.
final class PlanCache: Sendable {
  private struct Known {
    let version: Int
    let schema: StoredSchema
    let plan: Plan
  }

  private let known = Mutex<Known?>(nil)

  /// The plan for the version of `snapshot`, if cached.
  func plan(in snapshot: Snapshot) -> Plan? {
    let version = snapshot.version
    let schema = snapshot.schema
    return known.withLock { known in
      guard let known, known.version == version, known.schema === schema else { return nil }
      return known.plan
    }
  }

  /// Caches a plan for the version of `snapshot`.
  func keep(_ plan: Plan, in snapshot: Snapshot) {
    let made = Known(version: snapshot.version, schema: snapshot.schema, plan: plan)
    known.withLock { $0 = made }
  }
}
