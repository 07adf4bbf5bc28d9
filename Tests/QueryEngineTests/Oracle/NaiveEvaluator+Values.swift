import PredicateLanguage
import Schema
import Values

/// What expressions are worth in a scope.
extension NaiveEvaluator {
  /// A side of a comparison.
  ///
  /// - Parameter isRanged: whether a quantifier stands before it.
  func side(_ expression: ExpressionSyntax, _ scope: OracleScope, isRanged: Bool = false) -> OracleSide {
    if isRanged, let each = elementwise(expression, scope) {
      let items = (each.read(scope) ?? []).map { item(each.expression, self.scope(scope, $0, each.type)) }
      return OracleSide(items: items, isMany: true)
    }
    if let elements = elements(expression) {
      return OracleSide(items: elements.map { item($0, scope) }, isMany: true, isOwn: true)
    }
    switch source(expression, scope) {
    case .many(let type, let kind, let read)?:
      let values = read(scope)
      return OracleSide(
        items: (values ?? []).map { OracleItem(value: $0, type: type) }, isMany: true, isNil: values == nil,
        isOwn: isOwn(expression, scope), isOfNothing: isOfNothing(expression, scope),
        hasMembers: !kind.isThrough || type != .string)
    case .structure(let place)?:
      guard case .many = place.owner else { return OracleSide(items: [item(expression, scope)], isMany: false) }
      let structs = structures(place, scope)
      return OracleSide(items: structs.map { OracleItem(value: $0, type: .structure) }, isMany: true)
    default: return OracleSide(items: [item(expression, scope)], isMany: false)
    }
  }

  private func item(_ expression: ExpressionSyntax, _ scope: OracleScope) -> OracleItem {
    // A path knows its type; it has been checked, with all that is inside a SUBQUERY, before there were data.
    if case .single(let type, let read)? = source(expression, scope) {
      return OracleItem(value: read(scope), type: type)
    }
    return OracleItem(
      value: value(expression, scope), type: (try? type(of: expression, scope)) ?? .null,
      isLiteral: isLiteral(expression), isMeasured: Self.isMeasured(expression))
  }

  private static func isMeasured(_ expression: ExpressionSyntax) -> Bool {
    switch expression.kind {
    case .call("distance", _): true
    case .call(_, let operands): operands.contains(where: isMeasured)
    case .unary(_, let operand): isMeasured(operand)
    case .arithmetic(let first, let steps): isMeasured(first) || steps.contains { isMeasured($0.operand) }
    case .ternary(_, let yes, let no): isMeasured(yes) || isMeasured(no)
    default: false
    }
  }

  /// The path that a path or SUBQUERY is.
  func source(_ expression: ExpressionSyntax, _ scope: OracleScope) -> OraclePath? {
    switch expression.kind {
    case .path(let path): try? resolve(path, scope)
    case .subquery(let path, let variable, let predicate, let tail):
      try? subquery(path, variable, predicate, tail, scope)
    default: nil
    }
  }

  /// A number as one of a type.
  private static func converted(_ value: Value, to type: OracleType) -> Value {
    switch (type, value) {
    case (.double, .int), (.double, .float), (.double, .decimal):
      OracleArithmetic.double(value).map(Value.double) ?? .null
    case (.decimal, .int(let number)): .decimal(DecimalValue(number))
    default: value
    }
  }

