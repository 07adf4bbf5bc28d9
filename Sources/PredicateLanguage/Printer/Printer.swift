import Values

/// Prints trees as canonical text: in Apple's form if there is one, and always so that parsing it gives an equal tree.
/// It ignores ranges, so it prints trees made by code as well.
struct Printer {
  var output = ""
  /// Whether dates are in ISO 8601 instead of Apple's seconds since 2001.
  var usesISO8601 = false
  /// Whether the object has a property with a name; nil if unknown.
  var isProperty: ((String) -> Bool)?

  // MARK: Predicates

  mutating func print(_ predicate: PredicateSyntax) {
    StepCounter.add()
    switch predicate.kind {
    case .and(let operands): print(operands, .and)
    case .or(let operands): print(operands, .or)
    case .not(let operand):
      output += "NOT "
      printOperand(operand, of: nil)
    case .comparison(let comparison): print(comparison)
    case .constant(let isTrue): print(isTrue ? Keyword.truePredicate : .falsePredicate)
    case .truth(let expression): print(expression)
    case .named(let name):
      output += "$"
      output += name
    }
  }

  private enum Chain: String {
    case and = " AND "
    case or = " OR "
  }

  /// Prints a chain. Only code can make a chain of no operands or of one; its meaning is printed.
  private mutating func print(_ operands: [PredicateSyntax], _ chain: Chain) {
    guard let first = operands.first else {
      output += chain == .and ? "TRUEPREDICATE" : "FALSEPREDICATE"
      return
    }
    if operands.count == 1 { return print(first) }
    for (index, operand) in operands.enumerated() {
      if index > 0 { output += chain.rawValue }
      // `a BETWEEN %@ AND %@` would be read as the two bounds of SQL.
      if chain == .and, index + 1 < operands.count, operand.endsWithBareRange, operands[index + 1].beginsWithValue {
        parenthesised { $0.print(operand) }
      } else {
        printOperand(operand, of: chain)
      }
    }
  }

  /// Prints an operand of a chain, or of NOT: a compound is put in parentheses, unless it continues the same chain.
  private mutating func printOperand(_ operand: PredicateSyntax, of chain: Chain?) {
    switch operand.kind {
    case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1:
      printOperand(parts[0], of: chain)
    case .and(let parts) where parts.count > 1 && chain != .and, .or(let parts) where parts.count > 1 && chain != .or:
      parenthesised { $0.print(operand) }
    default: print(operand)
    }
  }

  private mutating func print(_ comparison: ComparisonSyntax) {
    switch comparison.quantifier {
    case nil: break
    case .some(.none): output += "NOT ANY "
    case .some(let quantifier):
      output += quantifier.rawValue
      output += " "
    }
    print(comparison.left)
    output += " "
    output += comparison.comparator.rawValue
    if !comparison.options.isEmpty {
      output += "["
      if comparison.options.contains(.caseInsensitive) { output += "c" }
      if comparison.options.contains(.diacriticInsensitive) { output += "d" }
      if comparison.options.contains(.normalized) { output += "n" }
      output += "]"
    }
    output += " "
    if let quantifier = comparison.rightQuantifier {
      output += quantifier.rawValue
      output += " "
    }
    print(comparison.right)
  }

  // MARK: Expressions

  mutating func print(_ expression: ExpressionSyntax) {
    StepCounter.add()
    switch expression.kind {
    case .literal(let value): print(value)
    case .placeholder(let placeholder): print(placeholder)
    case .path(let path): print(path)
    case .unary(let operation, let operand):
      output += operation.rawValue
      if operand.needsParentheses(after: operation) { parenthesised { $0.print(operand) } } else { print(operand) }
    case .arithmetic(let first, let steps): print(first, steps)
    case .call(let name, let arguments):
      output += name
      parenthesised { $0.printList(arguments) }
    case .list(let elements): printList(elements, "{", "}")
    case .ternary(let predicate, let whenTrue, let whenFalse):
      output += "TERNARY("
      print(predicate)
      output += ", "
      printList([whenTrue, whenFalse])
      output += ")"
    case .subquery(let path, let variable, let predicate, let tail):
      output += "SUBQUERY("
      print(path)
      output += ", $\(variable), "
      print(predicate)
      output += ")"
      printSteps(tail.steps[...], isFirst: false)
    case .point(let coordinates): printList(coordinates, "[", "]")
    case .shape(let shape): print(shape)
    }
  }

