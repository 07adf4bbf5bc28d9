internal import Diagnostics
internal import PredicateLanguage
internal import Values

/// Replaces placeholders by arguments and LET names by their predicates.
///
/// An argument becomes a literal of the tree, never source text, so it cannot change what was parsed. The schema is
/// used only to find out whether a word is a property: `no` is FALSE unless there is a property of that name.
struct ArgumentSubstitution {
  let context: SourceContext
  /// Whether a word is the name of a property.
  var isProperty: (String) -> Bool
  /// Whether named placeholders without a value are kept, to be filled later.
  let keepsNames: Bool
  private(set) var diagnostics: [Diagnostic] = []
  /// The string arguments that take the type of the value they are compared with, by their range and their literal.
  /// Within a definition several arguments may have the same range.
  private(set) var textArguments: [SourceRange: [Value: AdaptableText]] = [:]
  /// The first string that reads like a quoted placeholder.
  private var quoted: (text: String, range: SourceRange)?
  private var used: Set<Placeholder>
  private var expanding: [String] = []
  private var definitionRange: SourceRange?
  /// Whether an enclosing tree was already measured and is within the limits.
  private var isInside = false
  /// The total number of nodes of the definitions substituted so far, and the nesting at the current position.
  private var expandedNodes = 0
  private var expandedNesting = 0

  init(context: SourceContext, keepsNames: Bool = false, isProperty: @escaping (String) -> Bool) {
    self.context = context
    self.keepsNames = keepsNames
    self.isProperty = isProperty
    used = context.usedElsewhere
  }

  /// The errors found so far.
  var error: DiagnosticError? {
    diagnostics.isEmpty ? nil : DiagnosticError(source: context.source, diagnostics: diagnostics)
  }

  /// The predicate with every placeholder filled and every name replaced by its definition.
  mutating func predicate(_ syntax: PredicateSyntax) -> PredicateSyntax {
    guard isInside || isWithinLimits(SyntaxLimits.violation(of: syntax)) else {
      return PredicateSyntax(.constant(false), range: syntax.range)
    }
    let wasInside = isInside
    isInside = true
    defer { isInside = wasInside }
    var result = syntax
    result.range = place(syntax.range)
    switch syntax.kind {
    case .constant:
      if let name = syntax.named, let word = syntax.word, isProperty(word) {
        result = PredicateSyntax(.truth(expression(name)), range: result.range)
      }
    case .and(let parts): result.kind = .and(flattenedConjunction(parts))
    case .or(let parts): result.kind = .or(flattenedDisjunction(parts))
    case .not(let inner): result.kind = .not(predicate(inner))
    case .truth(let value): result.kind = .truth(condition(value))
    case .comparison(var comparison):
      comparison.left = expression(comparison.left)
      comparison.right = expression(comparison.right)
      comparison.comparatorRange = place(comparison.comparatorRange)
      comparison.quantifierRange = definitionRange == nil ? comparison.quantifierRange : SourceRange(0, 0)
      comparison.rightQuantifierRange = definitionRange == nil ? comparison.rightQuantifierRange : SourceRange(0, 0)
      result.kind = .comparison(Self.withBounds(comparison))
    case .named(let name):
      if keeps(.named(name)) { return syntax }
      return definition(name, range: place(syntax.range))
    }
    return result
  }

  /// Whether a placeholder is kept because its value is given later.
  private func keeps(_ placeholder: Placeholder) -> Bool {
    guard keepsNames, case .named(let name) = placeholder else { return false }
    return context.arguments.named[name] == nil && context.definitions[name] == nil
  }

