/// Paths and names. A name that could be read as something else is escaped.
extension Printer {
  mutating func print(_ path: PathSyntax) {
    if let variable = path.variable {
      output += "$" + variable
      printSteps(path.steps[...], isFirst: false)
    } else if path.steps.isEmpty {
      output += "SELF"
    } else {
      printSteps(path.steps[...], isFirst: true)
    }
  }

  /// Prints steps separated by dots, with a leading dot unless the first step starts the path.
  mutating func printSteps(_ steps: ArraySlice<PathSyntax.Step>, isFirst: Bool) {
    var isFirst = isFirst
    for step in steps {
      switch step.kind {
      case .name(let name):
        if !isFirst { output += "." }
        printName(name, afterDot: !isFirst)
      case .placeholder(let placeholder):
        if !isFirst { output += "." }
        switch placeholder {
        case .sequential: output += "%K"
        case .positional(let position): output += "$K\(position)"
        case .named(let name): output += "$" + name
        }
      case .operation(let name): output += (isFirst ? "@" : ".@") + name
      case .index(let expression):
        if isFirst { output += "SELF" }
        output += "["
        print(index: expression)
        output += "]"
      case .first: output += isFirst ? "SELF[FIRST]" : "[FIRST]"
      case .last: output += isFirst ? "SELF[LAST]" : "[LAST]"
      case .size: output += isFirst ? "SELF[SIZE]" : "[SIZE]"
      }
      isFirst = false
    }
  }

  /// An index; a property named `first` must not be read as the word.
  private mutating func print(index: ExpressionSyntax) {
    if case .path(let path) = index.kind, path.variable == nil, path.steps.count == 1,
      case .name(let name) = path.steps[0].kind
    {
      switch Keyword(spelling: name) {
      case .first, .last, .size:
        output += "#" + name
        return
      default: break
      }
    }
    print(index)
  }

  mutating func printName(_ name: String, afterDot: Bool) {
    if !Printer.isPlainName(name) {
      output += "`" + Printer.escaped(name, quote: "`") + "`"
    } else if !afterDot, Keyword(spelling: name)?.isReserved == true {
      output += "#" + name
    } else {
      output += name
    }
  }

  /// Whether the lexer would read `name` as one word.
  static func isPlainName(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { utf8 in
      guard let base = utf8.baseAddress, !utf8.isEmpty else { return false }
      var lexer = Lexer(base, count: utf8.count, allowsComments: false)
      let token = lexer.next()
      return token.kind == .word && token.start == 0 && token.end == utf8.count
    }
  }
}

extension PathSyntax {
  /// Whether a name is a keyword.
  package static func isKeyword(_ name: String) -> Bool { Keyword(spelling: name) != nil }
}
