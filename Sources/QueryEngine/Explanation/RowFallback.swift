internal import PredicateLanguage
internal import Storage

/// What a node evaluates row by row: because it has no kernel, or because its operator has no vectors.
struct RowFallback {
  /// The parts that are evaluated row by row, as written.
  var parts: [String] = []
  /// Whether the node has no other parts.
  var isWhole = false

  /// The parts of a list that are evaluated row by row.
  init<Part>(_ all: [Part], _ text: (Part) -> String, where usesRows: (Part) -> Bool) {
    parts = all.filter(usesRows).map(text)
    isWhole = parts.count == all.count
  }

  init() {}

  /// The note in a line of a plan.
  var note: String { parts.isEmpty ? "" : isWhole ? "row by row" : "row by row: \(parts.joined(separator: ", "))" }
}

extension PlanPrinter {
  /// The parts of a node that are evaluated row by row.
  func rowByRow(_ node: PlanNode) -> RowFallback {
    let child = node.children.first
    let hasGroups = child?.returnsGroups ?? false
    switch node.kind {
    case .filter(let conjuncts):
      return RowFallback(conjuncts, \.predicate.syntax.readableFormat) { $0.filter.usesRows }
    // Keys and aggregates of groups are in no columns: each group is a row.
    case .having(_, let syntax): return RowFallback([syntax], \.readableFormat) { _ in true }
    case .sort(let keys): return rowByRow(keys, all: hasGroups || Executor.sortsRows(node, keys))
    case .topK(let keys, let count):
      return rowByRow(keys, all: Executor.sortsAll(node, keys, count) && Executor.sortsRows(node, keys))
    case .distinct(let expressions, let syntax): return rowByRow(expressions, syntax, all: hasGroups)
    case .group(let grouping):
      var found = rowByRow(grouping.keys, grouping.keySyntax)
      if case .indexEnds? = child?.kind { return found }
      let aggregates = zip(grouping.aggregates, grouping.aggregateSyntax).filter { usesRows($0.0) }
      found.parts += aggregates.compactMap { $0.1?.readableFormat }
      found.isWhole = false
      return found
    case .select(let values, let headings):
      // Of a struct, which has several values, nothing: they are columns.
      if values.count != headings.count { return RowFallback() }
      return RowFallback(Array(zip(values, headings)), \.1) { value, _ in
        value.isComputed && (hasGroups ? !value.isOfGroup : usesRows(value))
      }
    case .sections(let key, let syntax):
      return RowFallback([key], { _ in syntax.expression.readableFormat }) { hasGroups || usesRows($0) }
    case .statement(.update(let paths, let computed)):
      var found = RowFallback(computed, \.self) { _ in true }
      found.isWhole = computed.count == paths.count
      return found
    case .nothing, .scan, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds, .window, .statement(.count), .statement(.delete), .statement(.insert):
      return RowFallback()
    }
  }

  private func rowByRow(_ keys: [BoundSortKey], all: Bool) -> RowFallback {
    RowFallback(keys, \.syntax.expression.readableFormat) {
      all || $0.expression.keyForm == .values || usesRows($0.expression, isKey: true)
    }
  }

  /// Of a struct, which has several values, nothing: they are columns.
  private func rowByRow(
    _ expressions: [BoundExpression], _ syntax: [ExpressionSyntax], all: Bool = false
  ) -> RowFallback {
    if expressions.count != syntax.count { return RowFallback() }
    return RowFallback(Array(zip(expressions, syntax)), \.1.readableFormat) { all || usesRows($0.0, isKey: true) }
  }

  /// Whether an aggregate reads its argument row by row, as it does the elements of collections.
  private func usesRows(_ aggregate: GroupAggregate) -> Bool {
    guard let argument = aggregate.argument, aggregate.function != .count else { return false }
    return aggregate.elements != nil || usesRows(argument)
  }

  private func usesRows(_ expression: BoundExpression, isKey: Bool = false) -> Bool {
    if expression.followsLinksByRow { return true }
    // An expression that does not compile is none that a plan has.
    return (try? VectorExpression(expression, plan.compiler, isKey: isKey).usesRows) ?? true
  }
}

extension BoundExpression {
  /// Whether it is a key or an aggregate of a group, which is only read.
  fileprivate var isOfGroup: Bool { if case .computed = self { true } else { false } }
}