  /// The expression with every placeholder filled.
  mutating func expression(_ syntax: ExpressionSyntax) -> ExpressionSyntax {
    guard isInside || isWithinLimits(SyntaxLimits.violation(of: syntax)) else {
      return ExpressionSyntax(.literal(.null), range: syntax.range)
    }
    let wasInside = isInside
    isInside = true
    defer { isInside = wasInside }
    if let word = syntax.word, let name = syntax.named, isProperty(word) { return expression(name) }
    var result = syntax
    result.range = place(syntax.range)
    switch syntax.kind {
    case .literal: if let text = syntax.quotedPlaceholder { quoted = quoted ?? (text, result.range) }
    case .shape(let shape): result.kind = .shape(self.shape(shape))
    case .placeholder(let placeholder) where keeps(placeholder): break
    case .placeholder(let placeholder):
      let value = value(of: placeholder, range: result.range) ?? .null
      let texts = context.arguments.texts(of: placeholder, value: value)
      if !texts.isEmpty { textArguments[result.range, default: [:]].merge(texts) { $1 } }
      result.kind = ShapeSyntax(argument: value).map { .shape($0) } ?? .literal(value)
    case .path(let path): result.kind = .path(self.path(path))
    case .unary(let operation, let operand): result.kind = .unary(operation, expression(operand))
    case .arithmetic(let first, let steps):
      let first = expression(first)
      result.kind = .arithmetic(
        first, steps.map { ArithmeticStep($0.operation, range: place($0.range), expression($0.operand)) })
    case .call(let name, let operands): result.kind = .call(name, operands.map { expression($0) })
    case .list(let elements): result.kind = .list(elements.map { expression($0) })
    case .point(let elements): result.kind = .point(elements.map { expression($0) })
    case .ternary(let condition, let yes, let no):
      result.kind = .ternary(predicate(condition), expression(yes), expression(no))
    case .subquery(let path, let variable, let condition, let tail):
      result.kind = .subquery(self.path(path), variable: variable, predicate(condition), tail: self.path(tail))
    }
    return result
  }

  /// A value used as a predicate: TRUE, FALSE or a property.
  private mutating func condition(_ syntax: ExpressionSyntax) -> ExpressionSyntax {
    if case .placeholder(let placeholder) = syntax.kind { return truth(of: placeholder, range: place(syntax.range)) }
    let value = expression(syntax)
    guard case .literal(let literal) = value.kind, let word = value.word else { return value }
    if case .bool = literal { return value }
    let fix =
      literal == .null && definitionRange == nil ? Fix.leavingOut(value.range, of: context.source) : nil
    report(
      .expectedComparison, "'\(word)' is a value, not a condition", value.range,
      notes: fix == nil ? ["a condition compares it with something, as in 'name == \"x\"'"] : [],
      fixes: fix.map { [$0] } ?? [])
    return value
  }

  /// The TRUE or FALSE that a placeholder used as a predicate stands for.
  private mutating func truth(of placeholder: Placeholder, range: SourceRange) -> ExpressionSyntax {
    var truth = Value.bool(false)
    if let value = value(of: placeholder, range: range) {
      if case .bool = value {
        truth = value
      } else if let text = context.arguments.texts(of: placeholder, value: value)[value],
        TextAdaptation.mayBe(text, .bool), let value = TextAdaptation.value(text.text, as: .bool)
      {
        truth = value
      } else {
        let written = ExpressionSyntax(.placeholder(placeholder)).predicateFormat
        report(
          .placeholderAsPredicate,
          "'\(written)' is a whole condition here, so its argument must be TRUE or FALSE, not \(ExpressionType(value).name)",
          range,
          notes: ["to compare a property with it, write 'property == \(written)'; conditions are joined as trees"])
      }
    }
    return ExpressionSyntax(.literal(truth), range: range)
  }

  /// The path with every `%K` replaced by the names it stands for.
  mutating func path(_ syntax: PathSyntax) -> PathSyntax {
    var steps: [PathSyntax.Step] = []
    for step in syntax.steps {
      let range = place(step.range)
      switch step.kind {
      case .placeholder(let placeholder) where keeps(placeholder): steps.append(step)
      case .placeholder(let placeholder):
        guard let value = value(of: placeholder, range: range) else { continue }
        guard case .string(let names) = value, !names.isEmpty else {
          report(.typeMismatch, "a placeholder for a property takes the property's name as text", range)
          continue
        }
        steps += names.split(separator: ".", omittingEmptySubsequences: false).map {
          PathSyntax.Step(.name(String($0)), range: range)
        }
      case .index(let index): steps.append(PathSyntax.Step(.index(expression(index)), range: range))
      case .name, .operation, .first, .last, .size: steps.append(PathSyntax.Step(step.kind, range: range))
      }
    }
    return PathSyntax(variable: syntax.variable, steps: steps)
  }

