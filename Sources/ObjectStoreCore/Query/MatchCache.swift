internal import QueryEngine
internal import Storage
internal import Synchronization

/// A query compiled for the schema that `matches` used last. Copies of a query share it.
final class MatchCache: Sendable {
  private let latest = Mutex<(schema: StoredSchema, predicate: RecordPredicate)?>(nil)

  /// The predicate compiled for a schema.
  func predicate(for schema: StoredSchema, _ compile: () throws -> RecordPredicate) rethrows -> RecordPredicate {
    if let known = latest.withLock({ $0 }), known.schema === schema { return known.predicate }
    let compiled = try compile()
    latest.withLock { $0 = (schema, compiled) }
    return compiled
  }
}
