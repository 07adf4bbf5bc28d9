internal import QueryEngine
internal import Storage
internal import Synchronization
internal import Values

/// The results of a query in one version of the store, cached until the query is read again after a commit.
///
/// Shared by copies of a `Results`. It holds no resources.
final class Evaluation: Sendable {
  private struct State {
    var query: CompiledQuery?
    var schema: StoredSchema?
    var version: Int?
    var ids: [ObjectNumber]?
    var count: Int?
  }

  private let state = Mutex(State())

  /// The query compiled for `schema`.
  func query(for schema: StoredSchema, _ compile: () throws -> CompiledQuery) throws -> CompiledQuery {
    if let known = state.withLock({ $0.schema === schema ? $0.query : nil }) { return known }
    let query = try compile()
    keep(query, for: schema)
    return query
  }

  /// The query and the schema it was compiled for last.
  var compiled: (query: CompiledQuery, schema: StoredSchema)? {
    state.withLock {
      guard let query = $0.query, let schema = $0.schema else { return nil }
      return (query, schema)
    }
  }

  /// Caches the query compiled for `schema`.
  func keep(_ query: CompiledQuery, for schema: StoredSchema) {
    state.withLock {
      $0.query = query
      $0.schema = schema
    }
  }

  /// Whether the objects of some version are cached.
  var hasIDs: Bool { state.withLock { $0.ids != nil } }

  /// The objects found in `version`, if cached.
  func ids(in version: Int) -> [ObjectNumber]? { state.withLock { $0.version == version ? $0.ids : nil } }

  /// The number of objects found in `version`, if cached.
  func count(in version: Int) -> Int? {
    state.withLock { $0.version == version ? $0.count ?? $0.ids?.count : nil }
  }

  /// Caches results of `version`.
  func keep(ids: [ObjectNumber]? = nil, count: Int? = nil, in version: Int) {
    state.withLock {
      if $0.version != version {
        $0.ids = nil
        $0.count = nil
      }
      $0.version = version
      if let ids { $0.ids = ids }
      if let count { $0.count = count }
    }
  }
}
