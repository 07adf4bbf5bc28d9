extension PredicateSyntax: CustomStringConvertible {
  /// The canonical text; reading it back gives an equal tree.
  public var predicateFormat: String {
    var printer = Printer()
    printer.print(self)
    return printer.output
  }

  /// The canonical text.
  public var description: String { predicateFormat }
}

extension ExpressionSyntax: CustomStringConvertible {
  /// The canonical text; reading it back gives an equal tree.
  public var predicateFormat: String {
    var printer = Printer()
    printer.print(self)
    return printer.output
  }

  /// The canonical text.
  public var description: String { predicateFormat }
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
  /// The canonical text; reading it back gives an equal tree.
  public var predicateFormat: String {
    var printer = Printer()
    printer.print(self)
    return printer.output
  }

  /// The canonical text.
  public var description: String { predicateFormat }
}

extension Printer {
  mutating func print(_ filter: FilterSyntax) {
    if let predicate = filter.predicate { print(predicate) }
    for (index, tail) in filter.tails.enumerated() {
      print(tail, before: index + 1 < filter.tails.count ? filter.tails[index + 1] : nil)
    }
  }

  private mutating func print(_ tail: TailSyntax, before next: TailSyntax?) {
    if !output.isEmpty { output += " " }
    switch tail {
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
    case .window(let offset, let limit):
      if let offset {
        output += "OFFSET"
        parenthesised { $0.print(offset) }
      } else if case .window(.some, _) = next {
        // The next window's OFFSET would be read as part of this one, and be applied first.
        output += "OFFSET(0)"
      }
      if let limit {
        if !output.hasSuffix(" "), !output.isEmpty { output += " " }
        output += "LIMIT"
        parenthesised { $0.print(limit) }
      }
    }
  }
}
