import Diagnostics

extension PredicateSyntax: CustomStringConvertible {
  /// The canonical text. Parsing it gives an equal tree or, for a tree that only code can make, one that equals its
  /// ``normalized`` form. A tree that nests deeper than ``SyntaxLimits/nesting`` has no text.
  public var predicateFormat: String {
    Printer.text(deepest: SyntaxLimits.violation(of: self)) { $0.print(normalized) }
  }

  /// The canonical text.
  public var description: String { predicateFormat }
}

extension ExpressionSyntax: CustomStringConvertible {
  /// The canonical text. Parsing it gives an equal tree or, for a tree that only code can make, one that equals its
  /// ``normalized`` form. A tree that nests deeper than ``SyntaxLimits/nesting`` has no text.
  public var predicateFormat: String {
    Printer.text(deepest: SyntaxLimits.violation(of: self)) { $0.print(normalized) }
  }

  /// The canonical text.
  public var description: String { predicateFormat }
}

extension PredicateSyntax {
  /// The canonical text for display, with dates in ISO 8601. Parsing it gives the same tree as ``predicateFormat``.
  package var readableFormat: String {
    Printer.text(deepest: SyntaxLimits.violation(of: self), usesISO8601: true) { $0.print(normalized) }
  }
}

extension ExpressionSyntax {
  /// The canonical text for display, with dates in ISO 8601. Parsing it gives the same tree as ``predicateFormat``.
  package var readableFormat: String {
    Printer.text(deepest: SyntaxLimits.violation(of: self), usesISO8601: true) { $0.print(normalized) }
  }
}

extension PathSyntax: CustomStringConvertible {
  /// The canonical text.
  public var description: String {
    var printer = Printer()
    printer.print(self)
    return printer.output
  }
}

extension FilterSyntax: CustomStringConvertible {
  /// The canonical text. Parsing it gives an equal tree or, for a tree that only code can make, one that equals its
  /// ``normalized`` form. A tree that nests deeper than ``SyntaxLimits/nesting`` has no text.
  public var predicateFormat: String {
    Printer.text(deepest: SyntaxLimits.violation(of: self)) { $0.print(normalized) }
  }

  /// The canonical text.
  public var description: String { predicateFormat }
}

extension Printer {
  /// The output of `body`. A tree that is too deep is not printed, since that would need a stack as deep.
  static func text(
    deepest violation: Diagnostic?, usesISO8601: Bool = false, besides isProperty: ((String) -> Bool)? = nil,
    _ body: (inout Printer) -> Void
  ) -> String {
    if let violation, violation.code == .nestingTooDeep { return "… \(violation.message) …" }
    var printer = Printer(usesISO8601: usesISO8601, isProperty: isProperty)
    body(&printer)
    return printer.output
  }
}

extension Printer {
  mutating func print(_ filter: FilterSyntax) {
    if let predicate = filter.predicate { print(predicate) }
    for (index, tail) in filter.tails.enumerated() {
      print(tail, after: index > 0 ? filter.tails[index - 1] : nil)
    }
  }

  private mutating func print(_ tail: TailSyntax, after last: TailSyntax?) {
    if !output.isEmpty { output += " " }
    switch tail {
    case .filter(let predicate):
      output += "FILTER"
      parenthesised { $0.print(predicate) }
    case .sort(let keys):
      output += "SORT("
      for (index, key) in keys.enumerated() {
        if index > 0 { output += ", " }
        print(key.expression)
        output += key.ascending ? " ASC" : " DESC"
      }
      output += ")"
    case .distinct(let expressions):
      output += "DISTINCT"
      parenthesised { $0.printList(expressions) }
    case .window(.some(let offset), .some(let limit)) where isLimit(last):
      // An OFFSET right after the last window's LIMIT would be read as part of that.
      output += "LIMIT"
      parenthesised { $0.print(limit) }
      output += " OFFSET"
      parenthesised { $0.print(offset) }
    case .window(let offset, let limit):
      var parts = [("OFFSET", offset), ("LIMIT", limit)]
      if tail.beginsWithLimit { parts.reverse() }
      var isFirst = true
      for case (let word, let count?) in parts {
        if !isFirst { output += " " }
        isFirst = false
        output += word
        parenthesised { $0.print(count) }
      }
    }
  }

  /// Whether a tail is a LIMIT without OFFSET.
  private func isLimit(_ tail: TailSyntax?) -> Bool {
    if case .window(nil, .some) = tail { true } else { false }
  }
}
