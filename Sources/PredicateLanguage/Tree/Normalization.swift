import Diagnostics
import Values

/// Trees as a parser gives them. Code can make others that mean the same: a chain inside a chain, a NONE instead of NOT
/// ANY, a list as one constant. Trees that mean the same this way have one normal form, which is what is printed.
extension PredicateSyntax {
  /// The tree that reading its text gives.
  public var normalized: PredicateSyntax {
    var normalizer = Normalizer(SyntaxNode.predicate(self).placeholders())
    return normalizer.rewrite(self)
  }
}

extension ExpressionSyntax {
  /// The tree that reading its text gives.
  public var normalized: ExpressionSyntax {
    var normalizer = Normalizer(SyntaxNode.expression(self).placeholders())
    return normalizer.rewrite(self)
  }
}

extension FilterSyntax {
  /// The tree that reading its text gives. One that says nothing at all becomes `TRUEPREDICATE`.
  public var normalized: FilterSyntax {
    var normalizer = Normalizer(placeholders())
    var result = normalizer.rewrite(self)
    result.tails = Self.normalized(result.tails)
    if result.predicate == nil, result.tails.isEmpty { result.predicate = PredicateSyntax(.constant(true)) }
    return result
  }

  /// Tails that say nothing are left out, and those that would be read as one window are one.
  private static func normalized(_ tails: [TailSyntax]) -> [TailSyntax] {
    // From the last, since what follows a LIMIT decides how it is read.
    var result: [TailSyntax] = []
    for tail in tails.reversed() {
      switch (tail, result.last) {
      case (.sort([]), _), (.distinct([]), _), (.window(nil, nil), _): break
      case (.window(.some(let offset), nil), .window(nil, .some(let limit))):
        result[result.count - 1] = .window(offset: offset, limit: limit)
      case (.window(nil, .some(let limit)), .window(.some, nil)):
        // The OFFSET that follows would be read as this window's, and be applied first. One with a LIMIT of its own is
        // printed after that.
        result.append(.window(offset: ExpressionSyntax(.literal(.int(0))), limit: limit))
      default: result.append(tail)
      }
    }
    return result.reversed()
  }
}

/// Rewrites what only code can say. It keeps places in the source.
private struct Normalizer: SyntaxRewriter {
  /// Whether `%@` and the like are numbered as their order in the text would number them. Else they print as `$0`.
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
      case .path, .ternary, .literal(.bool), .placeholder(.sequential), .placeholder(.positional): break
      // It may be the name of a property, and is read back as it stands.
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

  /// Steps are applied left to right, whatever their operators: where the precedence changes, a new node begins.
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
  /// Whether it is a word of a value alone, such as `nil`.
  fileprivate var isWord: Bool {
    if case .truth(let value) = kind { value.word != nil } else { false }
  }
}
