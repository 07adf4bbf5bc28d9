internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Comparisons of objects with objects, or with values of their unique property.
extension Binder {
  /// If one side has objects and the other values, replaces the objects by their unique property, as in
  /// `assignee == 'Alex'`. Returns nil after an error.
  mutating func keyed(
    _ left: BoundOperand, _ right: BoundOperand, range: SourceRange
  ) -> (left: BoundOperand, right: BoundOperand)? {
    switch (left.elementType?.objectEntity, right.elementType?.objectEntity) {
    case (let entity?, nil) where right.elementType != .null && !right.isEmptyList:
      return byKey(left, entity, comparedWith: right, range).map { ($0, right) }
    case (nil, let entity?) where left.elementType != .null && !left.isEmptyList:
      return byKey(right, entity, comparedWith: left, range).map { (left, $0) }
    default: return (left, right)
    }
  }

  private mutating func byKey(
    _ operand: BoundOperand, _ name: String, comparedWith other: BoundOperand, _ range: SourceRange
  ) -> BoundOperand? {
    // A list that mixes objects and other values is reported when its values are fitted.
    guard other.elementType != nil || other.list?.contains(where: { $0.type.objectEntity != nil }) == false,
      let entity = linkedEntity(name)
    else { return operand }
    let keys = entity.stored.indexes.filter { $0.isUnique && $0.columns.count == 1 }.compactMap(\.columns.first)
    guard keys.count == 1, let key = keys.first else {
      report(
        .typeMismatch, "\(described(operand)), which is compared with objects", range,
        notes: [
          keys.isEmpty
            ? "\(name) has no unique property to tell its objects apart by"
            : "\(name) has several unique properties: write which one after a dot"
        ] + advice(operand.syntax, .object(name), isMany: operand.collection != nil, with: other.elementType))
      return nil
    }
    guard isKeyed(operand, entity.stored, by: key, with: other, range) else { return nil }
    let type = entity.stored.columns[key].elementType
    func property(_ number: BoundExpression) -> BoundExpression {
      .property(BoundObject(entity: entity, number: number), key, type)
    }
    var result = operand
    switch operand.content {
    case .single(let value): result.content = .single(property(value))
    case .many(.list(let values)):
      // Objects written in a list are each replaced by their property.
      result.content = .many(.list(values.map { $0.constant?.isNull == true ? $0 : property($0) }))
    case .many(let collection):
      result.content = .many(
        .each(collection, level: depth, property(.element(level: depth, collection.elementType ?? .null))))
      depth += 1
    }
    return result
  }

  /// Reports an ordered comparison of objects, which have no order.
  mutating func isOrderOfObjects(
    _ syntax: ComparisonSyntax, _ operand: BoundOperand, _ other: BoundOperand, range: SourceRange
  ) -> Bool {
    guard syntax.comparator != .equal, syntax.comparator != .notEqual else { return false }
    if operand.syntax.isAllLinks, case .joined([])? = operand.collection {
      // The collection has no element type, so a comparison with a number would not be reported otherwise.
      report(
        .typeMismatch, "'\(operand.syntax.predicateFormat)' is a collection of objects", operand.syntax.range,
        notes: ["nothing can link to \(entity.name): '@links.@count' is 0"])
      return true
    }
    guard let entity = operand.elementType?.objectEntity else { return false }
    let what =
      operand.syntax.isAllLinks ? "'\(operand.syntax.predicateFormat)' is a collection of objects" : described(operand)
    report(
      .typeMismatch, "\(what), and objects have no order: '\(syntax.comparator.rawValue)' compares values", range,
      notes: advice(
        operand.syntax, .object(entity), isMany: operand.collection != nil, with: other.elementType))
    return true
  }

  /// Whether the objects of an entity can be compared with given values by their unique property; reports values that
  /// do not fit.
  private mutating func isKeyed(
    _ operand: BoundOperand, _ entity: StoredEntity, by key: Int, with other: BoundOperand, _ range: SourceRange
  ) -> Bool {
    let type = entity.columns[key].elementType
    let values = other.list ?? other.single.map { [$0] } ?? []
    let syntaxes = other.elements ?? [other.syntax]
    var isFit = true
    for (value, syntax) in zip(values, syntaxes) where !isKey(value, syntax, type) {
      isFit = false
      let path = entity.columns[key].path
      let example = ExpressionSyntax(.literal(.object(ObjectReference(entity: entity.name, number: ObjectNumber(17)))))
      report(
        .typeMismatch, "\(described(operand)) and \(described(syntax, value)); they cannot be compared",
        other.list == nil ? range : syntax.range,
        notes: [
          "\(entity.name) objects are known by their \(path), a value of type \(type.name), or written \(example.predicateFormat)"
        ] + advice(operand.syntax, .object(entity.name), isMany: operand.collection != nil, with: value.type))
    }
    return isFit
  }

  private func isKey(_ value: BoundExpression, _ syntax: ExpressionSyntax, _ type: ExpressionType) -> Bool {
    if value.type == type || value.type == .null || value.type.isNumeric && type.isNumeric { return true }
    if value.type.objectEntity != nil { return true }
    guard case .literal = syntax.kind, case .constant(let constant) = value else { return false }
    // Strings and numbers are converted, and errors reported, where the operand is adapted to the type.
    if let text = adaptable[syntax.range]?[constant], TextAdaptation.mayBe(text, type) { return true }
    return value.type == .string && type != .bool && !type.isNumeric || type == .bool && value.type == .int
  }
}

extension ExpressionSyntax {
  /// Whether the expression is `@links`, whose objects belong to several entities.
  var isAllLinks: Bool {
    guard case .path(let path) = kind, case .operation("links")? = path.steps.last?.kind else { return false }
    return true
  }
}

extension BoundOperand {
  /// Whether the operand is a written list that is empty or holds only nil.
  fileprivate var isEmptyList: Bool { list?.allSatisfy { $0.constant?.isNull ?? false } ?? false }
}
