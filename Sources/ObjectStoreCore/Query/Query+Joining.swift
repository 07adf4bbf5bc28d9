internal import PredicateLanguage

extension Query {
  /// Both hold.
  ///
  /// ```swift
  /// let both = a && b
  /// ```
  public static func && (left: Query, right: Query) -> Query { [left, right].conjunction() }

  /// Holds if at least one of the queries holds.
  ///
  /// ```swift
  /// let either = a || b
  /// ```
  public static func || (left: Query, right: Query) -> Query { [left, right].disjunction() }

  /// The negation: it holds for an object exactly if the query does not.
  ///
  /// ```swift
  /// let others = !a
  /// ```
  public static prefix func ! (query: Query) -> Query {
    switch query.content {
    case .success(let predicate): Query(made: predicate.negated, source: query.source, depth: query.depth + 1)
    case .failure: query
    }
  }
}

extension Sequence {
  /// Holds if all of the queries hold; ``Query/all`` for an empty sequence.
  ///
  /// ```swift
  /// let visible = filters.filter(\.isOn).map(\.query).conjunction()
  /// ```
  ///
  /// - Complexity: Linear in the number of conditions that are joined.
  public func conjunction<Object>() -> Query<Object> where Element == Query<Object> {
    Query(joining: Array(self)) { .conjunction($0) }
  }

  /// Holds if at least one of the queries holds; ``Query/none`` for an empty sequence.
  ///
  /// ```swift
  /// let either = filters.filter(\.isOn).map(\.query).disjunction()
  /// ```
  ///
  /// - Complexity: Linear in the number of conditions that are joined.
  public func disjunction<Object>() -> Query<Object> where Element == Query<Object> {
    Query(joining: Array(self)) { .disjunction($0) }
  }
}

extension Query {
  fileprivate init(joining queries: [Query], _ join: ([PredicateSyntax]) -> PredicateSyntax) {
    var parts: [PredicateSyntax] = []
    var depth = 0
    for query in queries {
      switch query.content {
      case .success(let predicate):
        parts.append(predicate)
        depth = Swift.max(depth, query.depth)
      case .failure(let error):
        self.init(failing: error)
        return
      }
    }
    // Ranges refer to a single text.
    let source = queries.count == 1 ? queries[0].source : ""
    let joined = join(parts)
    // One more of the same chain nests no deeper.
    let continues = parts.contains { $0.isSameChain(as: joined) }
    self.init(made: joined, source: source, depth: continues ? depth : depth + 1)
  }

  /// A query made of others. One that nests deeper than the language allows is the error that its use would be: a tree
  /// that a loop makes ever deeper could not even be compared or freed.
  fileprivate init(made predicate: PredicateSyntax, source: String, depth: Int) {
    if depth > SyntaxLimits.nesting, let violation = SyntaxLimits.violation(of: predicate) {
      self.init(failing: QueryError(source: "", violation))
    } else {
      self.init(predicate, source: source, depth: depth)
    }
  }
}

/// A query made of several, like `NSCompoundPredicate`.
///
/// ```swift
/// let both = CompoundQuery(type: .and, subqueries: [a, b])
/// ```
public typealias CompoundQuery<Object: Model> = Query<Object>

extension Query {
  /// Creates a query made of several.
  ///
  /// ```swift
  /// let neither = CompoundQuery(type: .not, subqueries: [a, b])
  /// ```
  ///
  /// An invalid query among them makes the whole invalid: using it throws.
  ///
  /// - Parameters:
  ///   - type: The operator that joins them.
  ///   - subqueries: The queries.
  public init(type: CompoundType, subqueries: [Query]) {
    switch type {
    case .and: self = subqueries.conjunction()
    case .or: self = subqueries.disjunction()
    case .not: self = !subqueries.disjunction()
    }
  }
}

/// How a ``CompoundQuery`` joins its queries.
public enum CompoundType: Hashable, Sendable, CaseIterable {
  /// All hold.
  case and
  /// At least one query holds.
  case or
  /// None holds.
  case not
}

extension PredicateSyntax {
  /// The conjunction of all parts as one chain, without parts that are always true.
  static func conjunction(_ parts: [PredicateSyntax]) -> PredicateSyntax {
    let flat = parts.flatMap { part -> [PredicateSyntax] in
      switch part.kind {
      case .and(let inner): inner
      case .constant(true) where part.word == nil: []
      default: [part]
      }
    }
    if flat.count == 1 { return flat[0] }
    return PredicateSyntax(flat.isEmpty ? .constant(true) : .and(flat))
  }

  /// The disjunction of all parts as one chain, without parts that are always false.
  static func disjunction(_ parts: [PredicateSyntax]) -> PredicateSyntax {
    let flat = parts.flatMap { part -> [PredicateSyntax] in
      switch part.kind {
      case .or(let inner): inner
      case .constant(false) where part.word == nil: []
      default: [part]
      }
    }
    if flat.count == 1 { return flat[0] }
    return PredicateSyntax(flat.isEmpty ? .constant(false) : .or(flat))
  }

  /// Whether both are chains of AND, or both of OR.
  fileprivate func isSameChain(as other: PredicateSyntax) -> Bool {
    switch (kind, other.kind) {
    case (.and, .and), (.or, .or): true
    default: false
    }
  }

  /// The plain opposite.
  var negated: PredicateSyntax { PredicateSyntax(.not(self)) }
}
