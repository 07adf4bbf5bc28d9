internal import QueryEngine
internal import Storage

/// What the values of a property are like in some objects.
public struct PropertySummary: Hashable, Sendable {
  /// A value with the number of objects that have it.
  public struct Frequent: Hashable, Sendable {
    /// The value.
    public var value: Value
    /// The number of objects.
    public var count: Int
  }

  /// The path of the property: its name, or that of a struct's property after a dot.
  public var path: String
  /// The column with the property's type.
  public var column: Column
  /// The number of objects.
  public var objects: Int
  /// The number of objects without a value.
  public var nils: Int
  /// The number of distinct values; nil for collections.
  public var distinct: Int?
  /// Whether `distinct` and the counts of `top` are estimates, because there are more than 100,000 distinct values.
  public var isEstimate: Bool
  /// The smallest value; `.null` without values, and for values without an order.
  public var least: Value
  /// The greatest value; `.null` without values, and for values without an order.
  public var greatest: Value
  /// The mean of numbers; `.null` for all others.
  public var mean: Value
  /// The most frequent values, the most frequent first; only those of more than one object. A link is the unique
  /// property of its target, or the target itself.
  public var top: [Frequent]
}

extension DynamicResults {
  /// What the values of each property are like, in the order of the entity's columns.
  ///
  /// ```swift
  /// for property in try store.objects("Quake").summaries() { print(property.path, property.nils, property.top) }
  /// ```
  ///
  /// The time is linear in the number of objects. The memory is bounded, whatever the number of objects and properties:
  /// with more than 100,000 distinct values of a property, their number is estimated (within about one per cent) and
  /// so are the counts of frequent ones.
  ///
  /// - Parameter top: How many of the most frequent values are listed.
  /// - Throws: `StoreError` when the store can't be read; `QueryCancelled` when the query was cancelled.
  public func summaries(top: Int = 3) throws -> [PropertySummary] {
    return try selection.read { snapshot, query in
      let entity = query.entity
      let columns = entity.columns.indices.filter { Self.isSummarised(entity.columns[$0].column) }
      var chosen: [UInt64: Mask]?
      var count = try snapshot.objectCount(entity)
      if !selection.isWhole {
        let ids = try selection.found(in: snapshot).ids
        count = ids.count
        chosen = ids.reduce(into: [:]) { masks, id in masks[id.cluster, default: .none][id.slot] = true }
      }
      let summaries = try ColumnSummary.of(columns, entity, chosen, top: Swift.max(0, top), in: snapshot) {
        if selection.cancellation?.isCancelled == true { throw QueryCancelled() }
      }
      var names = LinkNames(snapshot)
      return try zip(columns, summaries).map { place, summary in
        let stored = entity.columns[place]
        let isScalar = if case .scalar = stored.column.kind { true } else { false }
        func aggregate(_ function: AggregateFunction) throws -> Value {
          guard isScalar, function.takes(stored) else { return .null }
          return try selection.aggregate(function, of: stored.path)
        }
        return PropertySummary(
          path: stored.path, column: stored.column, objects: count, nils: summary.nils,
          distinct: summary.distinct.map { Swift.min($0.count, count - summary.nils) },
          isEstimate: summary.distinct?.isEstimate ?? false,
          least: try aggregate(.minimum), greatest: try aggregate(.maximum), mean: try aggregate(.average),
          top: try summary.top.map {
            PropertySummary.Frequent(value: try names.named(stored.column.linked($0.value)), count: $0.count)
          })
      }
    }
  }

  /// Whether a column is shown as a property; the leaves of a list's structs are parts of one.
  private static func isSummarised(_ column: Column) -> Bool {
    switch column.kind {
    case .scalar, .presence, .collection, .link, .links, .structs: true
    case .parts, .presences: false
    }
  }
}

extension AggregateFunction {
  /// Whether it takes the values of a column.
  fileprivate func takes(_ column: StoredColumn) -> Bool { type(of: ExpressionType(column)) != nil }
}
