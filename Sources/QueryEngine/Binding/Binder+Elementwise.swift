internal import Diagnostics
internal import PredicateLanguage

/// Expressions over the elements of a path after a quantifier: `ANY length(tags) > 3` compares the length of each tag.
extension Binder {
  /// The elements for which an expression is evaluated; set while the expression is being bound.
  struct Elementwise {
    /// Whether a quantifier states how many elements must satisfy the comparison.
    let isRanged: Bool
    /// The collection that the quantifier ranges over: first the elements themselves, finally the expression's value
    /// for each.
    var collection: BoundCollection?
  }

  /// Binds one side of a comparison, with the quantifier before it. Returns nil after an error.
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

  /// Binds a part of an expression as a single value, regardless of a quantifier before the whole.
  mutating func asOne<Bound>(
    for elementwise: Elementwise? = nil, _ body: (inout Binder) -> Bound?
  ) -> Bound? {
    let outer = self.elementwise
    self.elementwise = elementwise
    defer { self.elementwise = outer }
    return body(&self)
  }

  /// The value that stands for any element of a collection inside an expression; nil after an error.
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

  /// Checks that a quantifier ranges over this collection and over no other; reports a violation.
  mutating func isOne(of collection: BoundCollection, _ syntax: ExpressionSyntax) -> Bool {
    guard let elementwise, elementwise.isRanged else {
      reportCollection(collection, syntax)
      return false
    }
    if elementwise.collection == nil { return true }
    report(
      .typeMismatch, "ANY, ALL and NONE take one collection, and there are several here", syntax.range,
      notes: [
        "to test several properties of one element, write SUBQUERY(path, $x, …).@count > 0"
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
        elementwise == nil ? aggregate : "\(aggregate); ANY, ALL or NONE before the comparison tests each element"
      ])
  }
}

extension BoundCollection {
  /// The value for each element, if the collection maps its elements.
  var valueOfEach: BoundExpression? {
    switch self {
    case .each(_, _, let value): value
    case .flattened(_, _, let inner): inner.valueOfEach
    case .column, .keys, .list, .chosen, .distinct, .joined, .property, .propertyKeys, .sources, .positions, .computed,
      .among:
      nil
    }
  }

  /// The collection mapped to another value for each element.
  fileprivate func withEach(_ value: BoundExpression) -> BoundCollection {
    innermost { inner in
      if case .each(let base, let level, _) = inner { .each(base, level: level, value) } else { inner }
    }
  }
}
