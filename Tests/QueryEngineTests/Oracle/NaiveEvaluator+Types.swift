import PredicateLanguage
import Values

/// The types of expressions.
extension NaiveEvaluator {
  /// - Parameter isRanged: whether a quantifier stands before it.
  func sideType(
    _ expression: ExpressionSyntax, _ scope: OracleScope, isRanged: Bool = false
  ) throws(OracleError) -> SideType {
    if isRanged, let each = elementwise(expression, scope) {
      return SideType(types: [try type(of: each.expression, self.scope(scope, .null, each.type))], isMany: true)
    }
    if let elements = elements(expression) {
      var types: [OracleType] = []
      for element in elements { types.append(try type(of: element, scope)) }
      return SideType(types: types, isMany: true, expressions: elements)
    }
    switch expression.kind {
    case .path, .subquery:
      switch try checkedSource(expression, scope) {
      case .many(let type, let kind, _):
        return SideType(types: [type], isMany: true, hasMembers: !kind.isThrough || type != .string)
      case .structure(let place):
        if case .many = place.owner { return SideType(types: [.structure], isMany: true) }
      case .single: break
      }
    default: break
    }
    return SideType(types: [try type(of: expression, scope)], isMany: false)
  }

  func checkedSource(_ expression: ExpressionSyntax, _ scope: OracleScope) throws(OracleError) -> OraclePath {
    switch expression.kind {
    case .path(let path): return try resolve(path, scope)
    case .subquery(let path, let variable, let predicate, let tail):
      var inner = scope
      inner.variables[variable] = try elements(path, scope).element
      try check(predicate, inner)
      return try subquery(path, variable, predicate, tail, scope)
    default: throw OracleError("no path")
    }
  }

  /// The type of a single value.
  func type(of expression: ExpressionSyntax, _ scope: OracleScope) throws(OracleError) -> OracleType {
    switch expression.kind {
    case .literal(let value): return try OracleType(value)
    case .placeholder: return try OracleType(constant(expression))
    case .path, .subquery:
      switch try checkedSource(expression, scope) {
      case .single(let type, _): return type
      case .structure(let place):
        if case .many = place.owner { throw OracleError("a struct of each of many") }
        return place.isObject ? .object(place.entity) : isPoint(place) ? .point : .structure
      case .many: throw OracleError("many values where one is wanted")
      }
    case .unary(let operation, let operand):
      let type = try type(of: operand, scope)
      guard operation == .negate ? type.isNumberOrNull : type.isIntOrNull else { throw OracleError("no number") }
      return type == .float ? .double : type
    case .arithmetic(let first, let steps):
      let (isExact, exactSteps) = try exactOperands(first, steps, scope)
      var result = isExact ? .decimal : try type(of: first, scope)
      for (place, step) in steps.enumerated() {
        result = try type(
          step.operation, result, exactSteps.contains(place) ? .decimal : try type(of: step.operand, scope))
      }
      return result
    case .call("now", _): return .date
    case .call("distance", let operands):
      for operand in operands where !(try type(of: operand, scope)).isPointOrNull { throw OracleError("no point") }
      return .double
    case .call(let name, let operands):
      var types: [OracleType] = []
      guard OracleAggregates.functions.contains(name.lowercased()) else {
        for operand in operands { types.append(try type(of: operand, scope)) }
        return try type(name.lowercased(), types)
      }
      for operand in operands { types += try sideType(operand, scope).types }
      guard let result = try OracleAggregates.type(name.lowercased(), types) else { throw OracleError("no function") }
      return result
    case .ternary(let condition, let yes, let no):
      try check(condition, scope)
      let (a, b) = (try type(of: yes, scope), try type(of: no, scope))
      if [a, b].contains(where: { !$0.isScalar && !$0.isObject }) { throw OracleError("a struct") }
      if a == b || b == .null { return a }
      if a == .null { return b }
      if a.isNumber && b.isNumber { return .number }
      throw OracleError("results of two types")
    case .point(let coordinates):
      guard coordinates.count == 2 else { throw OracleError("a point has two coordinates") }
      for coordinate in coordinates where !(try type(of: coordinate, scope)).isNumber { throw OracleError("no number") }
      return .point
    case .list, .shape: throw OracleError("no single value")
    }
  }

