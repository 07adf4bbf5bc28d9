internal import Storage
internal import Synchronization

/// Counts the memory that one query holds, and ends it above a limit. Shared by the threads of the query.
///
/// Only what grows with the number of objects, rows, groups or links is counted, by its approximate size, and nothing is
/// subtracted: a query keeps nearly all of it until it ends.
package final class MemoryBudget: Sendable {
  private let limit: Int
  private let held = Atomic(0)

  /// A budget of so many bytes.
  package init(limit: Int) { self.limit = limit }

  /// Counts more memory.
  func hold(_ bytes: Int) throws(StoreError) {
    if held.add(bytes, ordering: .relaxed).newValue > limit {
      throw .limitExceeded(LimitExceeded(.memory, limit, of: "the query"))
    }
  }
}