  /// Reports errors that only the whole text shows: mixed styles of placeholders, unused arguments.
  mutating func finish() {
    var sequential: Int?
    var positional: Int?
    var hasNamed = false
    for placeholder in used {
      switch placeholder {
      case .sequential(let index, _): sequential = max(sequential ?? 0, index + 1)
      case .positional(let index): positional = max(positional ?? 0, index + 1)
      case .named(let name): if context.definitions[name] == nil { hasNamed = true }
      }
    }
    if sequential != nil, positional != nil || hasNamed {
      report(
        .mixedPlaceholders, "placeholders like %@ cannot be mixed with \(positional != nil ? "$0" : "$name")",
        SourceRange(0, context.source.utf8.count))
      return
    }
    let wanted = max(sequential ?? 0, positional ?? 0)
    let given = context.arguments.positional.count
    if context.refusesExtraArguments, given > wanted {
      let words = wanted == 0 ? "no placeholder" : wanted == 1 ? "one placeholder" : "\(wanted) placeholders"
      report(
        .extraArgument, "\(given) argument\(given == 1 ? "" : "s") for \(words)",
        quoted?.range ?? SourceRange(0, context.source.utf8.count),
        notes: quoted == nil ? [] : ["in quotes it is plain text: write the placeholder without them"],
        fixes: quoted.map { [Fix(message: "write \($0.text) without quotes", range: $0.range, replacement: $0.text)] }
          ?? [])
    }
  }

  /// Replaces a range argument by its bounds: `x IN %@` becomes `x BETWEEN {lower, upper}`.
  private static func withBounds(_ comparison: ComparisonSyntax) -> ComparisonSyntax {
    guard comparison.comparator == .isIn || comparison.comparator == .between, comparison.rightQuantifier == nil,
      case .literal(let value) = comparison.right.kind, let bounds = value.bounds
    else { return comparison }
    var result = comparison
    result.comparator = .between
    result.right.kind = .list(
      [bounds.lower, bounds.upper].map { ExpressionSyntax(.literal($0), range: comparison.right.range) })
    return result
  }

  // MARK: Parts

  private func place(_ range: SourceRange) -> SourceRange { definitionRange ?? range }

  private mutating func report(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) {
    if diagnostics.count >= Binder.mostDiagnostics { return }
    diagnostics.append(Diagnostic(code: code, message: message, range: range, notes: notes, fixes: fixes))
  }

  /// Reports a name without a value; the note names the nearest name, or lists all names.
  private mutating func missing(
    _ message: String, _ name: String, among names: @autoclosure () -> [String], _ range: SourceRange
  ) {
    if diagnostics.count >= Binder.mostDiagnostics { return }
    let known = names()
    let listing =
      known.isEmpty
      ? "no argument has a name" : "what has a name is \(known.prefix(20).map { "$" + $0 }.joined(separator: ", "))"
    let near = Suggestion.nearest(to: name, among: known)
    report(
      .missingArgument, message, range, notes: [near.map { "did you mean '$\($0)'? " + listing } ?? listing],
      fixes: near.map { [Fix(message: "write '$\($0)'", range: range, replacement: "$" + $0)] } ?? [])
  }

  private mutating func isWithinLimits(_ violation: Diagnostic?) -> Bool {
    guard let violation else { return true }
    if !diagnostics.contains(violation) { diagnostics.append(violation) }
    return false
  }

  private mutating func flattenedConjunction(_ parts: [PredicateSyntax]) -> [PredicateSyntax] {
    var result: [PredicateSyntax] = []
    for part in parts {
      let part = predicate(part)
      if case .and(let inner) = part.kind { result += inner } else { result.append(part) }
    }
    return result
  }

  private mutating func flattenedDisjunction(_ parts: [PredicateSyntax]) -> [PredicateSyntax] {
    var result: [PredicateSyntax] = []
    for part in parts {
      let part = predicate(part)
      if case .or(let inner) = part.kind { result += inner } else { result.append(part) }
    }
    return result
  }

  /// The number of nesting levels that a defined name counts as.
  private static let levelsOfName = 4

