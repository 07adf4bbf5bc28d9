internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Binds SELECT, GROUP BY and their clauses, and collects all errors.
struct RowBinder {
  /// The bound clauses.
  struct Bound {
    var columns: [RowColumn] = []
    var stages = RowStages()
  }

  private let rows: RowDescription
  private let source: String
  private var binder: Binder
  private var substitution: ArgumentSubstitution
  private var diagnostics: [Diagnostic] = []

  init(
    _ rows: RowDescription, entity: StoredEntity, schema: StoredSchema, isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.rows = rows
    source = rows.context.source
    binder = Binder(entity: entity, schema: schema, source: rows.context.source, isCancelled: isCancelled)
    substitution = ArgumentSubstitution(context: rows.context, isProperty: entity.hasProperty)
  }

  /// All errors; nil if there are none.
  var error: DiagnosticError? {
    let errors = diagnostics.filter { $0.severity == .error }
    return errors.isEmpty ? nil : DiagnosticError(source: source, diagnostics: errors)
  }

  var warnings: [Diagnostic] { diagnostics.filter { $0.severity == .warning } }

  /// Binds all clauses; those with errors are left out.
  mutating func bound() -> Bound {
    var bound = Bound()
    // All arguments are substituted first, because binding adapts string arguments to the types they are compared with.
    let items = rows.select?.map { SelectItemSyntax(substitution.expression($0.expression), heading: $0.heading) }
    if rows.isGrouped {
      let names = Set((items ?? []).map(\.heading))
      substitution.isProperty = { [entity = binder.entity] in entity.hasProperty($0) || names.contains($0) }
      bound.stages.grouping = grouping(items)
    } else if let having = rows.having {
      binder.report(
        .havingWithoutGroup, "HAVING is about groups, and nothing is grouped", having.range,
        notes: ["choose objects with WHERE, or group them: 'GROUP BY …'"])
    }
    for item in items ?? [] { add(item, to: &bound) }
    if items == nil {
      if bound.stages.grouping == nil { addWhole(to: &bound) } else { addKeysAndCount(to: &bound) }
    }
    if let section = rows.sectionsBy {
      let syntax = substitution.expression(section)
      binder.adaptable = substitution.textArguments
      bound.stages.section = value(syntax, clause: "SECTIONS BY").flatMap { key in
        binder.sectioning(key, by: syntax, rows.sectionOptions)
          .map { ($0, SortKeySyntax(section, options: rows.sectionOptions)) }
      }
    }
    if bound.stages.grouping != nil, let scope = binder.groups {
      bound.stages.grouping?.keys = scope.slots
      bound.stages.grouping?.aggregates = scope.aggregates
      bound.stages.grouping?.aggregateSyntax = scope.aggregateSyntax
    }
    substitution.finish()
    // The literal in place of a missing argument would only cause further errors.
    diagnostics = substitution.diagnostics.isEmpty ? binder.diagnostics : substitution.diagnostics
    return bound
  }

  // MARK: Groups

  private mutating func grouping(_ items: [SelectItemSyntax]?) -> Grouping {
    var grouping = Grouping(offset: rows.offset, limit: rows.limit)
    let headings = Self.headings(items ?? [])
    var scope = GroupScope()
    for key in rows.groupBy {
      var syntax = substitution.expression(key)
      if let named = renamed(syntax, headings) { syntax = named }
      guard !syntax.hasGroupAggregate else {
        binder.report(
          .aggregateAsKey, "groups are made before anything is counted or added up", syntax.range,
          notes: ["choose groups by such values with HAVING"])
        continue
      }
      grouping.keySyntax.append(syntax)
      if let structure = binder.bindingKey({ $0.structure(syntax) }) {
        scope.add(key: syntax, structure.distinguishing(of: binder.entity), isStructure: true)
      } else if let value = binder.bindingKey({ $0.value(syntax, clause: "GROUP BY") }) {
        scope.add(key: syntax, [value], isStructure: false)
      } else {
        scope.refusedKeys.insert(syntax)
      }
    }
    scope.headings = headings
    binder.groups = scope
    if let having = rows.having {
      if rows.groupBy.isEmpty {
        binder.report(
          .havingWithoutGroup, "HAVING is about groups, and there is no GROUP BY", having.range,
          notes: ["choose objects with WHERE, or group them: 'GROUP BY …'"])
      } else {
        let syntax = substitution.predicate(having)
        binder.adaptable = substitution.textArguments
        grouping.having = binder.groupPredicate(syntax).map { ($0, syntax) }
      }
    }
    for key in rows.sortBy {
      let key = key.with(substitution.expression(key.expression))
      guard let bound = value(key.expression, clause: "SORT BY"), let value = binder.ordering(bound, by: key) else {
        continue
      }
      grouping.order.append(BoundSortKey(expression: value, ascending: key.ascending, syntax: key))
    }
    for expression in rows.distinct {
      let syntax = substitution.expression(expression)
      grouping.distinctSyntax.append(syntax)
      if binder.ofObjects({ $0.structure(syntax) }) != nil {
        guard case .assembled(let structure)? = binder.shownOfGroup(syntax) else { continue }
        grouping.distinct += structure.distinguishing(of: binder.entity)
      } else if let value = value(syntax, clause: "DISTINCT") {
        grouping.distinct.append(value)
      }
    }
    return grouping
  }

