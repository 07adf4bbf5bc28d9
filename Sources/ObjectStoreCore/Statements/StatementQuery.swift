internal import Diagnostics
internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// The clauses of a statement in the order in which they apply, regardless of how they were written: WHERE, GROUP,
/// HAVING, SORT, DISTINCT, OFFSET, LIMIT, SELECT.
struct StatementQuery {
  /// The query for the objects: WHERE and, without groups, SORT, DISTINCT, OFFSET and LIMIT.
  private(set) var objects: QueryDescription
  /// The rows computed from the objects; nil when the result is the objects themselves.
  private(set) var rows: RowDescription?
  private let source: String

  /// - Parameter schema: Tells property names from the names given with AS.
  init(
    _ select: SelectSyntax, entity: String, _ context: SourceContext, schema: StoredSchema
  ) throws {
    source = context.source
    // Without arguments none can be left over.
    let context = context.arguments.isEmpty ? context : context.using(select.allPlaceholders)
    objects = QueryDescription(entity: entity)
    if let name = select.entity { objects.entitySource = (source, name.range) }
    try objects.append(select.filter, context, placeholders: [])
    let offset = try select.offset.map { try context.count($0, of: "OFFSET") } ?? 0
    let limit = try select.limit.map { try context.count($0, of: "LIMIT") }
    let isGrouped = select.isGrouped
    if !isGrouped {
      let names = Self.names(select.select ?? [], beside: schema.entity(named: entity))
      try refuseAggregates(select)
      let sortBy = select.sortBy.map { $0.with(Self.meant($0.expression, names)) }
      if !sortBy.isEmpty { objects.stages.append(.sort(sortBy, context)) }
      let distinct = select.distinct.map { Self.meant($0, names) }
      if !distinct.isEmpty { objects.stages.append(.distinct(distinct, context)) }
      if select.offset != nil || select.limit != nil {
        objects.stages.append(.window(offset: offset, limit: limit))
      }
    }
    guard isGrouped || select.select != nil || select.having != nil || select.sectionsBy != nil else { return }
    rows = RowDescription(
      select: select.select, groupBy: select.groupBy, having: select.having,
      sortBy: isGrouped ? select.sortBy : [], distinct: isGrouped ? select.distinct : [],
      offset: isGrouped ? offset : 0, limit: isGrouped ? limit : nil, sectionsBy: select.sectionsBy,
      sectionOptions: select.sectionOptions, context: context)
  }

  /// Refuses an aggregate of a group in a query without groups.
  private func refuseAggregates(_ select: SelectSyntax) throws {
    let values = select.sortBy.map { ("SORT BY", $0.expression) } + select.distinct.map { ("DISTINCT", $0) }
    for (clause, value) in values where value.hasGroupAggregate {
      throw QueryError(
        source: source,
        Diagnostic(
          code: .nothingGrouped, message: "\(clause) an aggregate needs groups, and there is no GROUP BY",
          range: value.range, notes: ["group the objects with 'GROUP BY …', or SELECT the aggregate for one row"]))
    }
  }

  /// The expressions of a SELECT that were named with AS, by name, except where a property has that name.
  private static func names(_ items: [SelectItemSyntax], beside entity: StoredEntity?) -> [String: ExpressionSyntax] {
    var names: [String: ExpressionSyntax] = [:]
    for item in items where entity?.entity.property(named: item.heading) == nil {
      names[item.heading] = item.expression
    }
    return names
  }

  /// The expression that a name stands for.
  private static func meant(_ syntax: ExpressionSyntax, _ names: [String: ExpressionSyntax]) -> ExpressionSyntax {
    guard case .path(let path) = syntax.kind, path.variable == nil, path.steps.count == 1,
      case .name(let name) = path.steps[0].kind
    else { return syntax }
    return names[name] ?? syntax
  }
}
