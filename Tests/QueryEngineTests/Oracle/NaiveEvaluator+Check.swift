import PredicateLanguage
import Values

/// What is an error whatever the data.
extension NaiveEvaluator {
  /// A side of a comparison before there are data: the types of what stands there.
  struct SideType {
    var types: [OracleType]
    var isMany: Bool
    /// Whether CONTAINS asks for one of its elements, and not for a part of each.
    var hasMembers = true
    /// The expressions of the types; nil for the elements of a property.
    var expressions: [ExpressionSyntax]?
  }

  func check(_ filter: FilterSyntax) throws(OracleError) {
    let scope = OracleScope()
    if let predicate = filter.predicate { try check(predicate, scope) }
    for tail in filter.tails {
      switch tail {
      case .filter(let predicate): try check(predicate, scope)
      case .sort(let keys): for key in keys { try checkSingle(key.expression, scope) }
      case .distinct(let values):
        for value in values {
          let type = try type(of: value, scope)
          if !type.isObject, !isStructure(value, scope) { try checkSingle(value, scope) }
        }
      case .window: break
      }
    }
  }

  private func checkSingle(_ expression: ExpressionSyntax, _ scope: OracleScope) throws(OracleError) {
    if !(try type(of: expression, scope)).isScalar { throw OracleError("a struct has no order") }
  }

  func check(_ predicate: PredicateSyntax, _ scope: OracleScope) throws(OracleError) {
    switch predicate.kind {
    case .and(let parts), .or(let parts): for part in parts { try check(part, scope) }
    case .not(let inner): try check(inner, scope)
    case .constant: break
    case .truth(let expression):
      let side = try sideType(expression, scope)
      if side.isMany || side.types != [.bool] { throw OracleError("no boolean") }
    case .named(let name):
      guard let definition = definitions[name] else { throw OracleError("nothing is named \(name)") }
      try check(definition, scope)
    case .comparison(let comparison): try check(comparison, scope)
    }
  }

  private func check(_ comparison: ComparisonSyntax, _ scope: OracleScope) throws(OracleError) {
    if case .shape(let shape) = comparison.right.kind {
      guard comparison.comparator == .geoWithin || comparison.comparator == .isIn, comparison.rightQuantifier == nil
      else { throw OracleError("only a point lies in a shape") }
      if try manyPlaces(comparison.left, scope) == nil {
        guard comparison.quantifier == nil, try type(of: comparison.left, scope).isPointOrNull else {
          throw OracleError("only a point lies in a shape")
        }
      }
      return try OracleGeo(evaluator: self, scope: scope).check(shape)
    }
    let left = try sideType(comparison.left, scope, isRanged: comparison.quantifier != nil)
    let right = try sideType(comparison.right, scope, isRanged: comparison.rightQuantifier != nil)
    if comparison.quantifier != nil, !left.isMany { throw OracleError("a quantifier before a single value") }
    if comparison.rightQuantifier != nil, !right.isMany { throw OracleError("a quantifier before a single value") }
    if (left.types + right.types).contains(where: \.isObject),
      ![.equal, .notEqual, .isIn, .contains].contains(comparison.comparator)
    {
      throw OracleError("objects have no order")
    }
    let isPairwise =
      comparison.quantifier == nil && comparison.rightQuantifier == nil && left.isMany && right.isMany
    switch comparison.comparator {
    case .between:
      guard right.isMany, let bounds = right.expressions, bounds.count == 2 else { throw OracleError("two bounds") }
      try checkComparable(left, comparison.left, right, comparison.right, comparison.options)
    case .isIn where right.isMany:
      try checkComparable(left, comparison.left, right, comparison.right, comparison.options)
    case .contains where left.isMany && left.hasMembers && comparison.quantifier == nil && !isPairwise:
      try checkComparable(left, comparison.left, right, comparison.right, comparison.options)
    case .isIn, .contains, .beginsWith, .endsWith, .like, .matches:
      let types = left.types + right.types
      if comparison.comparator != .isIn, comparison.comparator != .matches, types.contains(.data) {
        guard types.allSatisfy({ $0 == .data || $0 == .null }) else { throw OracleError("Data with Data only") }
        guard comparison.options.isEmpty else { throw OracleError("options are for texts") }
        break
      }
      guard types.allSatisfy(\.isTextOrNull) else { throw OracleError("texts only") }
      if comparison.comparator == .matches {
        if comparison.options.contains(.diacriticInsensitive) { throw OracleError("MATCHES has no [d]") }
        guard isLiteral(comparison.right) || right.expressions?.allSatisfy(isLiteral) == true else {
          throw OracleError("the pattern is no constant")
        }
      }
    case .geoWithin: throw OracleError("no shape")
    case .text: throw OracleError("needs a full-text index")
    default:
      let hasQuantifier = comparison.quantifier != nil || comparison.rightQuantifier != nil
      if !hasQuantifier, left.isMany || right.isMany {
        // A written list against a single value is a mistake for IN.
        let isNil = isNilLiteral(comparison.left) || isNilLiteral(comparison.right)
        if !left.isMany, right.expressions != nil, !isNil { throw OracleError("IN is meant") }
        if !right.isMany, left.expressions != nil, !isNil { throw OracleError("IN is meant") }
      }
      try checkComparable(left, comparison.left, right, comparison.right, comparison.options)
    }
  }

  private func isNilLiteral(_ expression: ExpressionSyntax) -> Bool {
    isLiteral(expression) && constant(expression).isNull
  }

  /// Every value of one side with every value of the other.
  private func checkComparable(
    _ left: SideType, _ leftSyntax: ExpressionSyntax, _ right: SideType, _ rightSyntax: ExpressionSyntax,
    _ options: StringOptions
  ) throws(OracleError) {
    for (a, x) in zip(left.types, left.expressions ?? [leftSyntax]) {
      for (b, y) in zip(right.types, right.expressions ?? [rightSyntax]) { try checkComparable(a, x, b, y) }
    }
    let tested = left.isMany && left.expressions != nil ? right.types : left.types
    if !options.isEmpty, !tested.allSatisfy(\.isTextOrNull) { throw OracleError("options are for texts") }
  }

  private func checkComparable(
    _ a: OracleType, _ left: ExpressionSyntax, _ b: OracleType, _ right: ExpressionSyntax
  ) throws(OracleError) {
    if a == .null || b == .null || (a.isNumber && b.isNumber) { return }
    if a == b, a.isScalar || a.isObject { return }
    if case .object(let entity) = a, !b.isObject { return try checkComparable(try keyType(entity), left, b, right) }
    if case .object(let entity) = b, !a.isObject { return try checkComparable(a, left, try keyType(entity), right) }
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
    return OracleDates.instant(text) != nil
  }
}
