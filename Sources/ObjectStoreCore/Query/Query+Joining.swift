internal import PredicateLanguage

extension Query {
  /// Both hold.
  public static func && (left: Query, right: Query) -> Query { [left, right].conjunction() }

  /// At least one holds.
  public static func || (left: Query, right: Query) -> Query { [left, right].disjunction() }

  /// The plain opposite: it holds of an object exactly where the query does not.
  public static prefix func ! (query: Query) -> Query {
    switch query.content {
    case .success(let predicate): Query(predicate.negated, source: query.source)
    case .failure: query
    }
  }
}

extension Sequence {
  /// All of the queries hold; ``Query/all`` of none.
  ///
  /// ```swift
  /// let visible = filters.filter(\.isOn).map(\.query).conjunction()
  /// ```
  public func conjunction<Object>() -> Query<Object> where Element == Query<Object> {
    Query(joining: Array(self)) { .conjunction($0) }
  }

  /// At least one of the queries holds; ``Query/none`` of none.
  public func disjunction<Object>() -> Query<Object> where Element == Query<Object> {
    Query(joining: Array(self)) { .disjunction($0) }
  }
}

extension Query {
  fileprivate init(joining queries: [Query], _ join: ([PredicateSyntax]) -> PredicateSyntax) {
    var parts: [PredicateSyntax] = []
    for query in queries {
      switch query.content {
      case .success(let predicate): parts.append(predicate)
      case .failure(let error):
        self.init(failing: error)
        return
      }
    }
    // Places are of one text only.
    let source = queries.count == 1 ? queries[0].source : ""
    self.init(join(parts), source: source)
  }
}

/// A query made of several, as `NSCompoundPredicate` is.
///
/// ```swift
/// let both = CompoundQuery(type: .and, subqueries: [a, b])
/// ```
public typealias CompoundQuery<Object: Model> = Query<Object>

extension Query {
  /// A query made of several.
  ///
  /// - Parameters:
  ///   - type: How they are joined.
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
  /// At least one holds.
  case or
  /// None holds.
  case not
}

extension PredicateSyntax {
  /// All of them, as one chain. What is true of everything is left out.
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

  /// At least one of them, as one chain. What is true of nothing is left out.
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

  /// The plain opposite.
  var negated: PredicateSyntax { PredicateSyntax(.not(self)) }
}
