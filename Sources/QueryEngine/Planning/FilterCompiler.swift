internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Compiles predicates to filters: for each sargable predicate the kernel for its column.
struct FilterCompiler {
  let entity: StoredEntity
  /// How it compiles expressions.
  var evaluation = ExpressionAccess.cheapest
  /// Plans predicates on linked objects; without it they are evaluated object by object.
  var links: LinkPlanner?

  /// Polls for cancellation while it compiles the parts of an AND or OR.
  private func compile(_ parts: [BoundPredicate]) throws -> [any Filter] {
    let cancellation = CancellationCheck(links?.options.isCancelled)
    return try parts.map { part in
      try cancellation.step(CancellationCheck.stepsPerPart)
      return try compile(part)
    }
  }

  func compile(_ predicate: BoundPredicate) throws -> any Filter {
    switch predicate {
    case .constant(let value): return ConstantFilter(value)
    case .and(let parts): return try links?.joined(predicate, of: entity)?.filter ?? AllFilter(try compile(parts))
    case .or(let parts):
      if let membership = foldedMembership(parts) { return membership }
      return try links?.joined(predicate, of: entity)?.filter ?? AnyFilter(try compile(parts))
    case .not(let inner): return NotFilter(try compile(inner))
    case .test(let test): return compile(test)
    case .remembered(let remembered): return try compile(remembered.predicate)
    case .quantified, .lists: return try links?.filter(for: predicate, of: entity)?.filter ?? RowFilter(predicate)
    case .comparison(let comparison):
      if evaluation == .cheapest, let direct = direct(comparison) { return direct }
      if let linked = try links?.filter(for: predicate, of: entity) { return linked.filter }
      return evaluation == .rows ? RowFilter(predicate) : try VectorFilter(comparison, self)
    }
  }

  /// The filter of a comparison that reads what is stored without decoding it; nil if there is none.
  private func direct(_ comparison: BoundComparison) -> (any Filter)? {
    if let shape = comparison.shape, let longitude = comparison.left.column,
      let latitude = comparison.right.first?.column
    {
      return GeoFilter(
        longitude: (longitude, entity.columns[longitude].scalarType),
        latitude: (latitude, entity.columns[latitude].scalarType), shape: shape)
    }
    return ObjectIDFilter(comparison)
  }

  /// Compiles a predicate inside an expression, to which the planner's rules have not been applied.
  ///
  /// Does not split TERNARY: that duplicates its condition, and nested conditions would double at each level.
  func compileInner(_ predicate: BoundPredicate) throws -> any Filter {
    if evaluation != .cheapest { return try compile(predicate) }
    // `now()` is already a constant.
    let context = RuleContext(entity: entity, now: .now, evaluation: evaluation)
    let rules: [PlannerRule] = [.foldConstants, .extractColumnPredicates, .invertArithmetic]
    return try compile(rules.reduce(predicate) { $1.apply($0, context) })
  }

  private func foldedMembership(_ parts: [BoundPredicate]) -> (any Filter)? {
    guard let found = FoldedMembership(parts), entity.columns.indices.contains(found.column),
      entity.columns[found.column].collectionKind == nil
    else { return nil }
    return StringFilter(column: found.column, question: .foldedOneOf(TextSet(found.members), found.folding))
  }

  private func compile(_ test: SargablePredicate) -> any Filter {
    guard entity.columns.indices.contains(test.column) else { return ConstantFilter(false) }
    let type = entity.columns[test.column].scalarType
    switch test.question {
    case .isNil: return NilFilter(column: test.column)
    case .text(let text): return StringFilter(column: test.column, question: .test(text))
    case .interval(let interval): return compile(interval, type, test)
    case .oneOf(let values):
      switch type {
      case .bool:
        return BoolFilter(
          column: test.column, takesTrue: values.contains(.bool(true)), takesFalse: values.contains(.bool(false)))
      case .int8, .int16, .int32, .int, .float, .double, .date:
        return NumberMembershipFilter(column: test.column, values: values)
      case .decimal: return DecimalFilter(column: test.column, oneOf: values)
      case .string, .data:
        return StringFilter(column: test.column, question: .oneOf(TextSet(values.map(StringFilter.bytes))))
      case .uuid:
        let ids = values.compactMap { if case .uuid(let id) = $0 { id } else { nil } }
        return UUIDFilter(column: test.column, question: .oneOf(Set(ids)))
      }
    }
  }

  private func compile(_ interval: ValueInterval, _ type: ScalarType, _ test: SargablePredicate) -> any Filter {
    switch type {
    case .bool:
      return BoolFilter(
        column: test.column, takesTrue: interval.contains(.bool(true)), takesFalse: interval.contains(.bool(false)))
    case .int8, .int16, .int32, .int:
      guard let (lower, upper) = ClosedRanges.integers(interval) else { return ConstantFilter(false) }
      return IntegerIntervalFilter(column: test.column, lower: lower, upper: upper)
    case .double, .date:
      guard let (lower, upper) = ClosedRanges.doubles(interval) else { return ConstantFilter(false) }
      return DoubleIntervalFilter(column: test.column, type, lower: lower, upper: upper)
    case .float:
      guard let (lower, upper) = ClosedRanges.floats(interval) else { return ConstantFilter(false) }
      return DoubleIntervalFilter(column: test.column, type, lower: Double(lower), upper: Double(upper))
    case .decimal: return DecimalFilter(column: test.column, interval)
    case .string, .data:
      return StringFilter(column: test.column, question: StringFilter.question(interval, isOfDecimals: false))
    case .uuid:
      guard let (lower, upper) = ClosedRanges.uuids(interval) else { return ConstantFilter(false) }
      return UUIDFilter(column: test.column, question: .interval(lower, upper))
    }
  }
}
