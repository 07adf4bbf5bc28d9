internal import PredicateLanguage
internal import Storage

/// One set of linked objects that a condition finds, for explanations.
struct LinkStep {
  /// What the set is to the objects asked about.
  enum Role: String {
    /// Objects that a link leads to.
    case targets = "Targets"
    /// Objects that link here.
    case sources = "Sources"
    /// Objects whose values are gathered.
    case gathered = "Gather"
    /// Elements that alone are asked about the row's object as well.
    case elements = "Elements"
  }

  let role: Role
  /// The link, and what is done with it.
  let detail: String
  /// The plan for the set; nil where it is all objects.
  let targets: SemijoinSet?
  /// What finding the set costs, and what asking one object by itself would, in nanoseconds; nil where it is forced.
  var costs: (set: Double, perObject: Double)?
}

extension Filter {
  /// The sets of linked objects that it finds; those of its parts too.
  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    switch self {
    case let all as AllFilter: return all.parts.flatMap { $0.linkSteps(of: entity) }
    case let any as AnyFilter: return any.parts.flatMap { $0.linkSteps(of: entity) }
    case let not as NotFilter: return not.inner.linkSteps(of: entity)
    case let linked as SemijoinFilter:
      return linked.whole.linkSteps(of: entity).map { step in
        var step = step
        step.costs = (linked.setup, linked.perObject)
        return step
      }
    case let one as TargetFilter:
      return [
        LinkStep(role: .targets, detail: "of \(entity.path(one.column)), then the link is read", targets: one.targets)
      ]
    case let many as AnyTargetFilter:
      return [
        LinkStep(
          role: .targets, detail: "of \(entity.path(many.column)), then the links are walked", targets: many.targets)
      ]
    case let source as AnySourceFilter:
      let path = source.source.entity.stored.path(source.source.column)
      return [LinkStep(role: .sources, detail: "by \(path), then their links are walked", targets: source.sources)]
    case let hoisted as HoistedFilter:
      return hoisted.sets.map {
        LinkStep(
          role: .elements, detail: "of \($0.targets.plan.entity.name), asked for the rest one by one",
          targets: $0.targets)
      }
    case let filter as VectorFilter:
      return filter.left.expression.linkSteps(of: entity)
        + filter.right.flatMap { $0.expression.linkSteps(of: entity) }
    default: return []
    }
  }
}

extension BoundExpression {
  /// How many linked objects are asked for one object, about, where it is asked by itself.
  var linkedObjects: Double {
    var count = 0.0
    forEachNode { if case .expression(.gathered(let gathering)) = $0 { count += gathering.route.fanOut } }
    return count
  }

  /// What the planner had gathered for it.
  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    var found: [LinkStep] = []
    forEachNode { node in
      guard case .expression(.gathered(let gathering)) = node else { return }
      let route = gathering.route
      let how = gathering.match == nil ? "" : ", each compared"
      let detail = "\(route.entity.stored.name) for \(entity.name).\(route.path)\(how)"
      found.append(LinkStep(role: .gathered, detail: detail, targets: route.targets))
      for hop in route.hops.dropLast() {
        guard let targets = hop.targets else { continue }
        found.append(LinkStep(role: .targets, detail: "of \(hop.link.path), on the way", targets: targets))
      }
    }
    return found
  }
}

extension StoredEntity {
  /// A column with the entity before it, as plans name it.
  fileprivate func path(_ column: Int) -> String { "\(name).\(columns[column].path)" }
}
