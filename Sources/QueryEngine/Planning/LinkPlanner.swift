internal import PredicateLanguage
internal import Storage
internal import Values

/// Plans predicates on linked objects as semijoins: plans the inner predicate over the linked entity, with its indexes,
/// then finds the objects that link to the result through the link column.
///
/// A class, shared by everything that compiles filters; it only adds planned sets.
final class LinkPlanner {
  let snapshot: Snapshot
  let options: PlannerOptions
  /// The number of links from the query's entity to the one planned here.
  let depth: Int
  /// The sets that are already planned.
  let sets: PlannedSets

  init(snapshot: Snapshot, options: PlannerOptions, depth: Int, sets: PlannedSets = PlannedSets()) {
    self.snapshot = snapshot
    self.options = options
    self.depth = depth
    self.sets = sets
  }

  /// Beyond this many links, predicates are evaluated object by object.
  private static let deepest = 8

  /// Whether the linked objects may be found first.
  var isAllowed: Bool { options.links != .rows && depth < Self.deepest }

  /// The planner for entities one link further.
  var deeper: LinkPlanner { LinkPlanner(snapshot: snapshot, options: options, depth: depth + 1, sets: sets) }

  /// The compiler of filters over an entity's objects.
  func compiler(of entity: StoredEntity) -> FilterCompiler {
    FilterCompiler(entity: entity, evaluation: options.evaluation, links: self)
  }

  /// A semijoin filter; nil for a predicate that follows no links, or cannot be evaluated as a semijoin.
  func filter(for predicate: BoundPredicate, of entity: StoredEntity) throws -> LinkedFilter? {
    guard isAllowed, predicate.goesThroughLinks,
      var linked = try whole(predicate, of: entity) ?? hoisted(predicate, of: entity)
    else { return nil }
    if options.links == .sets { return linked }
    let perObject = CostModel.perObject(predicate) + linked.linkedObjects * CostModel.linkedObject
    linked.setup += CostModel.linkedSet
    linked.perObject = perObject
    linked.filter = SemijoinFilter(
      rows: RowFilter(predicate), whole: linked.filter, setup: linked.setup, perObject: perObject)
    return linked
  }

  /// A filter for several conjuncts on the target of one to-one link, which share a set.
  func joined(_ predicate: BoundPredicate, of entity: StoredEntity) throws -> LinkedFilter? {
    guard predicate.goesThroughLinks, predicate.onlyLink(of: entity) != nil else { return nil }
    return try filter(for: predicate, of: entity)
  }

  /// The conjuncts, with those on the target of the same to-one link joined.
  func joined(_ parts: [BoundPredicate], of entity: StoredEntity) -> [BoundPredicate] {
    guard isAllowed, parts.contains(where: \.goesThroughLinks) else { return parts }
    var joined: [(link: Int?, parts: [BoundPredicate])] = []
    for part in parts {
      let link = part.goesThroughLinks ? part.onlyLink(of: entity) : nil
      if let link, let place = joined.firstIndex(where: { $0.link == link }) {
        joined[place].parts.append(part)
      } else {
        joined.append((link, [part]))
      }
    }
    return joined.map { .all($0.parts) }
  }

  private func whole(_ predicate: BoundPredicate, of entity: StoredEntity) throws -> LinkedFilter? {
    switch predicate {
    case .not(let inner): return try whole(inner, of: entity)?.negated
    case .quantified(let quantified):
      return try quantifier(quantified, of: entity) ?? target(predicate, of: entity) ?? counted(quantified, of: entity)
    case .comparison(let comparison):
      return try target(predicate, of: entity) ?? vectors(comparison, of: entity)
    case .constant, .and, .or, .test, .lists, .remembered: return try target(predicate, of: entity)
    }
  }

  // MARK: One target

  /// The filter for a predicate that reads only the target of one to-one link.
  private func target(_ predicate: BoundPredicate, of entity: StoredEntity) throws -> LinkedFilter? {
    guard let column = predicate.onlyLink(of: entity), let linked = try linkedEntity(entity.columns[column].target),
      let inner = RebaseToTarget.predicate(predicate, .target(column: column)),
      // If the link is nil, every path through it is nil.
      let holdsForNil = try? predicate.holds(for: NoRow())
    else { return nil }
    let targets = try targets(inner, of: linked)
    return LinkedFilter(
      filter: TargetFilter(column: column, targets, holdsForNil: holdsForNil), setup: targets.plan.cost,
      targets: holdsForNil ? nil : (column, targets))
  }

