internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Binds a predicate: looks up its names and checks its types. Every type error of the language is found here. Binding
/// continues after an error, so all errors are reported at once.
///
/// Arguments must have been substituted already. The binder does not depend on plans.
struct Binder {
  let entity: StoredEntity
  let schema: StoredSchema
  let paths: PathResolver
  /// The text that ranges refer to.
  let source: String
  /// The arguments that take the type of the value they are compared with, by their range and their current value.
  var adaptable: [SourceRange: [Value: AdaptableText]] = [:]
  /// The scope of expressions over groups; nil for expressions over objects.
  var groups: GroupScope?
  /// The group aggregate that was probably meant by a function with one argument.
  var meantAggregate: AggregateFunction?
  private(set) var diagnostics: [Diagnostic] = []
  /// The level of the next variable. Each variable has its own level, including those that a path introduces
  /// implicitly, so a collection can be split into its quantifiers.
  var depth = 0
  /// The number of links in the paths around the current position, not counting links within an index or predicate.
  var linkNesting = 0
  /// The elements for which the current expression is evaluated; nil outside a quantifier.
  var elementwise: Elementwise?
  /// The named elements in scope, outermost first.
  var variables: [Variable] = []

  /// When it returns true, binding ends early with an arbitrary result, which the caller must not use.
  var isCancelled: (@Sendable () -> Bool)?
  private var isStopped = false
  private var nodesUntilPoll = Self.pollInterval

  /// The number of nodes bound between two polls.
  private static let pollInterval = 512

  /// Counts a node; true once the caller no longer waits.
  mutating func stops() -> Bool {
    guard let isCancelled else { return false }
    nodesUntilPoll -= 1
    if nodesUntilPoll <= 0 {
      nodesUntilPoll = Self.pollInterval
      isStopped = isStopped || isCancelled()
    }
    return isStopped
  }

  /// The named element of a SUBQUERY.
  struct Variable {
    let name: String
    let level: Int
    let type: ExpressionType
    /// The owner of the list, if the element is a struct.
    var owner: BoundPart.Owner?
    /// The path from each element to the struct that the variable names; the steps after `$s` continue from there.
    var inside: [PathSyntax.Step] = []
  }

  init(
    entity: StoredEntity, schema: StoredSchema, source: String, isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.isCancelled = isCancelled
    self.entity = entity
    self.schema = schema
    self.source = source
    paths = PathResolver(entity: entity, schema: schema.schema)
  }

  /// The entity with a name, as a target of links.
  func linkedEntity(_ name: String) -> LinkedEntity? { schema.entity(named: name).map { LinkedEntity(stored: $0) } }

  /// Binds a predicate. Returns an arbitrary predicate after an error.
  mutating func predicate(_ syntax: PredicateSyntax) -> BoundPredicate {
    if stops() { return .constant(false) }
    StepCounter.add()
    let level = depth
    defer { depth = level }
    switch syntax.kind {
    case .constant(let value): return .constant(value)
    case .and(let parts): return .and(parts.map { predicate($0) })
    case .or(let parts):
      if joinsTexts(parts, range: syntax.range) { return .constant(false) }
      return .or(parts.map { predicate($0) })
    case .not(let inner): return .not(predicate(inner))
    case .comparison(let comparison): return self.comparison(comparison, in: syntax)
    case .truth(let value): return truth(value, in: syntax)
    case .named(let name):
      report(.missingArgument, "nothing is named '$\(name)'", syntax.range)
      return .constant(false)
    }
  }

  /// Reports `code || place`, which concatenates strings in SQL.
  private mutating func joinsTexts(_ parts: [PredicateSyntax], range: SourceRange) -> Bool {
    if parts.isEmpty { return false }
    var texts: [String] = []
    for part in parts {
      // `code || 'x' == …`: the last text is compared.
      if part == parts.last, case .comparison(let comparison) = part.kind,
        case .literal(.string) = comparison.left.kind,
        !texts.isEmpty
      {
        texts.append(comparison.left.predicateFormat)
        continue
      }
      guard case .truth(let value) = part.kind, case .path(let path) = value.kind, groups == nil,
        case .column(let column)? = try? paths.resolve(path, range: value.range),
        ExpressionType(entity.columns[column].scalarType) == .string
      else { return false }
      texts.append(part.predicateFormat)
    }
    let joined = texts.joined(separator: ", ")
    let example = texts.first.map { "\($0) == …" } ?? "a == …"
    report(
      .typeMismatch, "'||' is OR, which joins conditions, and these are texts", range,
      notes: ["to join texts, write 'concat(\(joined))'", "to compare each with something, write as in '\(example)'"])
    return true
  }

  private mutating func truth(_ value: ExpressionSyntax, in syntax: PredicateSyntax) -> BoundPredicate {
    guard let operand = operand(value), let bound = element(of: operand) else { return .constant(false) }
    guard bound.type == .bool || bound.type == .null else {
      let isOfParts = bound.type == .structure || bound.type.objectEntity != nil
      report(
        .typeMismatch, "\(described(operand)), which is not a condition by itself", value.range,
        notes: isOfParts
          ? advice(value, nil, isMany: operand.collection != nil, with: .bool)
          : ["compare it with something, as in '\(value.predicateFormat) == …'"])
      return .constant(false)
    }
    let bare = ranging(nil, over: operand, syntax: syntax) { _, flag in
      .comparison(
        BoundComparison(
          comparator: .equal, folding: .none, left: flag, right: [.constant(.bool(true))], test: nil, syntax: syntax))
    }
    return bare ?? .constant(false)
  }

  // MARK: Reporting

  mutating func report(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) {
    report(Diagnostic(code: code, message: message, range: range, notes: notes, fixes: fixes))
  }

  /// Adds a diagnostic up to a limit: a long text could have a hundred thousand.
  mutating func report(_ diagnostic: Diagnostic) {
    let like = diagnostics.count { $0.severity == diagnostic.severity }
    if like < Self.mostDiagnostics { diagnostics.append(diagnostic) }
  }

  /// The maximum number of errors, and of warnings, reported for one text.
  static let mostDiagnostics = 20

  mutating func warn(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) {
    report(Diagnostic(code: code, severity: .warning, message: message, range: range, notes: notes, fixes: fixes))
  }

  /// The source text at a range, for fixes; nil if the tree has no source text.
  func written(_ range: SourceRange) -> String? {
    let bytes = source.utf8
    guard range.lowerBound >= 0, range.upperBound > range.lowerBound, range.upperBound <= bytes.count else {
      return nil
    }
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    return String(bytes[start..<bytes.index(start, offsetBy: range.upperBound - range.lowerBound)])
  }

  /// Describes an operand in an error: `'magnitude' is Double`.
  func described(_ syntax: ExpressionSyntax, _ bound: BoundExpression) -> String {
    if case .literal(.null) = syntax.kind { return "nil is not a value" }
    let text = syntax.predicateFormat
    let isLiteral = if case .literal = syntax.kind { true } else { false }
    let quoted = text.utf8.count > 60 ? "this" : isLiteral ? text : "'\(text)'"
    if case .element = bound, !isVariable(syntax) {
      if bound.type == .structure { return "\(quoted) is a list of structs" }
      return "\(quoted) has elements of type \(bound.type.name)"
    }
    return "\(quoted) is \(bound.type.name)"
  }

  private func isVariable(_ syntax: ExpressionSyntax) -> Bool {
    if case .path(let path) = syntax.kind { path.variable != nil } else { false }
  }
}
