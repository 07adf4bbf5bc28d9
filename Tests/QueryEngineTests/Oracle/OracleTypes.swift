import PredicateLanguage
import Schema
import Values

/// What an expression is, as far as the language cares.
enum OracleType: Equatable {
  case null, bool, int, float, double, number, string, date, uuid, data, structure

  init(_ type: ScalarType) {
    switch type {
    case .bool: self = .bool
    case .int8, .int16, .int32, .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .data
    }
  }

  init(_ value: Value) throws(OracleError) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .data
    case .list, .embedded: throw OracleError("a list or struct is no single value")
    }
  }

  var isNumber: Bool { self == .int || self == .float || self == .double || self == .number }
  var isNumberOrNull: Bool { isNumber || self == .null }
  var isIntOrNull: Bool { self == .int || self == .null }
  var isTextOrNull: Bool { self == .string || self == .null }
}

/// Why a predicate is no query: an error when it is compiled.
struct OracleError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

extension NaiveEvaluator {
  // MARK: Predicates

  /// Throws when the filter is an error whatever the data.
  func check(_ filter: FilterSyntax) throws(OracleError) {
    if let predicate = filter.predicate { try check(predicate) }
    for tail in filter.tails {
      switch tail {
      case .sort(let keys): for key in keys { try checkSingle(key.expression) }
      case .distinct(let values): for value in values { try checkSingle(value) }
      case .window: break
      }
    }
  }

  private func checkSingle(_ expression: ExpressionSyntax) throws(OracleError) {
    if try type(of: expression) == .structure { throw OracleError("a struct has no order") }
  }

  func check(_ predicate: PredicateSyntax) throws(OracleError) {
    switch predicate.kind {
    case .and(let parts), .or(let parts): for part in parts { try check(part) }
    case .not(let inner): try check(inner)
    case .constant: break
    case .truth(let expression):
      if try type(of: expression) != .bool { throw OracleError("no boolean") }
    case .named: throw OracleError("no definitions here")
    case .comparison(let comparison): try check(comparison)
    }
  }

  private func check(_ comparison: ComparisonSyntax) throws(OracleError) {
    guard comparison.quantifier == nil, comparison.rightQuantifier == nil else { throw OracleError("no collections") }
    switch comparison.comparator {
    case .between:
      guard let bounds = elements(comparison.right), bounds.count == 2 else { throw OracleError("two bounds") }
      for bound in bounds { try checkComparable(comparison.left, bound) }
      try checkOptions(comparison)
    case .isIn:
      if let elements = elements(comparison.right) {
        for element in elements { try checkComparable(comparison.left, element) }
        try checkOptions(comparison)
      } else {
        guard try type(of: comparison.left).isTextOrNull, try type(of: comparison.right).isTextOrNull else {
          throw OracleError("IN takes a list or texts")
        }
      }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard try type(of: comparison.left).isTextOrNull, try type(of: comparison.right).isTextOrNull else {
        throw OracleError("texts only")
      }
      if comparison.comparator == .matches {
        if comparison.options.contains(.diacriticInsensitive) { throw OracleError("MATCHES has no [d]") }
        guard isLiteral(comparison.right) else { throw OracleError("the pattern is no constant") }
      }
    case .geoWithin, .text: throw OracleError("not yet")
    default:
      if elements(comparison.left) != nil || elements(comparison.right) != nil { throw OracleError("a list") }
      try checkComparable(comparison.left, comparison.right)
      try checkOptions(comparison)
    }
  }

  private func checkOptions(_ comparison: ComparisonSyntax) throws(OracleError) {
    if comparison.options.isEmpty { return }
    guard try type(of: comparison.left).isTextOrNull else { throw OracleError("options are for texts") }
  }