  private mutating func definition(_ name: String, range: SourceRange) -> PredicateSyntax {
    used.insert(.named(name))
    guard let definition = context.definitions[name] else {
      if context.arguments.named[name] != nil {
        return PredicateSyntax(.truth(truth(of: .named(name), range: range)), range: range)
      }
      let context = context
      missing(
        "nothing is named '$\(name)'", name,
        among: context.definitions.keys.sorted() + context.arguments.named.keys.sorted(), range)
      return PredicateSyntax(.constant(false), range: range)
    }
    guard !expanding.contains(name) else {
      report(.recursiveDefinition, "'$\(name)' is defined by itself", range)
      return PredicateSyntax(.constant(false), range: range)
    }
    // The limit was already reported; nothing more needs measuring.
    if expandedNodes > SyntaxLimits.nodes { return PredicateSyntax(.constant(false), range: range) }
    let (nodes, nesting) = SyntaxLimits.measure(of: definition)
    expandedNodes += nodes
    // A name within a definition needs stack space for its lookup as well, so it counts as several levels.
    let levels = nesting + Self.levelsOfName
    expandedNesting += levels
    defer { expandedNesting -= levels }
    // Definitions that each use another one twice grow exponentially.
    guard expandedNodes <= SyntaxLimits.nodes, expandedNesting <= SyntaxLimits.nesting else {
      report(
        expandedNodes > SyntaxLimits.nodes ? .tooManyNodes : .nestingTooDeep,
        "'$\(name)' makes the query too large", range,
        notes: [
          "with all definitions written out, a query has at most \(SyntaxLimits.nodes) parts, \(SyntaxLimits.nesting) deep; "
            + "a name within a name counts as \(Self.levelsOfName) levels"
        ])
      return PredicateSyntax(.constant(false), range: range)
    }
    let outer = definitionRange
    definitionRange = range
    expanding.append(name)
    defer {
      definitionRange = outer
      expanding.removeLast()
    }
    return predicate(definition)
  }

  private mutating func value(of placeholder: Placeholder, range: SourceRange) -> Value? {
    guard let value = given(for: placeholder, range: range) else { return nil }
    if let violation = SyntaxLimits.violation(of: ExpressionSyntax(.literal(value), range: range)) {
      _ = isWithinLimits(violation)
      return nil
    }
    return value
  }

  private mutating func given(for placeholder: Placeholder, range: SourceRange) -> Value? {
    used.insert(placeholder)
    let positional = context.arguments.positional
    switch placeholder {
    case .sequential(let index, let letters):
      guard positional.indices.contains(index) else {
        missing("%\(letters)", number: index + 1, of: positional.count, range)
        return nil
      }
      return checked(positional[index], letters, range)
    case .positional(let index):
      guard positional.indices.contains(index) else {
        missing("$\(index)", number: index + 1, of: positional.count, range)
        return nil
      }
      return positional[index]
    case .named(let name):
      if let value = context.arguments.named[name] { return value }
      let named = context.arguments.named
      missing("no value is given for '$\(name)'", name, among: named.keys.sorted(), range)
      return nil
    }
  }

  private mutating func missing(_ spelling: String, number: Int, of given: Int, _ range: SourceRange) {
    let words = given == 0 ? "no arguments are" : given == 1 ? "one argument is" : "\(given) arguments are"
    report(.missingArgument, "'\(spelling)' needs argument \(number), but \(words) given", range)
  }

  /// Checks a value against the kind of number that `%d` or `%f` stands for.
  private mutating func checked(_ value: Value, _ letters: String, _ range: SourceRange) -> Value {
    switch (letters.last, value) {
    case ("@", _), ("K", _), (_, .null), ("c", .string): return value
    case ("d", .int), ("i", .int), ("u", .int), ("x", .int), ("o", .int), ("c", .int): return value
    case ("d", .bool(let flag)), ("i", .bool(let flag)): return .int(flag ? 1 : 0)
    case ("f", .int(let number)), ("g", .int(let number)), ("e", .int(let number)): return .double(Double(number))
    case ("f", .double), ("g", .double), ("e", .double), ("f", .float), ("g", .float), ("e", .float),
      ("f", .decimal), ("g", .decimal), ("e", .decimal):
      return value
    case ("d", _), ("i", _), ("u", _), ("x", _), ("o", _):
      report(.typeMismatch, "'%\(letters)' stands for a whole number, not for \(ExpressionType(value).name)", range)
    case ("f", _), ("g", _), ("e", _):
      report(.typeMismatch, "'%\(letters)' stands for a number, not for \(ExpressionType(value).name)", range)
    default:
      report(.typeMismatch, "'%\(letters)' cannot stand for \(ExpressionType(value).name)", range)
    }
    return value
  }
}
