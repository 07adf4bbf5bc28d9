public import PredicateLanguage

extension QueryExpression where Value: QueryOperand, Value.QueryBase == String {
  /// Contains the text; a collection of texts has it as an element. An empty text is in every text.
  public func contains(_ text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.contains, text, options)
  }

  /// Begins with the text.
  public func starts(with text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Ends with the text.
  public func ends(with text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.endsWith, text, options)
  }

  /// Is like a pattern, in which `*` is any text and `?` any one character.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> QueryExpression<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Is like a pattern, in which `*` is any text and `?` any one character.
  public func like(_ pattern: String, options: StringOptions) -> QueryExpression<Bool> {
    compared(.like, pattern, options)
  }

  /// Is, as a whole, what a regular expression describes.
  public func matches(_ pattern: String, caseInsensitive: Bool = false) -> QueryExpression<Bool> {
    compared(.matches, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Equals the text, letter case or accents aside.
  public func equals(_ text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.equal, text, options)
  }

  /// Differs from the text, letter case or accents aside.
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
  /// How many characters, as Unicode scalars.
  public var count: QueryExpression<Int> { QueryExpression<Int>(term.length) }
  /// Whether it is the empty text.
  public var isEmpty: QueryExpression<Bool> { QueryExpression<Bool>(.comparison(term, .equal, .string(""))) }
}

extension QueryExpression where Value == String? {
  /// How many characters, as Unicode scalars; nil for nil.
  public var count: QueryExpression<Int> { QueryExpression<Int>(term.length) }
  /// Whether it is the empty text.
  public var isEmpty: QueryExpression<Bool> { QueryExpression<Bool>(.comparison(term, .equal, .string(""))) }
}

extension QueryTerm {
  /// The length of a text.
  var length: QueryTerm { QueryTerm(ExpressionSyntax(.call("length", [expression])), of: [self]) }
}
