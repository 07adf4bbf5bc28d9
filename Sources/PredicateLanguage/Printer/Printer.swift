import Values

/// Writes trees as canonical text: Apple's form where Apple has one, and always such that reading it back gives an equal
/// tree. It does not look at ranges, and so prints trees made by code as well.
struct Printer {
  var output = ""

  // MARK: Predicates

  mutating func print(_ predicate: PredicateSyntax) {
    switch predicate.kind {
    case .and(let operands): print(operands, joinedBy: " AND ")
    case .or(let operands): print(operands, joinedBy: " OR ")
    case .not(let operand):
      output += "NOT "
      printOperand(operand)
    case .comparison(let comparison): print(comparison)
    case .constant(let isTrue): output += isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .truth(let expression): print(expression)
    case .named(let name):
      output += "$"
      output += name
    }
  }

  private mutating func print(_ operands: [PredicateSyntax], joinedBy separator: String) {
    // Only code can make a chain of none or one; what it means is printed.
    if operands.isEmpty { output += separator == " AND " ? "TRUEPREDICATE" : "FALSEPREDICATE" }
    for (index, operand) in operands.enumerated() {
      if index > 0 { output += separator }
      if operands.count == 1 { print(operand) } else { printOperand(operand) }
    }
  }

  /// A compound inside a compound stands in parentheses.
  private mutating func printOperand(_ operand: PredicateSyntax) {
    switch operand.kind {
    case .and, .or: parenthesised { $0.print(operand) }
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
    switch expression.kind {
    case .literal(let value): print(value)
    case .placeholder(let placeholder): print(placeholder)
    case .path(let path): print(path)
    case .unary(let operation, let operand):
      output += operation.rawValue
      switch operand.kind {
      case .arithmetic: parenthesised { $0.print(operand) }
      case .literal(let value) where operation == .negate && value.isNumber: parenthesised { $0.print(operand) }
      case .unary(.negate, _): parenthesised { $0.print(operand) }
      default: print(operand)
      }
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
    if case .arithmetic(_, let steps) = operand.kind, (steps.first?.operation.precedence ?? 0) <= precedence {
      parenthesised { $0.print(operand) }
    } else {
      print(operand)
    }
  }

  private mutating func print(_ shape: ShapeSyntax) {
    switch shape {
    case .circle(let center, let radius, let unit):
      output += "geoCircle("
      printList([center, radius])
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

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .double, .float: true
    default: false
    }
  }
}