  private func checkComparable(_ left: ExpressionSyntax, _ right: ExpressionSyntax) throws(OracleError) {
    let (a, b) = (try type(of: left), try type(of: right))
    if a == .null || b == .null || (a.isNumber && b.isNumber) { return }
    if a == b, a != .structure { return }
    if a == .bool, isZeroOrOne(right) { return }
    if b == .bool, isZeroOrOne(left) { return }
    if a == .date, b == .string, isDate(right) { return }
    if b == .date, a == .string, isDate(left) { return }
    throw OracleError("\(a) and \(b) do not compare")
  }

  private func isZeroOrOne(_ expression: ExpressionSyntax) -> Bool {
    guard isLiteral(expression) else { return false }
    let value = constant(expression)
    return value == .int(0) || value == .int(1)
  }

  private func isDate(_ expression: ExpressionSyntax) -> Bool {
    guard isLiteral(expression), case .string(let text) = constant(expression) else { return false }
    return ISO8601.instant(text) != nil
  }

  // MARK: Expressions

  func type(of expression: ExpressionSyntax) throws(OracleError) -> OracleType {
    switch expression.kind {
    case .literal(let value): return try OracleType(value)
    case .placeholder: return try OracleType(constant(expression))
    case .path(let path): return try type(of: path)
    case .unary(let operation, let operand):
      let type = try type(of: operand)
      guard operation == .negate ? type.isNumberOrNull : type.isIntOrNull else { throw OracleError("no number") }
      return type == .float ? .double : type
    case .arithmetic(let first, let steps):
      var result = try type(of: first)
      for step in steps { result = try type(step.operation, result, try type(of: step.operand)) }
      return result
    case .call(let name, let operands):
      var types: [OracleType] = []
      for operand in operands { types.append(try type(of: operand)) }
      return try type(name.lowercased(), types)
    case .ternary(let condition, let yes, let no):
      try check(condition)
      let (a, b) = (try type(of: yes), try type(of: no))
      if a == .structure || b == .structure { throw OracleError("a struct") }
      if a == b || b == .null { return a }
      if a == .null { return b }
      if a.isNumber && b.isNumber { return .number }
      throw OracleError("results of two types")
    case .list, .point, .shape, .subquery: throw OracleError("no single value")
    }
  }

  private func type(of path: PathSyntax) throws(OracleError) -> OracleType {
    guard let name = name(of: path) else { throw OracleError("no plain path") }
    if let column = columns[name] {
      if case .scalar(let type) = column.kind { return OracleType(type) }
      return .structure
    }
    throw OracleError("no property \(name)")
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
      if a.isNumberOrNull && b.isNumberOrNull { return a.isIntOrNull && b.isIntOrNull ? .int : .number }
    }
    throw OracleError("'\(operation.rawValue)' between \(a) and \(b)")
  }

  private func type(_ name: String, _ types: [OracleType]) throws(OracleError) -> OracleType {
    let result: OracleType?
    switch name {
    case "abs", "ceiling", "floor", "round", "trunc": result = types.allSatisfy(\.isNumberOrNull) ? types[0] : nil
    case "sqrt", "exp", "ln", "log": result = types.allSatisfy(\.isNumberOrNull) ? .double : nil
    case "raise:topower:", "modulus:by:":
      result = types.allSatisfy(\.isNumberOrNull) ? (types.allSatisfy(\.isIntOrNull) ? .int : .number) : nil
    case "bitwiseand:with:", "bitwiseor:with:", "bitwisexor:with:", "leftshift:by:", "rightshift:by:", "onescomplement":
      result = types.allSatisfy(\.isIntOrNull) ? .int : nil
    case "uppercase", "lowercase": result = types.allSatisfy(\.isTextOrNull) ? .string : nil
    case "length": result = types.allSatisfy(\.isTextOrNull) ? .int : nil
    case "year", "month", "day", "hour": result = types.allSatisfy { $0 == .date || $0 == .null } ? .int : nil
    default: result = nil
    }
    guard let result else { throw OracleError("'\(name)' does not take \(types)") }
    return result == .float ? .double : result
  }
}
