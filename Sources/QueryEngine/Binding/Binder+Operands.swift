internal import Diagnostics
internal import PredicateLanguage
internal import Storage
internal import Values

extension Binder {
  /// Binds one side of a comparison, or an argument of a function that takes collections. Returns nil after an error.
  mutating func operand(_ syntax: ExpressionSyntax) -> BoundOperand? {
    if groups != nil, let found = groupValue(syntax) {
      return found.content.map { BoundOperand(syntax: syntax, content: $0) }
    }
    if let elements = Self.elements(of: syntax) {
      let bound = elements.map { expression($0) }
      if bound.contains(where: { $0 == nil }) { return nil }
      return BoundOperand(syntax: syntax, content: .many(.list(bound.compactMap(\.self))), elements: elements)
    }
    return content(syntax).map { BoundOperand(syntax: syntax, content: $0) }
  }

  /// Binds an expression; a struct becomes the value that states whether it exists. Returns nil after an error.
  mutating func content(_ syntax: ExpressionSyntax) -> BoundOperand.Content? {
    switch syntax.kind {
    case .path, .subquery: whole(syntax).flatMap { identified($0, syntax.predicateFormat, syntax.range) }
    default: expression(syntax).map { .single($0) }
    }
  }

  /// Binds an expression; a struct stays a struct.
  mutating func whole(_ syntax: ExpressionSyntax) -> BoundOperand.Content? {
    switch syntax.kind {
    case .path(let path): reached(path, range: syntax.range)
    case .subquery(let path, let variable, let predicate, let tail):
      subquery(path, variable, predicate, tail: tail, range: syntax.range)
    default: expression(syntax).map { .single($0) }
    }
  }

  /// The elements of a list, which is written or given as an argument.
  static func elements(of syntax: ExpressionSyntax) -> [ExpressionSyntax]? {
    switch syntax.kind {
    case .list(let elements): elements
    case .literal(.list(let values)): values.map { ExpressionSyntax(.literal($0), range: syntax.range) }
    default: nil
    }
  }

  /// Adapts both sides to each other: values of a list take the type of the other side, as literals do. Reports sides
  /// that cannot be compared.
  mutating func fitted(
    _ left: BoundOperand, _ right: BoundOperand, range: SourceRange
  ) -> (left: BoundOperand, right: BoundOperand)? {
    switch (left.list, right.list) {
    case (nil, nil):
      guard let a = element(of: left), let b = element(of: right),
        let first = adapted(a, left.syntax, to: b.type), let second = adapted(b, right.syntax, to: a.type),
        areComparable(first, left.syntax, second, right.syntax, range)
      else { return nil }
      return (left.with(first), right.with(second))
    case (nil, let list?):
      guard let a = element(of: left), let (values, other) = fitted(list, right, to: a, left.syntax) else { return nil }
      return (left.with(other), right.with(values))
    case (let list?, nil):
      guard let b = element(of: right), let (values, other) = fitted(list, left, to: b, right.syntax) else {
        return nil
      }
      return (left.with(values), right.with(other))
    case (let a?, let b?):
      guard let first = element(of: left), let second = element(of: right),
        let (values, _) = fitted(a, left, to: second, right.syntax),
        let (others, _) = fitted(b, right, to: first, left.syntax)
      else { return nil }
      return (left.with(values), right.with(others))
    }
  }

  /// Adapts the operands of a string operator: an argument without a type of its own becomes a string, or Data if the
  /// other side is Data. Returns nil after an error.
  mutating func asTexts(_ left: BoundOperand, _ right: BoundOperand) -> (left: BoundOperand, right: BoundOperand)? {
    guard left.elementType == .data || right.elementType == .data else {
      guard let left = asText(left), let right = asText(right) else { return nil }
      return (left, right)
    }
    let first = left.single.map { adapted($0, left.syntax, to: right.elementType ?? .data) }
    let second = right.single.map { adapted($0, right.syntax, to: left.elementType ?? .data) }
    if case .some(nil) = first { return nil }
    if case .some(nil) = second { return nil }
    return (first?.map(left.with) ?? left, second?.map(right.with) ?? right)
  }

  /// Adapts one operand of a string operator to a string.
  mutating func asText(_ operand: BoundOperand) -> BoundOperand? {
    guard let single = operand.single else { return operand }
    return adapted(single, operand.syntax, to: .string).map(operand.with)
  }

  /// Adapts the values of a list to one expression and checks that they are comparable. Also returns that expression,
  /// since a list of a single type may adapt a literal.
  private mutating func fitted(
    _ values: [BoundExpression], _ list: BoundOperand, to other: BoundExpression, _ otherSyntax: ExpressionSyntax
  ) -> ([BoundExpression], BoundExpression)? {
    guard let elements = list.elements else { return nil }
    var other = other
    if let type = list.collection?.elementType {
      guard let changed = adapted(other, otherSyntax, to: type) else { return nil }
      other = changed
    }
    var result: [BoundExpression] = []
    result.reserveCapacity(values.count)
    var failed = false
    for (value, syntax) in zip(values, elements) {
      guard let element = adapted(value, syntax, to: other.type),
        areComparable(other, otherSyntax, element, syntax, syntax.range)
      else {
        failed = true
        // A long list of wrong values is a single mistake.
        if diagnostics.count >= Self.mostDiagnostics { return nil }
        continue
      }
      result.append(element)
    }
    return failed ? nil : (result, other)
  }

  /// The single value, or a placeholder for any element of a collection, whose level does not matter. Reports lists
  /// with values of several types.
  mutating func element(of operand: BoundOperand) -> BoundExpression? {
    switch operand.content {
    case .single(let expression): return expression
    case .many(let collection):
      if let type = collection.elementType { return .element(level: depth, type) }
      guard operand.syntax.isAllLinks else {
        report(.typeMismatch, "the values of this list are of several types", operand.syntax.range)
        return nil
      }
      let text = operand.syntax.predicateFormat
      report(
        .typeMismatch, "'\(text)' is a collection of objects of several entities", operand.syntax.range,
        notes: ["how many there are is '\(text).@count'; those of one entity are '\(text).Entity.property'"])
      return nil
    }
  }

  /// A description of an operand for errors.
  func described(_ operand: BoundOperand) -> String {
    switch operand.content {
    case .single(let expression): return described(operand.syntax, expression)
    case .many(let collection):
      if operand.list != nil { return "this is a list of \(collection.elementType?.name ?? "values of several types")" }
      return "'\(operand.syntax.predicateFormat)' is a collection of \(collection.elementType?.name ?? "values")"
    }
  }
}

extension BoundOperand {
  /// The type of the value, or of each element; nil if the elements have several types, as literals may before they are
  /// adapted to the other side.
  var elementType: ExpressionType? {
    switch content {
    case .single(let expression): expression.type
    case .many(let collection): collection.elementType
    }
  }

  /// The operand with another single value; a collection stays as it is.
  fileprivate func with(_ expression: BoundExpression) -> BoundOperand {
    guard case .single = content else { return self }
    var copy = self
    copy.content = .single(expression)
    return copy
  }

  /// The operand with another list of values.
  fileprivate func with(_ values: [BoundExpression]) -> BoundOperand {
    var copy = self
    copy.content = .many(.list(values))
    return copy
  }
}
