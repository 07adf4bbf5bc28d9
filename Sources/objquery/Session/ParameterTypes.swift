import ObjectStoreCore
internal import PredicateLanguage

/// Determines the type that each placeholder of a statement is compared with, so that a text argument can be converted.
///
/// It knows paths and types and leaves all checks to the query engine: placeholders that it does not recognise have no
/// type.
struct ParameterTypes {
  /// A property that a placeholder is compared with.
  struct Use {
    var type: ScalarType
    var path: String
    var range: SourceRange
  }

  private let schema: Schema
  private var types: [String: ScalarType] = [:]
  private(set) var positional: [Int: Use] = [:]
  private(set) var named: [String: Use] = [:]
  /// All names that occur.
  private(set) var names: Set<String> = []

  /// The predicates named by LET, each visited once.
  private var definitions: [String: PredicateSyntax]

  init(schema: Schema, definitions: [String: PredicateSyntax] = [:]) {
    self.schema = schema
    self.definitions = definitions
  }

  mutating func visit(_ statement: StatementSyntax, defaultEntity: String?) {
    switch statement {
    case .select(let select), .count(let select), .delete(let select): visit(select, defaultEntity)
    case .explain(_, let inner): visit(inner, defaultEntity: defaultEntity)
    case .update(let select, let assignments):
      visit(select, defaultEntity)
      for assignment in assignments { pair(ExpressionSyntax(.path(assignment.path)), assignment.value) }
    case .insert, .begin, .commit, .rollback, .define, .schema: break
    }
  }

  private mutating func visit(_ select: SelectSyntax, _ defaultEntity: String?) {
    if let name = select.entity?.text ?? defaultEntity, let entity = schema.entity(named: name) {
      for column in schema.columns(of: entity) {
        switch column.kind {
        case .scalar(let type), .parts(let type, _): types[column.path] = type
        default: break
        }
      }
    }
    if let predicate = select.filter.predicate { visit(predicate) }
    if let having = select.having { visit(having) }
    for tail in select.filter.tails {
      switch tail {
      case .filter(let predicate): visit(predicate)
      case .window(let offset, let limit): [offset, limit].forEach { note($0) }
      case .sort(let keys): keys.forEach { note($0.expression) }
      case .distinct(let values): values.forEach { note($0) }
      }
    }
    [select.offset, select.limit, select.sectionsBy].forEach { note($0) }
    select.select?.forEach { note($0.expression) }
    select.sortBy.forEach { note($0.expression) }
    (select.groupBy + select.distinct).forEach { note($0) }
  }

  private mutating func visit(_ predicate: PredicateSyntax) {
    switch predicate.kind {
    case .and(let parts), .or(let parts): parts.forEach { visit($0) }
    case .not(let inner): visit(inner)
    case .truth(let expression): note(expression)
    case .named(let name):
      names.insert(name)
      if let definition = definitions.removeValue(forKey: name) { visit(definition) }
    case .constant: break
    case .comparison(let comparison):
      pair(comparison.left, comparison.right)
      pair(comparison.right, comparison.left)
    }
  }

  /// Notes the placeholders in `value`, which is compared with `subject`.
  private mutating func pair(_ subject: ExpressionSyntax, _ value: ExpressionSyntax) {
    note(value)
    guard let (path, type) = property(in: subject) else { return }
    switch value.kind {
    case .placeholder(let placeholder): set(placeholder, Use(type: type, path: path, range: value.range))
    case .list(let elements): elements.forEach { pair(subject, $0) }
    default: break
    }
  }

  /// The property that determines the type of an expression: a path, or arithmetic that contains one.
  private func property(in expression: ExpressionSyntax) -> (String, ScalarType)? {
    if let word = expression.word, let type = types[word] { return (word, type) }
    switch expression.kind {
    case .path(let path):
      var names: [String] = []
      for (place, step) in path.steps.enumerated() {
        switch step.kind {
        case .name(let name): names.append(name)
        // An aggregate of a group: a count is an integer, other aggregates have the type of their argument.
        case .operation("count"): return ("@count", .int)
        case .operation(let name) where place == 0 && name != "distinctUnionOfObjects": continue
        default: return nil
        }
      }
      let dotted = names.joined(separator: ".")
      return types[dotted].map { (dotted, $0) }
    case .arithmetic(let first, let steps):
      return ([first] + steps.map(\.operand)).lazy.compactMap { self.property(in: $0) }.first
    case .list(let elements): return elements.lazy.compactMap { self.property(in: $0) }.first
    default: return nil
    }
  }

  /// Notes which placeholders occur anywhere in an expression.
  private mutating func note(_ expression: ExpressionSyntax?) {
    guard let expression else { return }
    var stack = [expression]
    while let next = stack.popLast() {
      switch next.kind {
      case .placeholder(.named(let name)): names.insert(name)
      case .call(_, let parts), .list(let parts), .point(let parts): stack += parts
      case .unary(_, let inner): stack.append(inner)
      case .ternary(let predicate, let first, let second):
        visit(predicate)
        stack += [first, second]
      case .arithmetic(let first, let steps): stack += [first] + steps.map(\.operand)
      case .subquery(let path, _, let predicate, let tail):
        visit(predicate)
        stack += path.indexes + tail.indexes
      case .shape(.circle(let center, let radius, _)): stack += [center, radius]
      case .shape(.box(let first, let second)): stack += [first, second]
      case .shape(.polygon(let outer, let holes)): stack += outer + holes.flatMap(\.self)
      case .path(let path): stack += path.indexes
      case .literal, .placeholder: break
      }
    }
  }

  private mutating func set(_ placeholder: Placeholder, _ use: Use) {
    switch placeholder {
    case .sequential(let index, _), .positional(let index): if positional[index] == nil { positional[index] = use }
    case .named(let name): if named[name] == nil { named[name] = use }
    }
  }
}

extension PathSyntax {
  /// The expressions in brackets.
  fileprivate var indexes: [ExpressionSyntax] {
    steps.compactMap { if case .index(let index) = $0.kind { index } else { nil } }
  }
}
