/// A query whose text is read while the program is compiled: what is wrong with its syntax is an error of the compiler,
/// which shows the place in the text.
///
/// ```swift
/// let alaska = #query<Quake>("place CONTAINS[c] 'alaska'")
/// let strong = #query<Quake>("magnitude > %@", minimum)
/// ```
///
/// Names and types are checked where the query is used, as of any other.
///
/// - Parameters:
///   - text: A predicate, as one literal.
///   - arguments: Values for `%@ %K %d …` in order, or `$0 $K0` by position.
@freestanding(expression)
public macro query<Object: Model>(_ text: String, _ arguments: (any QueryArgument)?...) -> Query<Object> =
  #externalMacro(module: "ObjectStoreMacros", type: "QueryMacro")