  private mutating func print(_ first: ExpressionSyntax, _ steps: [ArithmeticStep]) {
    let precedence = steps.first?.operation.precedence ?? 0
    printOperand(first, above: precedence - 1)
    for step in steps {
      output += " \(step.operation.rawValue) "
      printOperand(step.operand, above: precedence)
    }
  }

  /// An operand, in parentheses unless it binds more tightly than `precedence`.
  private mutating func printOperand(_ operand: ExpressionSyntax, above precedence: Int) {
    if operand.bindsLooser(than: precedence + 1) { parenthesised { $0.print(operand) } } else { print(operand) }
  }

  private mutating func print(_ shape: ShapeSyntax) {
    switch shape {
    case .circle(let center, let radius, let unit):
      output += "geoCircle("
      printList([center, radius])
      // Only a number may be followed by its unit without a space.
      if unit != nil, !isUnsignedNumber(radius) { output += " " }
      output += (unit ?? "") + ")"
    case .box(let bottomLeft, let topRight):
      output += "geoBox("
      printList([bottomLeft, topRight])
      output += ")"
    case .polygon(let outer, let holes):
      output += "geoPolygon("
      for (index, ring) in ([outer] + holes).enumerated() {
        if index > 0 { output += ", " }
        printList(ring, "{", "}")
      }
      output += ")"
    }
  }

  private func isUnsignedNumber(_ expression: ExpressionSyntax) -> Bool {
    switch expression.kind {
    case .literal(.int(let number)): number >= 0
    case .literal(.double(let number)): number.isFinite && number.sign == .plus
    default: false
    }
  }

  // MARK: Pieces

  mutating func printList(_ elements: [ExpressionSyntax], _ open: String = "", _ close: String = "") {
    output += open
    for (index, element) in elements.enumerated() {
      if index > 0 { output += ", " }
      print(element)
    }
    output += close
  }

  mutating func parenthesised(_ content: (inout Printer) -> Void) {
    output += "("
    content(&self)
    output += ")"
  }

  private mutating func print(_ placeholder: Placeholder) {
    switch placeholder {
    case .sequential(_, let letters): output += "%" + letters
    case .positional(let position): output += "$\(position)"
    case .named(let name): output += "$" + name
    }
  }
}

extension ExpressionSyntax {
  /// Whether the expression is arithmetic that needs parentheses next to an operator of the given precedence.
  func bindsLooser(than precedence: Int) -> Bool {
    guard case .arithmetic(_, let steps) = kind else { return false }
    return (steps.first?.operation.precedence ?? 0) < precedence
  }

  /// Whether the expression needs parentheses after a sign, which would otherwise become part of a number or a comment.
  func needsParentheses(after operation: UnaryOperator) -> Bool {
    switch kind {
    case .arithmetic, .unary(.negate, _): true
    case .literal(.int), .literal(.double), .literal(.float): operation == .negate
    default: false
    }
  }
}

extension PredicateSyntax {
  /// Whether its text ends with BETWEEN and something other than a list.
  fileprivate var endsWithBareRange: Bool {
    switch kind {
    case .comparison(let comparison):
      if case .list = comparison.right.kind { false } else { comparison.comparator == .between }
    case .not(let operand): operand.endsWithBareRange
    case .and(let parts), .or(let parts): parts.last?.endsWithBareRange ?? false
    case .constant, .truth, .named: false
    }
  }

  /// Whether its text begins with a value that is a condition by itself.
  fileprivate var beginsWithValue: Bool {
    switch kind {
    case .truth, .named: true
    case .and(let parts), .or(let parts): parts.first?.beginsWithValue ?? false
    case .comparison, .constant, .not: false
    }
  }
}
