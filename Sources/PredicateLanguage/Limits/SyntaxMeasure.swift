import Diagnostics
import Values

/// Counts the nodes of a tree and the nesting of its canonical text, and stops as soon as either exceeds its limit. So
/// its own recursion is bounded for any tree.
struct SyntaxMeasure {
  private(set) var nodes = 0
  /// The maximum nesting so far.
  private(set) var deepest = 0
  private var nesting = 0
  private(set) var violation: Diagnostic?

  mutating func add(_ predicate: PredicateSyntax) {
    guard count(1, predicate.range) else { return }
    switch predicate.kind {
    case .constant, .named: break
    case .truth(let value): add(value)
    case .comparison(let comparison):
      // NONE prints as NOT ANY.
      nest(comparison.quantifier == Quantifier.none, comparison.left.range) { $0.add(comparison) }
    case .not(let operand): nest(true, predicate.range) { $0.addOperand(operand, of: nil) }
    case .and(let operands): for operand in operands { addOperand(operand, of: .and) }
    case .or(let operands): for operand in operands { addOperand(operand, of: .or) }
    }
  }

  mutating func add(_ expression: ExpressionSyntax) {
    guard count(1, expression.range) else { return }
    switch expression.kind {
    case .literal(let value): add(value, expression.range)
    case .placeholder: break
    case .path(let path): add(path, expression.range)
    case .unary(let operation, let operand):
      nest(true, expression.range) {
        $0.nest(operand.needsParentheses(after: operation), operand.range) { $0.add(operand) }
      }
    case .arithmetic(let first, let steps): add(first, steps, expression.range)
    case .call(_, let operands), .list(let operands), .point(let operands):
      nest(true, expression.range) { for operand in operands { $0.add(operand) } }
    case .ternary(let condition, let yes, let no):
      nest(true, expression.range) {
        $0.add(condition)
        $0.add(yes)
        $0.add(no)
      }
    case .subquery(let path, _, let condition, let tail):
      nest(true, expression.range) {
        $0.add(path, expression.range)
        $0.add(condition)
      }
      add(tail, expression.range)
    case .shape(let shape): nest(true, expression.range) { $0.add(shape) }
    }
  }

  // MARK: Parts

  private enum Chain {
    case and
    case or
  }

  /// A constant. The elements of a list do not count as nodes; there may be a million of them.
  private mutating func add(_ value: Value, _ range: SourceRange) {
    switch value {
    case .list(let elements):
      if elements.count > SyntaxLimits.listElements, violation == nil { violation = SyntaxLimits.tooLong(range) }
      for element in elements where element.hasParts { nest(true, range) { $0.add(element, range) } }
    case .embedded(let fields):
      for field in fields where field.value.hasParts { nest(true, range) { $0.add(field.value, range) } }
    default: break
    }
  }

  /// An operand of NOT or of a chain: a compound is printed in parentheses, unless it continues the same chain.
  private mutating func addOperand(_ operand: PredicateSyntax, of chain: Chain?) {
    let isCompound =
      switch operand.kind {
      case .and(let parts): parts.count > 1 && chain != .and
      case .or(let parts): parts.count > 1 && chain != .or
      default: false
      }
    // A chain within a chain is flat in the text, but needs stack space.
    let isChain = if case .and = operand.kind { true } else if case .or = operand.kind { true } else { false }
    nest(isCompound || isChain && chain != nil, operand.range) { $0.add(operand) }
  }

  private mutating func add(_ comparison: ComparisonSyntax) {
    add(comparison.left)
    add(comparison.right)
  }

  private mutating func add(_ first: ExpressionSyntax, _ steps: [ArithmeticStep], _ range: SourceRange) {
    let precedence = steps.first?.operation.precedence ?? 0
    nest(first.bindsLooser(than: precedence), first.range) { $0.add(first) }
    nest(true, range) { measure in
      for step in steps {
        guard measure.count(1, step.range) else { return }
        measure.nest(step.operand.bindsLooser(than: precedence + 1), step.operand.range) { $0.add(step.operand) }
      }
    }
  }

  private mutating func add(_ path: PathSyntax, _ range: SourceRange) {
    for step in path.steps {
      guard count(1, step.range) else { return }
      if case .index(let index) = step.kind { nest(true, step.range) { $0.add(index) } }
    }
  }

  private mutating func add(_ shape: ShapeSyntax) {
    for expression in shape.expressions { add(expression) }
  }

  /// Counts nodes. Returns false if a limit is exceeded, now or before.
  private mutating func count(_ more: Int, _ range: SourceRange) -> Bool {
    nodes += more
    if nodes > SyntaxLimits.nodes, violation == nil { violation = SyntaxLimits.tooManyNodes(range) }
    return violation == nil
  }

  private mutating func nest(_ isDeeper: Bool, _ range: SourceRange, _ body: (inout SyntaxMeasure) -> Void) {
    guard violation == nil else { return }
    guard isDeeper else { return body(&self) }
    nesting += 1
    deepest = max(deepest, nesting)
    defer { nesting -= 1 }
    if nesting > SyntaxLimits.nesting {
      violation = SyntaxLimits.tooDeep(range)
    } else {
      body(&self)
    }
  }
}

extension Value {
  fileprivate var hasParts: Bool {
    switch self {
    case .list, .embedded: true
    default: false
    }
  }
}
