internal import PredicateLanguage
internal import Storage

/// One set of linked objects that a filter uses, for EXPLAIN.
struct LinkStep {
  /// How the set relates to the filtered objects.
  enum Role: String {
    /// Objects that a link leads to.
    case targets = "Targets"
    /// Objects that link here.
    case sources = "Sources"
    /// Objects whose values are read for all rows at once.
    case gathered = "Gather"
    /// The only elements for which the correlated part is evaluated.
    case elements = "Elements"
  }

  let role: Role
  /// The link, and how it is used.
  let detail: String
  /// The plan for the set; nil if it contains all objects.
  let targets: SemijoinSet?
  /// The costs of finding the set and of evaluating a single object, in nanoseconds; nil if the algorithm is forced.
  var costs: (set: Double, perObject: Double)?
}

extension BoundExpression {
  /// The estimated number of linked objects that are read for a single object.
  var linkedObjects: Double {
    var count = 0.0
    forEachNode { if case .expression(.gathered(let gathering)) = $0 { count += gathering.route.fanOut } }
    return count
  }

  /// The linked values that the planner has gathered for the expression.
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
  /// A column with its entity's name, as in EXPLAIN.
  func path(_ column: Int) -> String { "\(name).\(columns[column].path)" }
}
