import Synchronization

/// The names of the databases of an environment in which damage was met, so that their users can do without them.
package final class DamagedDatabases: Sendable {
  private let names = Mutex<Set<String>>([])
  private let count = Atomic<Int>(0)

  /// Moves with every new name, and when databases have to be opened again. Reading it costs next to nothing.
  @inline(__always) package var generation: Int { count.load(ordering: .acquiring) }

  /// The names so far.
  package var all: Set<String> { names.withLock { $0 } }

  /// Notes that a database is damaged.
  package func note(_ name: String) {
    let isNew = names.withLock { $0.insert(name).inserted }
    if isNew { count.add(1, ordering: .releasing) }
  }

  /// Notes that the handles of all databases are void.
  func noteReopening() { count.add(1, ordering: .releasing) }

  /// Runs `body`, and notes the database if it meets damage.
  func noting<R>(_ name: String, _ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    do throws(LMDBError) { return try body() } catch {
      if error.isDamage { note(name) }
      throw error
    }
  }
}
