public import Diagnostics
import Values

/// Compares the placeholders of a tree with the arguments given for them. It fills none and checks no types.
public struct PlaceholderCheck: Sendable {
  /// The most elements a list given as an argument may have.
  public static let longestList = SyntaxLimits.listElements

  private let arguments: Arguments
  private var placeholders: [(placeholder: Placeholder, range: SourceRange)] = []
  /// String literals that look like a placeholder in quotes.
  private var quoted: [SourceRange] = []

  /// What is wrong with `arguments` for `filter`: too few, too many, styles mixed, lists too long. Empty when nothing is.
  ///
  /// - Parameter definitions: names defined by LET, which are no arguments.
  public static func diagnostics(
    _ filter: FilterSyntax, _ arguments: Arguments, definitions: Set<String> = []
  ) -> [Diagnostic] {
    var check = PlaceholderCheck(arguments)
    check.visit(filter)
    return check.diagnostics(definitions)
  }

  /// The same for a whole statement.
  public static func diagnostics(
    _ statement: StatementSyntax, _ arguments: Arguments, definitions: Set<String> = []
  ) -> [Diagnostic] {
    var check = PlaceholderCheck(arguments)
    check.visit(statement)
    return check.diagnostics(definitions)
  }

  private init(_ arguments: Arguments) { self.arguments = arguments }

  private func diagnostics(_ definitions: Set<String>) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var usesSequence = false
    var usesPositions = false
    var needed = 0
    var used: Set<Int> = []
    for (placeholder, range) in placeholders {
      switch placeholder {
      case .sequential(let position, _):
        usesSequence = true
        used.insert(position)
        needed = max(needed, position + 1)
        if position >= arguments.positional.count { found.append(missing(placeholder, range)) }
      case .positional(let position):
        usesPositions = true
        used.insert(position)
        needed = max(needed, position + 1)
        if position >= arguments.positional.count { found.append(missing(placeholder, range)) }
      case .named(let name):
        if arguments.named[name] == nil, !definitions.contains(name) { found.append(missing(placeholder, range)) }
      }
      if usesSequence, usesPositions {
        return [
          Diagnostic(
            code: .mixedPlaceholders, message: "'%@' and '$0' are mixed in one text", range: range,
            notes: ["take arguments in order (%@), by position ($0), or by name ($name)"])
        ]
      }
    }
    if arguments.positional.count > needed { found.append(extra(needed)) }
    for (position, value) in arguments.positional.enumerated() where isTooLong(value) {
      found.append(tooLong("argument \(position)"))
    }
    for (name, value) in arguments.named.sorted(by: { $0.key < $1.key }) where isTooLong(value) {
      found.append(tooLong("the argument '\(name)'"))
    }
    return found
  }

  private func missing(_ placeholder: Placeholder, _ range: SourceRange) -> Diagnostic {
    var printer = Printer()
    printer.print(ExpressionSyntax(.placeholder(placeholder)))
    let given = arguments.positional.count
    let note: String
    if case .named = placeholder {
      let names = arguments.named.keys.sorted()
      note =
        names.isEmpty ? "no arguments with names are given" : "the names given are \(names.joined(separator: ", "))"
    } else {
      note = given == 1 ? "1 argument is given" : "\(given) arguments are given"
    }
    return Diagnostic(
      code: .missingArgument, message: "there is no argument for '\(printer.output)'", range: range, notes: [note])
  }

  private func extra(_ needed: Int) -> Diagnostic {
    let given = arguments.positional.count
    var diagnostic = Diagnostic(
      code: .extraArgument,
      message: "\(given) \(given == 1 ? "argument is" : "arguments are") given, and the text has places for \(needed)",
      range: quoted.first)
    if let range = quoted.first {
      diagnostic.notes = ["inside quotes '%@' is plain text"]
      diagnostic.fixes = [Fix(message: "write %@ without quotes", range: range, replacement: "%@")]
    }
    return diagnostic
  }

  private func isTooLong(_ value: Value) -> Bool {
    if case .list(let elements) = value { return elements.count > Self.longestList }
    return false
  }

  private func tooLong(_ what: String) -> Diagnostic {
    Diagnostic(code: .listTooLong, message: "\(what) has more than \(Self.longestList) elements")
  }
}

extension PlaceholderCheck {
  private mutating func visit(_ statement: StatementSyntax) {
    switch statement {
    case .select(let query), .count(let query), .delete(let query): visit(query)
    case .explain(_, let explained): visit(explained)
    case .update(let query, let assignments):
      for assignment in assignments {
        visit(assignment.path)
        visit(assignment.value)
      }
      visit(query)
    case .define(_, let predicate): visit(predicate)
    case .insert, .begin, .commit, .rollback: break
    }
  }

  private mutating func visit(_ query: SelectSyntax) {
    visit(query.filter)
    for expression in query.groupBy + query.distinct { visit(expression) }
    if let having = query.having { visit(having) }
    for expression in [query.sectionsBy, query.offset, query.limit] {
      if let expression { visit(expression) }
    }
    for key in query.sortBy { visit(key.expression) }
    for item in query.select ?? [] { visit(item.expression) }
  }

  private mutating func visit(_ filter: FilterSyntax) {
    if let predicate = filter.predicate { visit(predicate) }
    for tail in filter.tails {
      switch tail {
      case .sort(let keys): for key in keys { visit(key.expression) }
      case .distinct(let expressions): for expression in expressions { visit(expression) }
      case .window(let offset, let limit):
        if let offset { visit(offset) }
        if let limit { visit(limit) }
      }
    }
  }

  private mutating func visit(_ predicate: PredicateSyntax) {
    switch predicate.kind {
    case .and(let operands), .or(let operands): for operand in operands { visit(operand) }
    case .not(let operand): visit(operand)
    case .comparison(let comparison):
      visit(comparison.left)
      visit(comparison.right)
    case .truth(let expression): visit(expression)
    case .constant, .named: break
    }
  }

  private mutating func visit(_ expression: ExpressionSyntax) {
    switch expression.kind {
    case .literal(.string("%@")): quoted.append(expression.range)
    case .literal: break
    case .placeholder(let placeholder): placeholders.append((placeholder, expression.range))
    case .path(let path): visit(path)
    case .unary(_, let operand): visit(operand)
    case .arithmetic(let first, let steps):
      visit(first)
      for step in steps { visit(step.operand) }
    case .call(_, let values), .list(let values), .point(let values): for value in values { visit(value) }
    case .ternary(let predicate, let whenTrue, let whenFalse):
      visit(predicate)
      visit(whenTrue)
      visit(whenFalse)
    case .subquery(let path, _, let predicate, let tail):
      visit(path)
      visit(predicate)
      visit(tail)
    case .shape(let shape): visit(shape)
    }
  }

  private mutating func visit(_ path: PathSyntax) {
    for step in path.steps {
      switch step.kind {
      case .placeholder(let placeholder): placeholders.append((placeholder, step.range))
      case .index(let expression): visit(expression)
      default: break
      }
    }
  }

  private mutating func visit(_ shape: ShapeSyntax) {
    switch shape {
    case .circle(let center, let radius, _):
      visit(center)
      visit(radius)
    case .box(let bottomLeft, let topRight):
      visit(bottomLeft)
      visit(topRight)
    case .polygon(let outer, let holes): for point in outer + holes.joined() { visit(point) }
    }
  }
}
