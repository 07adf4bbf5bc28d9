import PredicateLanguage
import Schema
import Values

/// An object as the oracle has it: a value for each column, by its dotted path.
struct OracleObject {
  var number: UInt64
  var values: [String: Value]
}

/// The meaning of a query: one object at a time, straight from the language's tables, too simple to be wrong.
///
/// It shares nothing with the query engine. What the engine finds must be what this finds, in the same order.
struct NaiveEvaluator {
  /// Mistakes that can be planted, to show that the comparison would notice them.
  enum Mistake: CaseIterable {
    case nilIsLess, notTurnsComparisons, intsAsDoubles, limitBeforeOffset, tiesReversed, emptyNeedleNeverMatches
  }

  let columns: [String: Column]
  let arguments: Arguments
  var mistake: Mistake?

  init(schema: Schema, entity: Entity, arguments: Arguments = Arguments(), mistake: Mistake? = nil) {
    columns = Dictionary(schema.columns(of: entity).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    self.arguments = arguments
    self.mistake = mistake
  }

  /// The numbers of the objects that the filter finds, in its order; `objects` are in insertion order.
  func rows(_ filter: FilterSyntax, of objects: [OracleObject]) throws(OracleError) -> [UInt64] {
    try check(filter)
    var rows = objects
    if let predicate = filter.predicate { rows = rows.filter { holds(predicate, $0) } }
    for tail in filter.tails {
      switch tail {
      case .sort(let keys): rows = sorted(rows, by: keys)
      case .distinct(let expressions):
        var seen: [[Value]] = []
        rows = rows.filter { row in
          let key = expressions.map { value($0, row) }
          if seen.contains(where: { zip($0, key).allSatisfy(OracleValues.same) }) { return false }
          seen.append(key)
          return true
        }
      case .window(let offset, let limit):
        let skipped = offset.map { count($0) } ?? 0
        let kept = limit.map { count($0) } ?? rows.count
        if mistake == .limitBeforeOffset {
          rows = Array(rows.prefix(kept).dropFirst(skipped))
        } else {
          rows = Array(rows.dropFirst(skipped).prefix(kept))
        }
      }
    }
    return rows.map(\.number)
  }

  private func count(_ expression: ExpressionSyntax) -> Int {
    if case .int(let number) = constant(expression) { return Int(number) }
    return 0
  }

  /// Sorted by the keys; what ties is in insertion order, whatever order there was before.
  private func sorted(_ rows: [OracleObject], by keys: [SortKeySyntax]) -> [OracleObject] {
    let values = rows.map { row in keys.map { value($0.expression, row) } }
    return rows.indices.sorted { left, right in
      for (place, key) in keys.enumerated() {
        let (a, b) = (values[left][place], values[right][place])
        if OracleValues.sortsBefore(a, b) { return key.ascending }
        if OracleValues.sortsBefore(b, a) { return !key.ascending }
      }
      return (rows[left].number < rows[right].number) != (mistake == .tiesReversed)
    }.map { rows[$0] }
  }

  // MARK: Predicates

  func holds(_ predicate: PredicateSyntax, _ row: OracleObject) -> Bool {
    switch predicate.kind {
    case .and(let parts): return parts.allSatisfy { holds($0, row) }
    case .or(let parts): return parts.contains { holds($0, row) }
    case .not(let inner):
      if mistake == .notTurnsComparisons, case .comparison(var comparison) = inner.kind,
        let opposite = [Comparator.less: Comparator.greaterOrEqual, .greater: .lessOrEqual][comparison.comparator]
      {
        comparison.comparator = opposite
        return holds(comparison, row)
      }
      return !holds(inner, row)
    case .constant(let value): return value
    case .truth(let expression): return value(expression, row) == .bool(true)
    case .named: return false
    case .comparison(let comparison): return holds(comparison, row)
    }
  }

  private func holds(_ comparison: ComparisonSyntax, _ row: OracleObject) -> Bool {
    let options = comparison.options
    switch comparison.comparator {
    case .between:
      let bounds = elements(comparison.right) ?? []
      guard bounds.count == 2 else { return false }
      let (low, a) = pair(bounds[0], comparison.left, row, options)
      let (high, b) = pair(bounds[1], comparison.left, row, options)
      return [.less, .equal].contains(OracleValues.order(low, a))
        && [.less, .equal].contains(OracleValues.order(b, high))
    case .isIn:
      if let elements = elements(comparison.right) {
        return elements.contains { element in
          let (a, b) = pair(comparison.left, element, row, options)
          return OracleValues.equal(a, b)
        }
      }
      return compareTexts(.contains, comparison.right, comparison.left, options, row)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return compareTexts(comparison.comparator, comparison.left, comparison.right, options, row)
    default:
      let (a, b) = pair(comparison.left, comparison.right, row, options)
      return compare(comparison.comparator, a, b)
    }
  }

  private func compare(_ comparator: Comparator, _ a: Value, _ b: Value) -> Bool {
    if mistake == .nilIsLess, a.isNull, !b.isNull, comparator == .less { return true }
    if mistake == .intsAsDoubles, let x = OracleArithmetic.double(a), let y = OracleArithmetic.double(b) {
      return compare(comparator, OracleValues.order(.double(x), .double(y)), bothNil: false)
    }
    return compare(comparator, OracleValues.order(a, b), bothNil: a.isNull && b.isNull)
  }

  private func compare(_ comparator: Comparator, _ order: OracleValues.Order?, bothNil: Bool) -> Bool {
    switch comparator {
    case .equal: return order == .equal || bothNil
    case .notEqual: return !(order == .equal || bothNil)
    case .less: return order == .less
    case .greater: return order == .greater
    case .lessOrEqual: return order == .less || order == .equal || bothNil
    case .greaterOrEqual: return order == .greater || order == .equal || bothNil
    default: return false
    }
  }

  private func compareTexts(
    _ comparator: Comparator, _ left: ExpressionSyntax, _ right: ExpressionSyntax, _ options: StringOptions,
    _ row: OracleObject
  ) -> Bool {
    guard case .string(let text) = value(left, row), case .string(let other) = value(right, row) else { return false }
    if mistake == .emptyNeedleNeverMatches, other.isEmpty { return false }
    switch comparator {
    case .like: return OracleText.like(text, other, options)
    case .matches:
      return OracleRegex(other)?.matches(text, ignoringCase: options.contains(.caseInsensitive)) ?? false
    default:
      return OracleText.contains(
        OracleText.folded(text, options), OracleText.folded(other, options), atFront: comparator == .beginsWith,
        atEnd: comparator == .endsWith)
    }
  }

  // MARK: Operands

  /// Both values as they compare: a literal takes the type of a property it stands against; options fold texts.
  private func pair(
    _ left: ExpressionSyntax, _ right: ExpressionSyntax, _ row: OracleObject, _ options: StringOptions
  ) -> (Value, Value) {
    let a = adapted(left, value(left, row), to: right)
    let b = adapted(right, value(right, row), to: left)
    return (folded(a, options), folded(b, options))
  }

  private func folded(_ value: Value, _ options: StringOptions) -> Value {
    if case .string(let text) = value { return .string(OracleText.folded(text, options)) }
    return value
  }

  private func adapted(_ expression: ExpressionSyntax, _ value: Value, to other: ExpressionSyntax) -> Value {
    guard isLiteral(expression), let type = try? type(of: other) else { return value }
    switch (type, value) {
    case (.float, .int(let number)): return .float(Float(number))
    case (.float, .double(let number)): return .float(Float(number))
    case (.bool, .int(let number)): return .bool(number != 0)
    case (.date, .string(let text)): return ISO8601.instant(text).map(Value.date) ?? .null
    default: return value
    }
  }

  func isLiteral(_ expression: ExpressionSyntax) -> Bool {
    switch expression.kind {
    case .literal, .placeholder: true
    default: false
    }
  }

  /// The value of a literal or argument.
  func constant(_ expression: ExpressionSyntax) -> Value {
    switch expression.kind {
    case .literal(let value): return value
    case .placeholder(.positional(let number)), .placeholder(.sequential(let number, _)):
      return number < arguments.positional.count ? arguments.positional[number] : .null
    case .placeholder(.named(let name)): return arguments.named[name] ?? .null
    default: return .null
    }
  }

  /// The elements of a list, written or given.
  func elements(_ expression: ExpressionSyntax) -> [ExpressionSyntax]? {
    if case .list(let elements) = expression.kind { return elements }
    if case .list(let values) = constant(expression) { return values.map { ExpressionSyntax(.literal($0)) } }
    return nil
  }

  func name(of path: PathSyntax) -> String? {
    var names: [String] = []
    for step in path.steps {
      guard case .name(let name) = step.kind else { return nil }
      names.append(name)
    }
    return path.variable == nil ? names.joined(separator: ".") : nil
  }

  /// The value of an expression in a row.
  func value(_ expression: ExpressionSyntax, _ row: OracleObject) -> Value {
    switch expression.kind {
    case .literal, .placeholder: return constant(expression)
    case .path(let path): return name(of: path).flatMap { row.values[$0] } ?? .null
    case .unary(.negate, let operand): return OracleArithmetic.negate(value(operand, row))
    case .unary(.complement, let operand): return OracleArithmetic.call("onescomplement", [value(operand, row)])
    case .arithmetic(let first, let steps):
      return steps.reduce(value(first, row)) { OracleArithmetic.apply($1.operation, $0, value($1.operand, row)) }
    case .call(let name, let operands): return OracleArithmetic.call(name, operands.map { value($0, row) })
    case .ternary(let condition, let yes, let no): return value(holds(condition, row) ? yes : no, row)
    case .list, .point, .shape, .subquery: return .null
    }
  }
}
