internal import PredicateLanguage

/// An operation on the objects of a plan, for EXPLAIN, which prints it above the plan's nodes.
package struct RowStep: Hashable, Sendable {
  /// The name of the operation.
  package let name: String
  /// The operation's arguments.
  package let detail: String
  /// The actual number of results, if it was counted.
  package let actual: Int?

  package init(_ name: String, _ detail: String, actual: Int? = nil) {
    self.name = name
    self.detail = detail
    self.actual = actual
  }
}

extension CompiledRows {
  /// The operations on the objects, the last one first.
  func steps(groups count: Int?, rows: Int?, sections: Int?) -> [RowStep] {
    var steps: [RowStep] = []
    if hasSections { steps.append(RowStep("Sections", sectionText, actual: sections)) }
    if !isWhole {
      steps.append(RowStep("Select", columns.map(\.heading).joined(separator: ", "), actual: rows))
    }
    guard let groups else { return steps }
    if groups.offset > 0 || groups.limit != nil {
      let parts = [groups.offset > 0 ? "offset \(groups.offset)" : nil, groups.limit.map { "limit \($0)" }]
      steps.append(RowStep("Window", parts.compactMap(\.self).joined(separator: " ")))
    }
    if !groups.steps.distinct.isEmpty {
      steps.append(RowStep("Distinct", groups.steps.distinct.joined(separator: ", ")))
    }
    if !groups.order.isEmpty {
      let keys = groups.order.map { $0.syntax.expression.readableFormat + ($0.ascending ? "" : " DESC") }
      steps.append(RowStep("Sort", keys.joined(separator: ", ")))
    }
    if let having = groups.steps.having { steps.append(RowStep("Having", having.readableFormat)) }
    let keys = groups.steps.keys.isEmpty ? "all" : "by " + groups.steps.keys.joined(separator: ", ")
    steps.append(RowStep("Group", keys, actual: count))
    for value in groups.keys + groups.aggregates.compactMap(\.argument) {
      for gathered in value.linkSteps(of: objects.entity) {
        let step = RowStep(gathered.role.rawValue, gathered.detail)
        if !steps.contains(step) { steps.append(step) }
      }
    }
    return steps
  }
}
