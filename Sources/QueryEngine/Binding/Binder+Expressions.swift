internal import Diagnostics
internal import PredicateLanguage
internal import Storage
internal import Values

extension Binder {
  /// Binds an expression. Returns nil after an error, which is reported.
  mutating func expression(_ syntax: ExpressionSyntax) -> BoundExpression? {
    if stops() { return nil }
    StepCounter.add()
    if groups != nil, let found = groupValue(syntax) { return single(found.content, syntax) }
    switch syntax.kind {
    case .literal(let value):
      if case .embedded = value {
        report(.typeMismatch, "a struct cannot be compared", syntax.range)
        return nil
      }
      if case .object(let object) = value {
        guard schema.entity(named: object.entity) == nil else { return .object(object) }
        let names = schema.entities.map(\.name)
        let near = Suggestion.nearest(to: object.entity, among: names)
        report(
          .unknownEntity, "there is no entity '\(object.entity)'", syntax.range,
          notes: [(near.map { "did you mean '\($0)'? " } ?? "") + "the store has \(names.joined(separator: ", "))"])
        return nil
      }
      return .constant(value)
    case .placeholder:
      report(.missingArgument, "a placeholder was given no value", syntax.range)
      return nil
    case .path, .subquery: return single(content(syntax), syntax)
    case .unary(let operation, let operand): return unary(operation, operand)
    case .arithmetic(let first, let steps): return arithmetic(first, steps)
    case .call(let name, let operands): return call(name, operands, range: syntax.range)
    case .list:
      report(.typeMismatch, "a list is many values, and one is needed here", syntax.range)
      return nil
    case .ternary(let condition, let yes, let no): return ternary(condition, yes, no, range: syntax.range)
    case .point, .shape:
      let isPoint = if case .point = syntax.kind { true } else { false }
      report(
        .typeMismatch, "a point or shape can only stand with geoWithin, IN and distance()", syntax.range,
        notes: isPoint ? ["whether two points are near each other is 'distance(a, b) < 10', in metres"] : [])
      return nil
    }
  }

  /// The single value at the end of a path or SUBQUERY; reports a collection.
  private mutating func single(_ content: BoundOperand.Content?, _ syntax: ExpressionSyntax) -> BoundExpression? {
    switch content {
    case .single(let expression)?: return expression
    case .many(let collection)?: return anyElement(of: collection, syntax)
    case nil: return nil
    }
  }

  private mutating func unary(_ operation: UnaryOperator, _ syntax: ExpressionSyntax) -> BoundExpression? {
    guard let operand = expression(syntax) else { return nil }
    switch operation {
    case .negate:
      if operand.type.isNumeric || operand.type == .null { return .negate(operand) }
      report(.typeMismatch, "\(described(syntax, operand)); only a number has a '-' before it", syntax.range)
    case .complement:
      if operand.type == .int || operand.type == .null { return .complement(operand) }
      report(.typeMismatch, "\(described(syntax, operand)); only an Int has a '~' before it", syntax.range)
    }
    return nil
  }

  private mutating func arithmetic(_ first: ExpressionSyntax, _ steps: [ArithmeticStep]) -> BoundExpression? {
    var type = ExpressionType.null
    var start = expression(first)
    if let start { type = start.type }
    var failed = start == nil
    var bound: [BoundExpression.Step] = []
    var range = first.range
    for (index, step) in steps.enumerated() {
      guard var operand = expression(step.operand) else {
        failed = true
        continue
      }
      if failed { continue }
      if step.operation != .power {
        if type == .decimal {
          guard let exact = decimal(operand, step.operand) else { return nil }
          operand = exact
        } else if index == 0, operand.type == .decimal, let number = start {
          guard let exact = decimal(number, first) else { return nil }
          start = exact
          type = exact.type
        }
      }
      range = range.union(step.operand.range)
      guard let result = Self.type(step.operation, type, operand.type) else {
        let left = index == 0 ? start.map { described(first, $0) } ?? "" : "the left side is \(type.name)"
        let hint =
          operand.type == .string || type == .string ? ["'concat(a, b)' joins texts"] : []
        report(
          .typeMismatch,
          "'\(step.operation.rawValue)' does not go between these: \(left) and \(described(step.operand, operand))",
          step.range.upperBound > step.range.lowerBound ? step.range : range, notes: hint)
        failed = true
        continue
      }
      type = result
      bound.append(BoundExpression.Step(operation: step.operation, operand: operand, type: type))
    }
    guard !failed, let start else { return nil }
    return .arithmetic(start, bound)
  }

