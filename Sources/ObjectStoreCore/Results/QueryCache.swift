internal import QueryEngine
internal import Storage
internal import Synchronization

/// Queries that were asked lately, compiled: asked again in the same words, nothing is parsed, looked up or checked
/// anew, and in the same version of the store nothing is planned anew either.
///
/// It forgets what was not asked for a while, and knows a query only for the schema it was compiled for. Any thread may
/// use it.
final class QueryCache: Sendable {
  /// A query as said and as compiled.
  struct Known: Sendable {
    let description: QueryDescription
    let query: CompiledQuery
    let schema: StoredSchema
  }

  /// How many are kept of each age.
  static let capacity = 256

  private struct State {
    /// Those asked since the last time that there were too many of them.
    var young: [QueryKey: Known] = [:]
    /// Those asked in the time before that.
    var old: [QueryKey: Known] = [:]

    mutating func keep(_ known: Known, _ key: QueryKey) {
      if young.count >= QueryCache.capacity {
        old = young
        young = [:]
      }
      young[key] = known
    }
  }

  private let state = Mutex(State())

  /// The query of that key, where it was compiled for `schema`.
  func query(_ key: QueryKey, for schema: StoredSchema) -> Known? {
    state.withLock { state in
      if let known = state.young[key] { return known.schema === schema ? known : nil }
      guard let known = state.old[key], known.schema === schema else { return nil }
      state.keep(known, key)
      return known
    }
  }

  /// Keeps a query.
  func keep(_ known: Known, as key: QueryKey) {
    state.withLock { $0.keep(known, key) }
  }

  /// How many are kept.
  var count: Int { state.withLock { state in state.young.count + state.old.keys.count { state.young[$0] == nil } } }
}
