internal import PredicateLanguage

/// What a typed expression says: a condition or a value, with the collections that its paths lead through.
struct QueryTerm: Sendable {
  /// A condition or a value.
  enum Node: Sendable {
    case predicate(PredicateSyntax)
    case expression(ExpressionSyntax)
  }

  var node: Node
  /// For each path in it that leads through collections of objects or structs: the paths to these, the shortest first.
  var collections: [[PathSyntax]] = []
  /// For a condition that may be nil: what must hold for it not to be.
  var presences: [QueryTerm] = []
  /// Why it can't be said.
  var failure: QueryError?

  init(_ expression: ExpressionSyntax) { node = .expression(expression) }

  init(_ predicate: PredicateSyntax) { node = .predicate(predicate) }

  /// A value.
  init(_ value: Value) { node = .expression(ExpressionSyntax(.literal(value))) }

  /// One made of others.
  private init(_ node: Node, of parts: [QueryTerm]) {
    self.node = node
    collections = parts.flatMap(\.collections)
    failure = parts.lazy.compactMap(\.failure).first
  }

  init(_ predicate: PredicateSyntax, of parts: [QueryTerm]) { self.init(.predicate(predicate), of: parts) }

  init(_ expression: ExpressionSyntax, of parts: [QueryTerm]) { self.init(.expression(expression), of: parts) }

  /// One that can't be said.
  init(failing message: String, notes: [String] = []) {
    node = .predicate(PredicateSyntax(.constant(false)))
    failure = QueryError(source: "", Diagnostic(code: .unsupported, message: message, notes: notes))
  }

  /// The condition: a Bool by itself means that it is true.
  var predicate: PredicateSyntax {
    if !presences.isEmpty {
      var known = self
      known.presences = []
      return .conjunction(presences.map(\.predicate) + [known.predicate])
    }
    switch node {
    case .predicate(let predicate): return predicate
    case .expression(let expression):
      if case .literal(.bool(let value)) = expression.kind { return PredicateSyntax(.constant(value)) }
      return PredicateSyntax(.truth(expression))
    }
  }

  /// The value. A condition is none by itself: it chooses between TRUE and FALSE.
  var expression: ExpressionSyntax {
    switch node {
    case .expression(let expression): expression
    case .predicate(let predicate):
      ExpressionSyntax(
        .ternary(predicate, ExpressionSyntax(.literal(.bool(true))), ExpressionSyntax(.literal(.bool(false)))))
    }
  }

  /// The path, where it is nothing else.
  var path: PathSyntax? {
    if case .expression(let expression) = node, case .path(let path) = expression.kind { path } else { nil }
  }

  /// Two values compared.
  static func comparison(
    _ left: QueryTerm, _ comparator: Comparator, _ right: QueryTerm, options: StringOptions = [],
    quantifier: Quantifier? = nil
  ) -> QueryTerm {
    QueryTerm(
      PredicateSyntax(
        .comparison(
          ComparisonSyntax(
            quantifier: quantifier, left: left.expression, comparator: comparator, options: options,
            right: right.expression))), of: [left, right])
  }

  /// A value compared with an argument: `IN` and `BETWEEN` take lists, ranges become their bounds.
  static func comparison(
    _ left: QueryTerm, _ comparator: Comparator, _ value: Value, options: StringOptions = [],
    quantifier: Quantifier? = nil
  ) -> QueryTerm {
    let right =
      if case .list(let elements) = value {
        ExpressionSyntax(.list(elements.map { ExpressionSyntax(.literal($0)) }))
      } else {
        ExpressionSyntax(.literal(value))
      }
    return comparison(left, comparator, QueryTerm(right), options: options, quantifier: quantifier)
  }

  /// With another step after a path.
  func adding(_ steps: [PathSyntax.Step], throughCollection: Bool = false) -> QueryTerm {
    guard var path else {
      return QueryTerm(failing: "a property of '\(expression.predicateFormat)', which is no path")
    }
    path.steps += steps
    var result = self
    result.node = .expression(ExpressionSyntax(.path(path)))
    if throughCollection { result.collections = [(collections.first ?? []) + [path]] }
    return result
  }
}