  /// The result type of an operation; nil if the operation does not take these types.
  private static func type(
    _ operation: BinaryOperator, _ left: ExpressionType, _ right: ExpressionType
  ) -> ExpressionType? {
    let leftIsNumber = left.isNumeric || left == .null
    let rightIsNumber = right.isNumeric || right == .null
    switch operation {
    case .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor:
      return (left == .int || left == .null) && (right == .int || right == .null) ? .int : nil
    case .add, .subtract:
      if left == .date, right == .date { return operation == .subtract ? .double : nil }
      if left == .date, rightIsNumber { return .date }
      if right == .date, leftIsNumber, operation == .add { return .date }
    case .multiply, .divide, .power: break
    }
    return leftIsNumber && rightIsNumber ? Arithmetic.type(operation, left, right) : nil
  }

  private mutating func call(
    _ name: String, _ syntaxes: [ExpressionSyntax], range: SourceRange
  ) -> BoundExpression? {
    let bare = name.lowercased().filter { $0 != ":" }
    if bare == "now" {
      if syntaxes.isEmpty { return .now }
      report(.wrongArgumentCount, "now() takes no arguments", range)
      return nil
    }
    if let reduction = AggregateFunction(function: name) {
      return self.reduction(reduction, name, syntaxes, range: range)
    }
    if bare == "distance" { return distance(syntaxes, range: range) }
    guard let function = ScalarFunction(name: name) else {
      let near = Suggestion.nearest(to: name, among: PredicateFunction.all.map(\.name))
      report(
        .unknownFunction, "there is no function '\(name)'", range,
        notes: [near.map { "did you mean '\($0)'?" } ?? PredicateFunction.listed])
      return nil
    }
    guard function.arity.contains(syntaxes.count) else {
      report(
        .wrongArgumentCount,
        "'\(name)' takes \(PredicateFunction.description(ofArity: function.arity)), not \(syntaxes.count)", range)
      for syntax in syntaxes { _ = expression(syntax) }
      return nil
    }
    var operands: [BoundExpression] = []
    for (place, syntax) in syntaxes.enumerated() {
      guard let operand = expression(syntax) else { continue }
      operands.append(operand)
      if !function.accepts(operand.type, at: place) {
        report(
          .typeMismatch,
          "'\(name)' takes \(function.parameter(at: place)), but \(described(syntax, operand))", syntax.range)
      }
    }
    guard operands.count == syntaxes.count,
      zip(operands, operands.indices).allSatisfy({ function.accepts($0.type, at: $1) })
    else { return nil }
    switch function.family {
    case .bucket: return bucket(operands[0], operands[1], syntaxes[1])
    case .first: return firstOf(operands, syntaxes, range: range)
    case .rounding, .real, .arithmetic, .bits, .string, .folding, .length, .joined, .part, .replaced, .calendar,
      .distance:
      return function.type(of: operands.map(\.type)) == nil ? nil : .call(function, operands)
    }
  }

  private mutating func ternary(
    _ condition: PredicateSyntax, _ yes: ExpressionSyntax, _ no: ExpressionSyntax, range: SourceRange
  ) -> BoundExpression? {
    guard let bound = asOne({ $0.predicate(condition) }) else { return nil }
    guard let first = expression(yes), let second = expression(no) else { return nil }
    guard BoundExpression.common(first.type, second.type) != nil, first.type != .structure else {
      report(
        .typeMismatch,
        "both results of TERNARY must be of one type, but \(described(yes, first)) and \(described(no, second))",
        range)
      return nil
    }
    return .ternary(bound, first, second)
  }
}
