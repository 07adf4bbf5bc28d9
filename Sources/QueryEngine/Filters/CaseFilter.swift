internal import Storage

/// One condition where a question is answered with yes, another where not: a comparison with what TERNARY makes.
final class CaseFilter: Filter, @unchecked Sendable {
  private let question: Filter
  private let yes: Filter
  private let no: Filter

  init(_ question: Filter, yes: Filter, no: Filter) {
    self.question = question
    self.yes = yes
    self.no = no
  }

  private var parts: [Filter] { [question, yes, no] }

  override var isLocal: Bool { parts.allSatisfy(\.isLocal) }

  override func expect(_ objects: Double, _ context: ExecutionContext) { parts.forEach { $0.expect(objects, context) } }

  override func prepare(_ scan: TableFilterScan) throws { for part in parts { try part.prepare(scan) } }

  override func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.withCopy { taken in
      try question.narrow(taken, context)
      for row in rows.indices { rows[row] = rows[row].andNot(taken[row]) }
      try yes.narrow(taken, context)
      try no.narrow(rows, context)
      for row in rows.indices { rows[row] |= taken[row] }
    }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let taken = try question.mask(cluster, candidates, context)
    let others = candidates.andNot(taken)
    return (taken.isEmpty ? taken : try yes.mask(cluster, taken, context))
      | (others.isEmpty ? others : try no.mask(cluster, others, context))
  }
}

extension BoundComparison {
  /// What it says where a condition holds, and where it does not, if TERNARY makes what it compares; nil of others, and of
  /// those that would come to too many comparisons.
  var choice: (condition: BoundPredicate, yes: BoundPredicate, no: BoundPredicate)? {
    let choices = right.reduce(left.choiceCount) { min($0 * $1.choiceCount, 1_000) }
    guard shape == nil, choices > 1, choices <= Self.mostChoices, choices * right.count <= Self.mostOperands else {
      return nil
    }
    if case .ternary(let condition, let yes, let no) = left {
      return (condition, .comparison(with(left: yes, right: right)), .comparison(with(left: no, right: right)))
    }
    if right.count == 1, case .ternary(let condition, let yes, let no) = right[0] {
      return (condition, .comparison(with(left: left, right: [yes])), .comparison(with(left: left, right: [no])))
    }
    return nil
  }

  /// With more comparisons, or more to compare with in all of them, going row by row is as good.
  private static let mostChoices = 32
  private static let mostOperands = 1_000

}

extension BoundExpression {
  /// How many values TERNARY chooses from.
  fileprivate var choiceCount: Int {
    if case .ternary(_, let yes, let no) = self { min(yes.choiceCount + no.choiceCount, 1_000) } else { 1 }
  }
}
