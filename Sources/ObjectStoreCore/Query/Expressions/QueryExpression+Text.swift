public import PredicateLanguage

extension QueryExpression where Value: QueryOperand, Value.QueryBase == String {
  /// Whether the string contains `text`; for a collection, whether `text` is an element. Every string contains the
  /// empty one.
  public func contains(_ text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.contains, text, options)
  }

  /// Whether the string begins with `text`.
  public func starts(with text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Whether the string ends with `text`.
  public func ends(with text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.endsWith, text, options)
  }

  /// Whether the string matches a pattern, in which `*` matches any run of characters and `?` one character.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> QueryExpression<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the string matches a pattern, in which `*` matches any run of characters and `?` one character.
  public func like(_ pattern: String, options: StringOptions) -> QueryExpression<Bool> {
    compared(.like, pattern, options)
  }

  /// Whether the whole string matches a regular expression.
  public func matches(_ pattern: String, caseInsensitive: Bool = false) -> QueryExpression<Bool> {
    compared(.matches, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the string equals `text`, optionally ignoring case or diacritics.
  public func equals(_ text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.equal, text, options)
  }

  /// Whether the string differs from `text`, optionally ignoring case or diacritics.
  public func notEquals(_ text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.notEqual, text, options)
  }

  private func compared(
    _ comparator: Comparator, _ text: String, _ options: StringOptions
  ) -> QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(term, comparator, .string(text), options: options))
  }
}

extension QueryExpression where Value == String {
  /// The number of Unicode scalars.
  public var count: QueryExpression<Int> { QueryExpression<Int>(term.length) }
  /// Whether the string is empty.
  public var isEmpty: QueryExpression<Bool> { QueryExpression<Bool>(.comparison(term, .equal, .string(""))) }
}

extension QueryExpression where Value == String? {
  /// The number of Unicode scalars; nil for nil.
  public var count: QueryExpression<Int> { QueryExpression<Int>(term.length) }
  /// Whether the string is empty.
  public var isEmpty: QueryExpression<Bool> { QueryExpression<Bool>(.comparison(term, .equal, .string(""))) }
}

extension QueryTerm {
  /// The length of a string.
  var length: QueryTerm { QueryTerm(ExpressionSyntax(.call("length", [expression])), of: [self]) }
}
