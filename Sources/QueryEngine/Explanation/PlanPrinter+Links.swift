internal import Storage
internal import Values

/// Prints the sets of linked objects that a node's filters use and the linked values that it reads, each with its own
/// plan, as children of the node.
extension PlanPrinter {
  /// The sets and linked values that a node uses.
  func linkSteps(_ node: PlanNode) -> [LinkStep] {
    switch node.kind {
    case .inverseWalk(let walk):
      return [
        LinkStep(role: .targets, detail: "found first, then the objects that link to them", targets: walk.targets)
      ]
    case .filter(let conjuncts): return conjuncts.flatMap { $0.filter.linkSteps(of: plan.entity) }
    case .sort(let keys), .topK(let keys, _): return keys.flatMap { $0.expression.linkSteps(of: plan.entity) }
    case .distinct(let expressions, _): return expressions.flatMap { $0.linkSteps(of: plan.entity) }
    case .group(let grouping):
      return (grouping.keys + grouping.aggregates.compactMap(\.argument)).flatMap { $0.linkSteps(of: plan.entity) }
    case .select(let values, _): return values.flatMap { $0.linkSteps(of: plan.entity) }
    case .sections(let key, _): return key.linkSteps(of: plan.entity)
    case .nothing, .scan, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .indexOrder, .indexKeys,
      .indexEnds, .having, .window, .statement:
      return []
    }
  }

  func collect(_ step: LinkStep, indent: String, first: String, into lines: inout [Line]) {
    var columns = step.targets.map { ["est \(Self.count($0.expected))"] } ?? [""]
    let inner = step.targets.flatMap { targets in
      metrics.map { $0.known(of: targets) ?? ExecutionMetrics(plan: targets.plan) }
    }
    if metrics != nil {
      columns.append(inner.map { $0.nodes[0].ran ? "actual \($0.nodes[0].rows)" : "not run" } ?? "")
    }
    let why = step.costs.map { "  (set \(Self.count($0.set)), one by one \(Self.count($0.perObject)) each)" } ?? ""
    lines.append(Line(label: "\(first)\(step.role.rawValue)  \(step.detail)\(why)", columns: columns))
    guard let targets = step.targets else { return }
    PlanPrinter(targets.plan, metrics: inner).collect(
      targets.plan.root, indent: indent + "   ", first: indent + "└─ ", into: &lines)
  }

  func json(_ step: LinkStep) -> String {
    var fields = [
      "\"node\":\(JSONText.quoted(step.role.rawValue))", "\"detail\":\(JSONText.quoted(step.detail))",
    ]
    if let costs = step.costs {
      fields.append("\"setCost\":\(Self.count(costs.set)),\"objectCost\":\(Self.count(costs.perObject))")
    }
    if let targets = step.targets {
      fields.append("\"estimate\":\(Self.count(targets.expected))")
      let inner = metrics?.known(of: targets)
      if let counters = inner?.nodes[0], counters.ran { fields.append("\"actual\":\(counters.rows)") }
      let printer = PlanPrinter(targets.plan, metrics: inner)
      fields.append("\"entity\":\(JSONText.quoted(targets.plan.entity.name))")
      fields.append("\"children\":[\(printer.json(targets.plan.root))]")
    }
    return "{\(fields.joined(separator: ","))}"
  }
}
