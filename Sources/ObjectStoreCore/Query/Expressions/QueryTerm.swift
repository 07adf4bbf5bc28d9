internal import PredicateLanguage

/// The meaning of a typed expression: a condition or a value, with the collections along its paths.
struct QueryTerm: Sendable {
  /// A condition or a value.
  enum Node: Sendable {
    case predicate(PredicateSyntax)
    case expression(ExpressionSyntax)
  }

  var node: Node
  /// For each path in it that leads through collections of objects or structs: the paths to these, the shortest first.
  var collections: [[PathSyntax]] = []
  /// Whether it is, or has, a path that ends at a collection of objects, structs or values.
  var endsAtMany = false
  /// For a condition that may be nil, the conditions under which it is not.
  var presences: [QueryTerm] = []
  /// The error of an unsupported expression.
  var failure: QueryError?

  init(_ expression: ExpressionSyntax) { node = .expression(expression) }

  init(_ predicate: PredicateSyntax) { node = .predicate(predicate) }

  /// A value.
  init(_ value: Value) { node = .expression(ExpressionSyntax(.literal(value))) }

  /// A term made of others.
  private init(_ node: Node, of parts: [QueryTerm]) {
    self.node = node
    collections = parts.flatMap(\.collections)
    endsAtMany = parts.contains(where: \.endsAtMany)
    failure = parts.lazy.compactMap(\.failure).first
  }

  init(_ predicate: PredicateSyntax, of parts: [QueryTerm]) { self.init(.predicate(predicate), of: parts) }

  init(_ expression: ExpressionSyntax, of parts: [QueryTerm]) { self.init(.expression(expression), of: parts) }

  /// An unsupported term.
  init(failing message: String, notes: [String] = []) {
    node = .predicate(PredicateSyntax(.constant(false)))
    failure = QueryError(source: "", Diagnostic(code: .unsupported, message: message, notes: notes))
  }

  /// The term as a condition; a Bool value means that it is true.
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

  /// The term as a value; a condition becomes TRUE or FALSE.
  var expression: ExpressionSyntax {
    switch node {
    case .expression(let expression): expression
    case .predicate(let predicate):
      ExpressionSyntax(
        .ternary(predicate, ExpressionSyntax(.literal(.bool(true))), ExpressionSyntax(.literal(.bool(false)))))
    }
  }

  /// The path, if the term is only a path.
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

  /// Compares a value with an argument: `IN` and `BETWEEN` take lists, ranges are replaced by their bounds.
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
  func adding(
    _ steps: [PathSyntax.Step], throughCollection: Bool = false, endsAtMany: Bool = false
  ) -> QueryTerm {
    guard var path else {
      return QueryTerm(failing: "a property of '\(expression.predicateFormat)', which is not a path")
    }
    path.steps += steps
    var result = self
    result.node = .expression(ExpressionSyntax(.path(path)))
    result.endsAtMany = endsAtMany
    if throughCollection { result.collections = [(collections.first ?? []) + [path]] }
    return result
  }
}
