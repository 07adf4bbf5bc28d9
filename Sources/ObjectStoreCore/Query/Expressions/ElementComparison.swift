internal import PredicateLanguage

extension PredicateSyntax {
  /// The comparison that a quantifier may precede, as in `ANY tasks.priority > 5`; nil unless the condition compares an
  /// element of a collection, or one of its properties, with something that is the same for all elements.
  ///
  /// - Parameters:
  ///   - variable: The variable that stands for the element.
  ///   - collection: The collection, which takes the place of the variable.
  func comparison(of variable: String, in collection: PathSyntax) -> ComparisonSyntax? {
    var comparison: ComparisonSyntax
    switch kind {
    case .comparison(let made) where made.quantifier == nil && made.rightQuantifier == nil: comparison = made
    case .truth(let value):
      comparison = ComparisonSyntax(left: value, comparator: .equal, right: ExpressionSyntax(.literal(.bool(true))))
    case .comparison, .and, .or, .not, .constant, .named: return nil
    }
    guard case .path(let element) = comparison.left.kind, element.variable == variable,
      element.steps.allSatisfy({ if case .name = $0.kind { true } else { false } }),
      !comparison.right.mentions(variable)
    else { return nil }
    let path = PathSyntax(variable: collection.variable, steps: collection.steps + element.steps)
    comparison.left = ExpressionSyntax(.path(path))
    return comparison
  }
}

extension ExpressionSyntax {
  /// Whether a path in it starts at a variable.
  fileprivate func mentions(_ variable: String) -> Bool {
    var found = false
    walk { node in
      if case .expression(let expression) = node {
        switch expression.kind {
        case .path(let path), .subquery(let path, _, _, _): found = found || path.variable == variable
        case .literal, .placeholder, .unary, .arithmetic, .call, .list, .point, .ternary, .shape: break
        }
      }
      return !found
    }
    return found
  }
}
