internal import PredicateLanguage

/// A placeholder for an object, or for a value derived from it, in a query written in Swift.
///
/// ```swift
/// let strong = store.objects(Quake.self).where { $0.magnitude > 5 && $0.location.name.contains("alaska") }
/// ```
///
/// Its members are the properties of the model, also through structs and links. For a list they are those of its
/// objects, and a comparison holds if it does for any of them. Nothing is evaluated while a query is written: it
/// becomes a syntax tree, as a text would.
///
/// A property with the name of a member of this type is accessed by its key path: `$0[dynamicMember: \.count]`. So is
/// one that is chosen when the program runs: `$0[dynamicMember: keyPath]`.
@dynamicMemberLookup
public struct QueryExpression<Value>: Sendable {
  let term: QueryTerm

  init(_ term: QueryTerm) { self.term = term }
}

extension QueryExpression where Value: Model {
  /// The object itself.
  static var object: QueryExpression { QueryExpression(QueryTerm(ExpressionSyntax(.path(PathSyntax(steps: []))))) }
}

extension QueryExpression {
  /// The value of a dictionary's key; nil if the key does not exist.
  public subscript<Entry>(key: String) -> QueryExpression<Entry?> where Value == [String: Entry] {
    QueryExpression<Entry?>(term.adding([PathSyntax.Step(.index(ExpressionSyntax(.literal(.string(key)))))]))
  }

  /// The element of an array at a position from 0; nil if there is none.
  public subscript<Element>(place: Int) -> QueryExpression<Element?> where Value == [Element] {
    let index = ExpressionSyntax(.literal(.int(Int64(place))))
    return QueryExpression<Element?>(term.adding([PathSyntax.Step(.index(index))]))
  }
}