  /// Which operands are numbers with a point beside a Decimal, and so mean their digits: the first, and by place among
  /// the others.
  func exactOperands(
    _ first: ExpressionSyntax, _ steps: [ArithmeticStep], _ scope: OracleScope
  ) throws(OracleError) -> (first: Bool, others: Set<Int>) {
    func isWritten(_ operand: ExpressionSyntax) -> Bool {
      if case .double(let number) = constant(operand) { DecimalValue(shortest: number) != nil } else { false }
    }
    var isFirst = false
    var others: Set<Int> = []
    var left = try type(of: first, scope)
    for (place, step) in steps.enumerated() {
      var right = try type(of: step.operand, scope)
      if step.operation != .power {
        if left == .decimal, isWritten(step.operand) {
          others.insert(place)
          right = .decimal
        } else if place == 0, right == .decimal, isWritten(first) {
          isFirst = true
          left = .decimal
        }
      }
      left = try type(step.operation, left, right)
    }
    return (isFirst, others)
  }

  private func type(
    _ operation: BinaryOperator, _ a: OracleType, _ b: OracleType
  ) throws(OracleError) -> OracleType {
    switch operation {
    case .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor:
      if a.isIntOrNull && b.isIntOrNull { return .int }
    case .subtract where a == .date && b == .date: return .double
    case .add where a == .date && b.isNumberOrNull, .subtract where a == .date && b.isNumberOrNull: return .date
    case .add where b == .date && a.isNumberOrNull: return .date
    default:
      if a == .null && b == .null { return .null }
      if a.isNumberOrNull && b.isNumberOrNull {
        if a.isIntOrNull && b.isIntOrNull { return .int }
        let isDecimal = operation == .power ? a == .decimal && b.isIntOrNull : a.isExactOrNull && b.isExactOrNull
        return isDecimal ? .decimal : .number
      }
    }
    throw OracleError("'\(operation.rawValue)' between \(a) and \(b)")
  }

  private func type(_ name: String, _ types: [OracleType]) throws(OracleError) -> OracleType {
    let result: OracleType?
    switch name {
    case "round" where types.count == 2:
      result = types[0].isNumberOrNull && types[1].isIntOrNull ? types[0] : nil
    case "substring":
      result = types[0].isTextOrNull && types.dropFirst().allSatisfy(\.isIntOrNull) ? .string : nil
    case "bucket": result = types[0] == .date || types[0] == .null ? .date : nil
    case "coalesce": result = try coalesced(types)
    case "abs", "ceiling", "floor", "round", "trunc": result = types.allSatisfy(\.isNumberOrNull) ? types[0] : nil
    case "sqrt", "exp", "ln", "log": result = types.allSatisfy(\.isNumberOrNull) ? .double : nil
    case "raise:topower:", "modulus:by:":
      let isDecimal =
        name.hasPrefix("raise")
        ? types[0] == .decimal && types.dropFirst().allSatisfy(\.isIntOrNull) : types.allSatisfy(\.isExactOrNull)
      result =
        types.allSatisfy(\.isNumberOrNull)
        ? (types.allSatisfy(\.isIntOrNull) ? .int : isDecimal ? .decimal : .number) : nil
    case "bitwiseand:with:", "bitwiseor:with:", "bitwisexor:with:", "leftshift:by:", "rightshift:by:", "onescomplement":
      result = types.allSatisfy(\.isIntOrNull) ? .int : nil
    case "uppercase", "lowercase", "firstletter", "concat", "trim", "replace":
      result = types.allSatisfy(\.isTextOrNull) ? .string : nil
    case "length": result = types.allSatisfy(\.isTextOrNull) ? .int : nil
    case "year", "month", "day", "hour", "minute", "second", "weekday":
      result = types.allSatisfy { $0 == .date || $0 == .null } ? .int : nil
    default: result = nil
    }
    guard let result else { throw OracleError("'\(name)' does not take \(types)") }
    return result == .float ? .double : result
  }

  /// What values of several types are all turned into: a Double if one of them is, else a Decimal.
  func coalesced(_ types: [OracleType]) throws(OracleError) -> OracleType {
    let types = types.filter { $0 != .null }
    guard let first = types.first else { return .null }
    if types.allSatisfy({ $0 == first }) { return first == .float ? .double : first }
    guard types.allSatisfy(\.isNumber) else { throw OracleError("values of two types") }
    if types.contains(where: { $0 == .double || $0 == .float }) { return .double }
    return types.allSatisfy({ $0 == .decimal || $0 == .int }) ? .decimal : .number
  }
}
