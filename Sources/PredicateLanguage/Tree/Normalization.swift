import Diagnostics
import Values

/// The trees that a parser makes. Code can make others with the same meaning: a chain inside a chain, a NONE instead of
/// NOT ANY, a list as one constant. Trees with the same meaning have one normal form, which is printed.
extension PredicateSyntax {
  /// The tree that parsing the predicate's text gives.
  public var normalized: PredicateSyntax {
    var normalizer = Normalizer(SyntaxNode.predicate(self).placeholders())
    return normalizer.rewrite(self)
  }
}

extension ExpressionSyntax {
  /// The tree that parsing the expression's text gives.
  public var normalized: ExpressionSyntax {
    var normalizer = Normalizer(SyntaxNode.expression(self).placeholders())
    return normalizer.rewrite(self)
  }
}

extension FilterSyntax {
  /// The tree that parsing the filter's text gives. An empty filter becomes `TRUEPREDICATE`.
  public var normalized: FilterSyntax {
    var normalizer = Normalizer(placeholders())
    var result = normalizer.rewrite(self)
    result.tails = Self.normalized(result.tails)
    if result.predicate == nil, result.tails.isEmpty { result.predicate = PredicateSyntax(.constant(true)) }
    return result
  }

  /// Removes tails without effect, and joins those that would be parsed as a single window.
  private static func normalized(_ tails: [TailSyntax]) -> [TailSyntax] {
    // From the last to the first, since the tail after a LIMIT determines how it is parsed.
    var result: [TailSyntax] = []
    for tail in tails.reversed() {
      switch (tail, result.last) {
      case (.sort([]), _), (.distinct([]), _), (.window(nil, nil), _): break
      case (.window(.some(let offset), nil), .window(nil, .some(let limit))):
        result[result.count - 1] = .window(offset: offset, limit: limit)
      case (.window(nil, .some(let limit)), .window(.some, nil)):
        // A following OFFSET would be parsed as part of this window, and applied first. One with its own LIMIT is
        // printed after that.
        result.append(.window(offset: ExpressionSyntax(.literal(.int(0))), limit: limit))
      default: result.append(tail)
      }
    }
    return result.reversed()
  }
}

/// Rewrites constructs that only code can make. It keeps ranges.
private struct Normalizer: SyntaxRewriter {
  /// Whether `%@` and similar placeholders are numbered in the order of the text. Otherwise they are printed as `$0`.
  private let isInSequence: Bool

  init(_ placeholders: [PlaceholderReference]) {
    var next = 0
    var isInSequence = true
    for reference in placeholders {
      guard case .sequential(let number, _) = reference.placeholder else { continue }
      if number != next { isInSequence = false }
      next += 1
    }
    self.isInSequence = isInSequence
  }

  mutating func rewrite(_ predicate: PredicateSyntax) -> PredicateSyntax {
    var result = rewriteChildren(of: predicate)
    switch result.kind {
    case .and(let operands):
      return chain(operands, of: result, empty: true, PredicateSyntax.Kind.and) {
        if case .and(let inner) = $0.kind { inner } else { nil }
      }
    case .or(let operands):
      return chain(operands, of: result, empty: false, PredicateSyntax.Kind.or) {
        if case .or(let inner) = $0.kind { inner } else { nil }
      }
    case .comparison(var comparison) where comparison.quantifier == Quantifier.none:
      comparison.quantifier = .any
      comparison.isWrittenAsNone = true
      let inner = PredicateSyntax(.comparison(comparison), range: result.range)
      result.kind = .not(inner)
    case .truth(let value):
      switch value.kind {
      case .path, .ternary, .literal(.bool): break
      // The literal may be the name of a property, and is parsed in the same way.
      case .literal where predicate.isWord: break
      default:
        let truth = ExpressionSyntax(.literal(.bool(true)), range: value.range)
        result.kind = .comparison(ComparisonSyntax(left: value, comparator: .equal, right: truth))
      }
    default: break
    }
    return result
  }

  private func chain(
    _ operands: [PredicateSyntax], of predicate: PredicateSyntax, empty: Bool,
    _ kind: ([PredicateSyntax]) -> PredicateSyntax.Kind, _ inner: (PredicateSyntax) -> [PredicateSyntax]?
  ) -> PredicateSyntax {
    let flat = operands.flatMap { inner($0) ?? [$0] }
    if flat.count == 1 { return flat[0] }
    return PredicateSyntax(flat.isEmpty ? .constant(empty) : kind(flat), range: predicate.range)
  }

  mutating func rewrite(_ expression: ExpressionSyntax) -> ExpressionSyntax {
    var result = rewriteChildren(of: expression)
    switch result.kind {
    case .literal(.float(let number)): result.kind = .literal(.double(Double(number)))
    case .literal(.list(let elements)):
      result.kind = .list(elements.map { rewrite(ExpressionSyntax(.literal($0), range: result.range)) })
    case .placeholder(let placeholder): result.kind = .placeholder(numbered(placeholder))
    case .call(let name, let operands):
      result.kind = .call(FunctionTable.function(name)?.name ?? name, operands)
    case .arithmetic(let first, let steps):
      result = arithmetic(first, steps, range: expression.range)
    default: break
    }
    return result
  }

  /// Steps apply left to right, regardless of their operators: a new node begins where the precedence changes.
  private func arithmetic(
    _ first: ExpressionSyntax, _ steps: [ArithmeticStep], range: SourceRange
  ) -> ExpressionSyntax {
    var first = first
    var chain: [ArithmeticStep] = []
    if case .arithmetic(let inner, let before) = first.kind,
      before.last?.operation.precedence == steps.first?.operation.precedence
    {
      (first, chain) = (inner, before)
    }
    for step in steps {
      if let last = chain.last, last.operation.precedence != step.operation.precedence {
        first = ExpressionSyntax(.arithmetic(first, chain), range: range)
        chain = []
      }
      chain.append(step)
    }
    return chain.isEmpty ? first : ExpressionSyntax(.arithmetic(first, chain), range: range)
  }

  mutating func rewrite(_ path: PathSyntax) -> PathSyntax {
    var result = rewriteChildren(of: path)
    for place in result.steps.indices {
      if case .placeholder(let placeholder) = result.steps[place].kind {
        result.steps[place].kind = .placeholder(numbered(placeholder))
      }
    }
    return result
  }

  private func numbered(_ placeholder: Placeholder) -> Placeholder {
    if !isInSequence, case .sequential(let number, _) = placeholder { return .positional(number) }
    return placeholder
  }
}

extension PredicateSyntax {
  /// Whether the predicate is a single constant word, such as `nil`.
  fileprivate var isWord: Bool {
    if case .truth(let value) = kind { value.word != nil } else { false }
  }
}
