internal import PredicateLanguage

/// Finds the placeholders of a tree.
enum PlaceholderUse {
  /// All placeholders of a predicate with its tails.
  static func placeholders(in filter: FilterSyntax) -> Set<Placeholder> {
    var found = Set<Placeholder>()
    if let predicate = filter.predicate { collect(predicate, &found) }
    for tail in filter.tails {
      switch tail {
      case .sort(let keys): for key in keys { collect(key.expression, &found) }
      case .distinct(let values): for value in values { collect(value, &found) }
      case .window(let offset, let limit):
        if let offset { collect(offset, &found) }
        if let limit { collect(limit, &found) }
      }
    }
    return found
  }

  static func collect(_ predicate: PredicateSyntax, _ found: inout Set<Placeholder>) {
    switch predicate.kind {
    case .and(let parts), .or(let parts): for part in parts { collect(part, &found) }
    case .not(let inner): collect(inner, &found)
    case .comparison(let comparison):
      collect(comparison.left, &found)
      collect(comparison.right, &found)
    case .truth(let expression): collect(expression, &found)
    case .named(let name): found.insert(.named(name))
    case .constant: break
    }
  }

  static func collect(_ expression: ExpressionSyntax, _ found: inout Set<Placeholder>) {
    switch expression.kind {
    case .literal: break
    case .placeholder(let placeholder): found.insert(placeholder)
    case .path(let path): collect(path, &found)
    case .unary(_, let operand): collect(operand, &found)
    case .arithmetic(let first, let steps):
      collect(first, &found)
      for step in steps { collect(step.operand, &found) }
    case .call(_, let operands), .list(let operands), .point(let operands):
      for operand in operands { collect(operand, &found) }
    case .ternary(let condition, let yes, let no):
      collect(condition, &found)
      collect(yes, &found)
      collect(no, &found)
    case .subquery(let path, _, let condition, let tail):
      collect(path, &found)
      collect(condition, &found)
      collect(tail, &found)
    case .shape(let shape): collect(shape, &found)
    }
  }

  private static func collect(_ path: PathSyntax, _ found: inout Set<Placeholder>) {
    for step in path.steps {
      switch step.kind {
      case .placeholder(let placeholder): found.insert(placeholder)
      case .index(let expression): collect(expression, &found)
      case .name, .operation, .first, .last, .size: break
      }
    }
  }

  private static func collect(_ shape: ShapeSyntax, _ found: inout Set<Placeholder>) {
    switch shape {
    case .circle(let center, let radius, _):
      collect(center, &found)
      collect(radius, &found)
    case .box(let low, let high):
      collect(low, &found)
      collect(high, &found)
    case .polygon(let outer, let holes):
      for point in outer { collect(point, &found) }
      for hole in holes { for point in hole { collect(point, &found) } }
    }
  }
}
