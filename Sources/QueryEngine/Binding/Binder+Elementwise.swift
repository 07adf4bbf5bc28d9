internal import Diagnostics
internal import PredicateLanguage

/// Expressions over the elements of a path with a quantifier before them: `ANY length(tags) > 3` asks for the length of
/// each.
extension Binder {
  /// The elements for which an expression is evaluated, while it is bound.
  struct Elementwise {
    /// Whether there is a quantifier that says how many of them must satisfy a comparison.
    let isRanged: Bool
    /// A value for every element: first the element, in the end the expression.
    var collection: BoundCollection?
  }

  /// One side of a comparison, with the quantifier before it. nil after an error.
  mutating func side(_ syntax: ExpressionSyntax, _ quantifier: Quantifier?) -> BoundOperand? {
    switch syntax.kind {
    case .unary, .arithmetic, .call, .ternary: break
    default: return operand(syntax)
    }
    return asOne(for: Elementwise(isRanged: quantifier != nil)) { binder -> BoundOperand? in
      guard let operand = binder.operand(syntax) else { return nil }
      guard let collection = binder.elementwise?.collection, let value = operand.single else { return operand }
      return BoundOperand(syntax: syntax, content: .many(collection.withEach(value)))
    }
  }

  /// Binds a part of an expression that is one value even if a quantifier precedes the expression.
  mutating func asOne<Bound>(
    for elementwise: Elementwise? = nil, _ body: (inout Binder) -> Bound?
  ) -> Bound? {
    let outer = self.elementwise
    self.elementwise = elementwise
    defer { self.elementwise = outer }
    return body(&self)
  }

  /// The element of a collection inside an expression; nil after an error.
  mutating func anyElement(of collection: BoundCollection, _ syntax: ExpressionSyntax) -> BoundExpression? {
    guard isOne(of: collection, syntax) else { return nil }
    if let value = collection.valueOfEach {
      self.elementwise?.collection = collection
      return value
    }
    guard let type = collection.elementType else {
      reportCollection(collection, syntax)
      return nil
    }
    let level = depth
    depth += 1
    let element = BoundExpression.element(level: level, type)
    self.elementwise?.collection = collection.innermost { .each($0, level: level, element) }
    return element
  }

  /// Checks that one quantifier ranges over a collection and no other; reports it when not.
  mutating func isOne(of collection: BoundCollection, _ syntax: ExpressionSyntax) -> Bool {
    guard let elementwise, elementwise.isRanged else {
      reportCollection(collection, syntax)
      return false
    }
    if elementwise.collection == nil { return true }
    report(
      .typeMismatch, "a quantifier is for the elements of one collection, and there are several here", syntax.range,
      notes: [
        "SUBQUERY names an element, so that several things can be asked of it: SUBQUERY(path, $x, …).@count > 0"
      ])
    return false
  }

  private mutating func reportCollection(_ collection: BoundCollection, _ syntax: ExpressionSyntax) {
    let text = syntax.predicateFormat
    let name = text.utf8.count > 60 ? "this" : "'\(text)'"
    let reduction = collection.elementType?.hasOrder ?? false ? "max" : "count"
    let aggregate = "an aggregate makes one value of it, as in \(text.utf8.count > 60 ? "" : text).@\(reduction)"
    report(
      .typeMismatch, "\(name) is a collection, and one value is needed here", syntax.range,
      notes: [
        elementwise == nil ? aggregate : "\(aggregate); ANY, ALL or NONE before the comparison asks of each element"
      ])
  }
}

extension BoundCollection {
  /// The value of each element, where it is one of each.
  var valueOfEach: BoundExpression? {
    switch self {
    case .each(_, _, let value): value
    case .flattened(_, _, let inner): inner.valueOfEach
    default: nil
    }
  }

  /// With another value of each.
  fileprivate func withEach(_ value: BoundExpression) -> BoundCollection {
    innermost { inner in
      if case .each(let base, let level, _) = inner { .each(base, level: level, value) } else { inner }
    }
  }
}
