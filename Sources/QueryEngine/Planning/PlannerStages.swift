internal import PredicateLanguage
internal import Values

/// The stages of a query in execution order, with the leading filters joined into one predicate.
struct PlannerStages {
  /// All filters before the first DISTINCT or window, joined and simplified.
  private(set) var predicate: BoundPredicate
  /// The other stages, in order; consecutive sorts are one.
  private(set) var tails: [BoundStage]

  init(_ stages: [BoundStage], _ context: RuleContext) throws {
    var filters: [BoundPredicate] = []
    tails = []
    var isLeading = true
    // Sorting is stable: ties of the last sort keep the order of the sort before it, and finally insertion order.
    var order: [BoundSortKey] = []
    for stage in stages {
      switch stage {
      case .filter(let predicate) where isLeading: filters.append(predicate)
      case .filter(let predicate): tails.append(.filter(try PlannerRule.simplified(predicate, context)))
      case .sort(let keys):
        let keys = try keys.map { key in
          try context.check()
          return key.mapped { PlannerRule.prepared($0, context) }
        }.filter { !$0.expression.isConstant }
        if keys.isEmpty { break }
        var known: Set<BoundExpression> = []
        order = (keys + order).filter { known.insert($0.expression).inserted }
        if case .sort = tails.last { tails.removeLast() }
        tails.append(.sort(order))
      case .distinct(let expressions, let syntax):
        isLeading = false
        tails.append(.distinct(expressions.map { PlannerRule.prepared($0, context) }, syntax: syntax))
      case .window(let offset, let limit):
        isLeading = false
        if offset > 0 || limit != nil { tails.append(stage) }
      }
    }
    predicate = try PlannerRule.simplified(filters.count == 1 ? filters[0] : .and(filters), context)
  }
}

extension PlannerRule {
  /// An expression with `now()` bound and constants folded, in all its parts.
  static func prepared(_ expression: BoundExpression, _ context: RuleContext) -> BoundExpression {
    expression.mapped { constantFolded($0, context) }
  }

  /// An expression with `now()` bound and constants folded.
  static func constantFolded(_ expression: BoundExpression, _ context: RuleContext) -> BoundExpression {
    if case .now = expression { return .constant(.date(context.now)) }
    return expression.folded
  }
}
