package import Diagnostics
package import PredicateLanguage
package import Storage
package import Values

/// A predicate on the values of one object, which need not be in a store: it applies a query to a value in memory.
///
/// It is evaluated row by row, like a filter without a kernel.
package struct RecordPredicate: Sendable {
  private let predicate: BoundPredicate
  /// Whether it may read other objects than the one that it is evaluated for.
  package let goesThroughLinks: Bool

  /// Looks up the names of a predicate and checks its types.
  ///
  /// - Parameter source: The text that ranges refer to; empty for a tree made by code.
  /// - Throws: A `DiagnosticError` with all errors.
  package init(
    _ syntax: PredicateSyntax, source: String, of entity: StoredEntity, in schema: StoredSchema
  ) throws(DiagnosticError) {
    let description = QueryDescription(
      entity: entity.name, stages: [.filter(syntax, SourceContext(source: source))])
    let query = try CompiledQuery(description, schema: schema)
    let filters = query.stages.compactMap { if case .filter(let predicate) = $0 { predicate } else { nil } }
    let predicate = BoundPredicate.and(filters)
    self.predicate = predicate.prepared
    goesThroughLinks = predicate.goesThroughLinks
  }

  /// Whether the predicate holds for a row with one value for each column of the entity.
  ///
  /// - Parameters:
  ///   - own: The ID of the object; nil for one that is not in a store.
  ///   - snapshot: The snapshot to read linked objects from.
  /// - Throws: Errors of reading linked objects; `NoOtherObjects` if one is needed and `snapshot` is nil.
  package func holds(for row: [Value], own: ObjectNumber?, in snapshot: Snapshot?) throws -> Bool {
    let now = Value.date(.now)
    let predicate = predicate.readsMoment ? predicate.mapExpressions { $0.isNow ? .constant(now) : $0 } : predicate
    let context = ExecutionContext(snapshot, nil, CancellationCheck())
    context.linked?.mayDangle = true
    return try predicate.holds(
      for: Record(
        values: row, own: own.map { .int(Int64(bitPattern: $0.rawValue)) } ?? .null, linked: context.linked))
  }
}

extension BoundExpression {
  fileprivate var isNow: Bool { if case .now = self { true } else { false } }
}

/// The values of one object.
private struct Record: RowValues {
  let values: [Value]
  let own: Value
  let linked: LinkedObjects?

  func value(_ column: Int) -> Value { values.indices.contains(column) ? values[column] : .null }
}
