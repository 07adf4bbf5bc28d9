internal import QueryEngine
internal import Storage
internal import Synchronization
internal import Values

/// What a query found in one version of the store: kept until somebody asks again after a commit.
///
/// Shared by the copies of a `Results`. It holds nothing open.
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

  /// Keeps the query compiled for `schema`.
  func keep(_ query: CompiledQuery, for schema: StoredSchema) {
    state.withLock {
      $0.query = query
      $0.schema = schema
    }
  }

  /// Whether the objects of some version are known.
  var hasIDs: Bool { state.withLock { $0.ids != nil } }

  /// The objects found in `version`, if they are known.
  func ids(in version: Int) -> [ObjectNumber]? { state.withLock { $0.version == version ? $0.ids : nil } }

  /// How many objects were found in `version`, if that is known.
  func count(in version: Int) -> Int? {
    state.withLock { $0.version == version ? $0.count ?? $0.ids?.count : nil }
  }

  /// Keeps what was found in `version`.
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