  // MARK: Many targets

  private func quantifier(_ quantified: BoundQuantifier, of entity: StoredEntity) throws -> LinkedFilter? {
    switch quantified.quantifier {
    case .any:
      return try any(quantified.collection, quantified.level, quantified.predicate, quantified.syntax, of: entity)
    case .none:
      return try any(quantified.collection, quantified.level, quantified.predicate, quantified.syntax, of: entity)?
        .negated
    case .all:
      return try any(
        quantified.collection, quantified.level, .not(quantified.predicate), quantified.syntax, of: entity
      )?.negated
    }
  }

  /// The filter for a predicate that holds for any element. Derived collections are unwrapped until a link column is
  /// left.
  private func any(
    _ collection: BoundCollection, _ level: Int, _ predicate: BoundPredicate, _ syntax: PredicateSyntax,
    of entity: StoredEntity
  ) throws -> LinkedFilter? {
    switch collection {
    case .each(let base, let inner, let value):
      return try any(base, inner, predicate.replacing(level, by: value), syntax, of: entity)
    case .chosen(let base, let inner, let condition):
      let element = BoundExpression.element(level: inner, base.elementType ?? .null)
      return try any(base, inner, .and([condition, predicate.replacing(level, by: element)]), syntax, of: entity)
    case .flattened(let base, let outer, let inner):
      let some = BoundQuantifier(
        quantifier: .any, collection: inner, level: level, predicate: predicate, syntax: syntax)
      return try any(base, outer, .quantified(some), syntax, of: entity)
    case .column(let column, .object):
      guard let linked = try linkedEntity(entity.columns[column].target),
        let inner = RebaseToTarget.predicate(predicate, .element(level))
      else { return nil }
      let targets = try targets(inner, of: linked)
      let fanOut = try fanOut(column, of: entity)
      return LinkedFilter(
        filter: AnyTargetFilter(column: column, targets, fanOut: fanOut), setup: targets.plan.cost,
        targets: (column, targets))
    case .sources(let source, of: .own):
      guard let inner = RebaseToTarget.predicate(predicate, .element(level)) else { return nil }
      let sources = try targets(inner, of: source.entity)
      return LinkedFilter(
        filter: AnySourceFilter(source, sources),
        setup: sources.plan.cost + sources.expected * CostModel.linkedSource)
    case .column, .keys, .list, .distinct, .joined, .property, .propertyKeys, .sources, .positions, .computed, .among:
      return nil
    }
  }

  // MARK: Linked entities

  func targets(_ predicate: BoundPredicate, of linked: LinkedEntity) throws -> SemijoinSet {
    try sets.targets(PlannedSets.Asked(entity: linked, predicate: predicate, depth: depth)) {
      var options = options
      options.access = .cheapest
      let planner = Planner(
        entity: linked.stored, stages: [.filter(predicate)], snapshot: snapshot, options: options, depth: depth + 1,
        sets: sets)
      return SemijoinSet(try planner.plan(), total: Double(try snapshot.objectCount(linked.stored)))
    }
  }

  func linkedEntity(_ name: String?) throws -> LinkedEntity? {
    name.flatMap { snapshot.schema.entity(named: $0) }.map { LinkedEntity(stored: $0) }
  }

  /// The estimated number of objects that one object links to.
  func fanOut(_ link: LinkPath.Link) throws -> Double {
    let source = link.source.stored
    guard link.isBackward else {
      return source.columns[link.column].collectionKind == nil ? 1 : try fanOut(link.column, of: source)
    }
    guard let inverse = source.inverse(ofColumn: link.column), inverse.isComplete,
      let target = try linkedEntity(source.columns[link.column].target)
    else { return 1 }
    let links = Double(try snapshot.index(inverse, of: source).entryCount)
    return links / max(1, Double(try snapshot.objectCount(target.stored)))
  }

  /// The average number of targets of the objects in a few clusters.
  func fanOut(_ column: Int, of entity: StoredEntity) throws -> Double {
    let clusters = UInt64(try snapshot.clusterCount(entity))
    var objects = 0
    var elements = 0
    for sample in 0..<min(3, clusters) {
      guard let cluster = try snapshot.cluster(clusters * (2 * sample + 1) / 6, of: entity) else { continue }
      let view = try cluster.column(column)
      objects += cluster.present.count
      cluster.present.forEach { elements += view.elementCount(at: $0) }
    }
    return objects == 0 ? 1 : Double(elements) / Double(objects)
  }
}
