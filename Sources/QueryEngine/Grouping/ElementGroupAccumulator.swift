internal import Storage
internal import Values

/// Aggregates of collections, such as `@avg.tasks.priority`: one result over the elements of all objects.
final class ElementGroupAccumulator: GroupAccumulator {
  private struct Total {
    var elements: ValueAccumulator
    var seen: Set<Value> = []
    var distinct: [Value] = []
  }

  private let collection: BoundCollection
  private let kind: GroupAggregate.Kind
  private let aggregate: Aggregate?
  private var totals: [Total] = []
  private let none: Total

  init(_ collection: BoundCollection, _ kind: GroupAggregate.Kind) {
    // The collection is prepared as part of the expression that it belongs to.
    if case .reduced(_, let prepared) = BoundExpression.reduced(.list, collection).prepared {
      self.collection = prepared
    } else {
      self.collection = collection
    }
    self.kind = kind
    none = Total(elements: ValueAccumulator(collection.elementType ?? .null))
    aggregate = GroupAggregate(kind: kind, argument: nil).aggregate
  }

  func grow(to count: Int) {
    if totals.count < count { totals.append(contentsOf: repeatElement(none, count: count - totals.count)) }
  }

  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) throws {
    groups.useSlots()
    let row = ClusterRow(try place.view(), context)
    try mask.forEach { slot in
      row.slot = slot
      let group = Int(groups.slots[slot])
      for element in try collection.elements(in: row) ?? [] {
        try row.step()
        if let aggregate {
          if ValueOrder.isComparable(element) { totals[group].elements.take(element, aggregate) }
        } else if !element.isNull, totals[group].seen.insert(DistinctKey.of(element)).inserted {
          totals[group].distinct.append(element)
        }
      }
    }
  }

  func value(_ group: Int) -> Value {
    if let aggregate { return totals[group].elements.value(aggregate) }
    let distinct = totals[group].distinct
    return kind == .distinctCount ? .int(Int64(distinct.count)) : .list(distinct)
  }
}