  /// The value of an expression.
  func value(_ expression: ExpressionSyntax, _ scope: OracleScope) -> Value {
    switch expression.kind {
    case .literal, .placeholder: return constant(expression)
    case .path, .subquery:
      switch source(expression, scope) {
      case .single(_, let read)?: return read(scope)
      case .structure(let place)?: return structure(place, scope)
      case .many, nil: return .null
      }
    case .unary(.negate, let operand): return OracleArithmetic.negate(value(operand, scope))
    case .unary(.complement, let operand): return OracleArithmetic.call("onescomplement", [value(operand, scope)])
    case .arithmetic(let first, let steps):
      let (isExact, exactSteps) = (try? exactOperands(first, steps, scope)) ?? (false, [])
      var result = isExact ? OracleArithmetic.digits(value(first, scope)) : value(first, scope)
      for (place, step) in steps.enumerated() {
        let operand = value(step.operand, scope)
        result = OracleArithmetic.apply(
          step.operation, result, exactSteps.contains(place) ? OracleArithmetic.digits(operand) : operand)
      }
      return result
    case .call("now", _): return .date(OracleDates.now)
    case .call("distance", let operands):
      return OracleGeo(evaluator: self, scope: scope).distance(value(operands[0], scope), value(operands[1], scope))
    case .call(let name, let operands):
      guard OracleAggregates.functions.contains(name.lowercased()) else {
        let result = OracleArithmetic.call(name, operands.map { value($0, scope) })
        if name.lowercased() == "coalesce" {
          let types = operands.map { (try? type(of: $0, scope)) ?? .null }
          return Self.converted(result, to: (try? coalesced(types)) ?? .null)
        }
        return result
      }
      let items = operands.flatMap { side($0, scope).items }
      return aggregate(name.lowercased(), items.map(\.value), type: (try? type(of: expression, scope)) ?? .double)
    case .ternary(let condition, let yes, let no): return value(holds(condition, scope) ? yes : no, scope)
    case .point(let coordinates):
      return .list(coordinates.map { OracleArithmetic.double(value($0, scope)).map(Value.double) ?? .null })
    case .list, .shape: return .null
    }
  }

  /// The object itself. A struct is a point if it has the coordinates of one; else all there is to know is whether it
  /// is there.
  private func structure(_ place: OraclePlace, _ scope: OracleScope) -> Value {
    if case .one(let object) = place.owner, object(scope).isNull { return .null }
    if place.isObject { return OracleWorld.object(place.entity, scope.object.number) }
    if world.columns[place.entity]?[place.path] != nil, value(place.path, of: place, scope)?.isNull ?? true {
      return .null
    }
    guard isPoint(place) else { return .bool(true) }
    let coordinates = ["longitude", "latitude"].map { value(place.path + "." + $0, of: place, scope) ?? .null }
    return coordinates.contains(where: \.isNull) ? .null : .list(coordinates)
  }

  /// The place in each of many objects; nil where the expression is no such thing.
  func manyPlaces(_ expression: ExpressionSyntax, _ scope: OracleScope) throws(OracleError) -> [Value]? {
    let path: OraclePath
    switch expression.kind {
    case .path, .subquery: path = try checkedSource(expression, scope)
    default: return nil
    }
    guard case .structure(let place) = path, case .many = place.owner, isPoint(place) else { return nil }
    return structures(place, scope)
  }

  /// What a struct is in each of many objects.
  private func structures(_ place: OraclePlace, _ scope: OracleScope) -> [Value] {
    guard case .many(let objects) = place.owner else { return [] }
    return (objects(scope) ?? []).map { object in
      structure(OraclePlace(entity: place.entity, path: place.path, owner: .one { _ in object }), scope)
    }
  }

  /// Whether a struct is a place: an embedded value with Double longitude and latitude.
  func isPoint(_ place: OraclePlace) -> Bool {
    ["longitude", "latitude"].allSatisfy {
      world.columns[place.entity]?[place.path + "." + $0]?.kind == .scalar(.double)
    }
  }

  func aggregate(_ name: String, _ values: [Value], type: OracleType) -> Value {
    if mistake == .countSkipsNaN, name == "count" {
      return .int(Int64(values.count { OracleValues.order($0, $0) != nil }))
    }
    if linkMistake == .aggregateCountsNilAsZero, name == "avg" || name == "min", values.contains(where: \.isNull) {
      return aggregate(name, values.filter { !$0.isNull } + [.int(0)], type: type)
    }
    let result = OracleAggregates.reduce(name, values, type: type)
    if mistake == .averageOfNothingIsZero, name == "avg", result.isNull { return .double(0) }
    if mistake == .sumWraps, name == "sum", type == .int, result.isNull {
      return .int(values.reduce(Int64(0)) { if case .int(let number) = $1 { $0 &+ number } else { $0 } })
    }
    return result
  }
}