  /// The SELECT expressions by heading, except columns that have their own name as heading.
  private static func headings(_ items: [SelectItemSyntax]) -> [String: ExpressionSyntax] {
    var headings: [String: ExpressionSyntax] = [:]
    for item in items {
      if case .path(let path) = item.expression.kind, path.singleName == item.heading { continue }
      headings[item.heading] = item.expression
    }
    return headings
  }

  /// The SELECT expression for a name that is not a property: `SELECT year(time) AS y GROUP BY y`.
  private func renamed(_ syntax: ExpressionSyntax, _ headings: [String: ExpressionSyntax]) -> ExpressionSyntax? {
    guard case .path(let path) = syntax.kind, let name = path.singleName,
      binder.entity.entity.property(named: name) == nil
    else { return nil }
    return headings[name]
  }

  /// Binds a single value with an order, over an object or a group.
  private mutating func value(_ syntax: ExpressionSyntax, clause: String) -> BoundExpression? {
    let bound = binder.groups == nil ? binder.expression(syntax) : binder.groupExpression(syntax)
    guard let bound else { return nil }
    let isSorted = clause == "SORT BY"
    if bound.type == .list || bound.type == .structure || isSorted && !bound.type.hasOrder {
      binder.report(
        .typeMismatch, "\(binder.described(syntax, bound)), which \(clause) cannot \(isSorted ? "order" : "compare")",
        syntax.range, notes: bound.type.propertyAdvice)
      return nil
    }
    return bound
  }

  // MARK: Columns

  private mutating func add(_ item: SelectItemSyntax, to bound: inout Bound) {
    binder.adaptable = substitution.textArguments
    let value = binder.groups == nil ? binder.shown(item.expression) : binder.shownOfGroup(item.expression)
    guard let value else { return }
    if case .assembled(let structure) = value {
      add(structure.flat, item.heading, to: &bound)
    } else {
      add((.value(value.type), [value]), item.heading, to: &bound)
    }
  }

  private func add(
    _ flat: (content: RowColumn.Content, values: [BoundExpression]), _ heading: String, to bound: inout Bound
  ) {
    bound.columns.append(RowColumn(heading: heading, content: flat.content))
    bound.stages.values += flat.values
  }

  /// Adds all properties of an object as columns.
  private func addWhole(to bound: inout Bound) {
    for property in binder.entity.entity.properties {
      guard let member = PathOrigin.root.member(at: property.name, of: binder.entity, level: 0) else { continue }
      add(member.flat, property.name, to: &bound)
    }
  }

  /// Adds the columns of a GROUP BY without SELECT: the keys and the count.
  private mutating func addKeysAndCount(to bound: inout Bound) {
    for key in binder.groups?.keys ?? [] {
      add(SelectItemSyntax(key.syntax, heading: heading(key.syntax)), to: &bound)
    }
    let count = ExpressionSyntax(.path(PathSyntax(steps: [PathSyntax.Step(.operation("count"))])))
    add(SelectItemSyntax(count, heading: "@count"), to: &bound)
  }

  /// The text of an expression in the query.
  private func heading(_ syntax: ExpressionSyntax) -> String {
    let bytes = source.utf8
    guard syntax.range.upperBound > syntax.range.lowerBound,
      let start = bytes.index(bytes.startIndex, offsetBy: syntax.range.lowerBound, limitedBy: bytes.endIndex),
      let end = bytes.index(bytes.startIndex, offsetBy: syntax.range.upperBound, limitedBy: bytes.endIndex)
    else { return syntax.predicateFormat }
    return String(source[start..<end])
  }
}
