/// A query whose text is parsed at compile time: syntax errors are compiler errors that show the place in the text.
///
/// ```swift
/// let alaska = #query<Quake>("place CONTAINS[c] 'alaska'")
/// let strong = #query<Quake>("magnitude > %@", minimum)
/// ```
///
/// Names and types are checked where the query is used, as for all queries.
///
/// - Parameters:
///   - text: A predicate, as one literal.
///   - arguments: Values for `%@ %K %d …` in order, or `$0 $K0` by position.
@freestanding(expression)
public macro query<Object: Model>(_ text: String, _ arguments: (any QueryArgument)?...) -> Query<Object> =
  #externalMacro(module: "ObjectStoreMacros", type: "QueryMacro")
