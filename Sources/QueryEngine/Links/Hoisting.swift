internal import PredicateLanguage
internal import Storage
internal import Values

/// The objects that pass the uncorrelated part of a SUBQUERY's predicate. They are found once; the rest of the
/// predicate is evaluated only for these elements.
package final class ElementSet: Hashable, Sendable {
  let targets: SemijoinSet
  /// Whether the uncorrelated part holds for an element that is nil.
  let holdsForNil: Bool

  init(_ targets: SemijoinSet, holdsForNil: Bool) {
    self.targets = targets
    self.holdsForNil = holdsForNil
  }

  package static func == (left: ElementSet, right: ElementSet) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A predicate evaluated row by row, with some parts replaced by precomputed sets.
final class HoistedFilter: Filter {
  let rows: RowFilter
  private let sets: [ElementSet]
  /// A cheaper condition that an object must pass before the predicate is evaluated.
  let before: (any Filter)?

  init(_ rows: RowFilter, _ sets: [ElementSet], before: (any Filter)?) {
    self.rows = rows
    self.sets = sets
    self.before = before
  }

  var usesRows: Bool { true }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    sets.map {
      LinkStep(
        role: .elements, detail: "of \($0.targets.plan.entity.name), asked for the rest one by one", targets: $0.targets
      )
    }
  }

  var estimate: Double? { (before?.estimate ?? 1) * 0.3 }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    guard let before else { return try rows.mask(cluster, candidates, context) }
    let left = try before.mask(cluster, candidates, context)
    return left.isEmpty ? left : try rows.mask(cluster, left, context)
  }
}

extension LinkPlanner {
  /// A filter in which the uncorrelated part of every SUBQUERY is replaced by a set; nil without such a part.
  func hoisted(_ predicate: BoundPredicate, of entity: StoredEntity) throws -> LinkedFilter? {
    var sets: [ElementSet] = []
    let hoisted = try predicate.mapCollections { collection in
      guard case .chosen(let base, let level, let condition) = collection,
        let linked = try linkedEntity(base.elementType?.objectEntity)
      else { return collection }
      var alone: [BoundPredicate] = []
      var own: [BoundPredicate] = []
      var rest: [BoundPredicate] = []
      for part in condition.conjuncts {
        if let inner = RebaseToTarget.predicate(part, .element(level)) {
          alone.append(part)
          own.append(inner)
        } else {
          rest.append(part)
        }
      }
      guard !own.isEmpty, let holdsForNil = try? BoundPredicate.all(alone).holds(for: NoRow()) else {
        return collection
      }
      let set = ElementSet(try targets(.all(own), of: linked), holdsForNil: holdsForNil)
      sets.append(set)
      let among = BoundCollection.among(base, set)
      return rest.isEmpty ? among : .chosen(among, level: level, .all(rest))
    }
    if sets.isEmpty { return nil }
    return LinkedFilter(
      filter: HoistedFilter(RowFilter(hoisted), sets, before: try before(hoisted, of: entity)),
      setup: sets.reduce(0) { $0 + $1.targets.plan.cost })
  }

  /// A filter for objects with some element in the set, if the predicate is false without such elements.
  private func before(_ hoisted: BoundPredicate, of entity: StoredEntity) throws -> (any Filter)? {
    var chosen: (column: Int, set: ElementSet)?
    let emptied = hoisted.mapCollections { collection in
      guard case (.column(let column, _), let set)? = collection.narrowed, chosen == nil else { return collection }
      chosen = (column, set)
      return .list([])
    }
    guard let chosen, emptied.isConstant, try !emptied.holds(for: NoRow()) else { return nil }
    return AnyTargetFilter(
      column: chosen.column, chosen.set.targets, fanOut: try fanOut(chosen.column, of: entity))
  }
}

extension BoundCollection {
  /// The collection and the set that its elements must be in; nil if it has no such set.
  fileprivate var narrowed: (base: BoundCollection, set: ElementSet)? {
    switch self {
    case .among(let base, let set): (base, set)
    case .chosen(let base, _, _), .distinct(let base), .each(let base, _, _), .flattened(let base, _, _): base.narrowed
    case .column, .keys, .list, .property, .propertyKeys, .sources, .positions, .computed, .joined: nil
    }
  }
}

extension BoundPredicate {
  /// The conjunction of some predicates.
  static func all(_ parts: [BoundPredicate]) -> BoundPredicate { parts.count == 1 ? parts[0] : .and(parts) }
}
