import PredicateLanguage
import Values

extension QueryMaker {
  /// The same filter with some of its names as arguments: `$K0` for a name, or for several with dots between them.
  mutating func withNamesGiven(_ filter: FilterSyntax) -> FilterSyntax {
    var filter = filter
    filter.predicate = filter.predicate.map { given($0) }
    filter.tails = filter.tails.map { tail in
      switch tail {
      case .sort(let keys): .sort(keys.map { SortKeySyntax(given($0.expression), ascending: $0.ascending) })
      case .distinct(let values): .distinct(values.map { given($0) })
      case .window: tail
      }
    }
    return filter
  }

  private mutating func given(_ predicate: PredicateSyntax) -> PredicateSyntax {
    switch predicate.kind {
    case .and(let parts): return PredicateSyntax(.and(parts.map { given($0) }))
    case .or(let parts): return PredicateSyntax(.or(parts.map { given($0) }))
    case .not(let inner): return PredicateSyntax(.not(given(inner)))
    case .truth(let value): return PredicateSyntax(.truth(given(value)))
    case .comparison(var comparison):
      comparison.left = given(comparison.left)
      comparison.right = given(comparison.right)
      return PredicateSyntax(.comparison(comparison))
    case .constant, .named: return predicate
    }
  }

  private mutating func given(_ expression: ExpressionSyntax) -> ExpressionSyntax {
    switch expression.kind {
    case .path(let path): return ExpressionSyntax(.path(given(path)))
    case .unary(let operation, let operand): return ExpressionSyntax(.unary(operation, given(operand)))
    case .arithmetic(let first, let steps):
      let first = given(first)
      return ExpressionSyntax(
        .arithmetic(
          first,
          steps.map { step in
            var step = step
            step.operand = given(step.operand)
            return step
          }))
    case .call(let name, let operands): return ExpressionSyntax(.call(name, operands.map { given($0) }))
    case .list(let elements): return ExpressionSyntax(.list(elements.map { given($0) }))
    case .ternary(let condition, let yes, let no):
      return ExpressionSyntax(.ternary(given(condition), given(yes), given(no)))
    case .subquery(let path, let variable, let condition, let tail):
      return ExpressionSyntax(.subquery(given(path), variable: variable, given(condition), tail: tail))
    case .literal, .placeholder, .point, .shape: return expression
    }
  }

  private mutating func given(_ path: PathSyntax) -> PathSyntax {
    var steps: [PathSyntax.Step] = []
    var rest = path.steps[...]
    while let step = rest.popFirst() {
      guard case .name(var name) = step.kind, path.variable == nil, random.once(in: 3) else {
        steps.append(step)
        continue
      }
      while random.once(in: 2), case .name(let next)? = rest.first?.kind {
        name += "." + next
        rest.removeFirst()
      }
      arguments.positional.append(.string(name))
      steps.append(PathSyntax.Step(.placeholder(.positional(arguments.positional.count - 1))))
    }
    return PathSyntax(variable: path.variable, steps: steps)
  }
}
