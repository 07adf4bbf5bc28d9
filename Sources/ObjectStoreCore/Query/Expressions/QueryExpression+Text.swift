public import PredicateLanguage

extension QueryExpression where Value: QueryOperand, Value.QueryBase == String {
  /// Whether the string contains `text`; for a collection, whether `text` is an element. Every string contains the
  /// empty one.
  ///
  /// ```swift
  /// let near = quakes.where { $0.place.contains("alaska", options: .caseInsensitive) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The string to search.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive` or both; without any, bytes are compared.
  public func contains(_ text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.contains, text, options)
  }

  /// Whether the string begins with `text`.
  ///
  /// ```swift
  /// let people = store.objects(Person.self).where { $0.name.starts(with: "e", options: .caseInsensitive) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The beginning.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive` or both; without any, bytes are compared.
  public func starts(with text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.beginsWith, text, options)
  }

  /// Whether the string ends with `text`.
  ///
  /// ```swift
  /// let alaskan = quakes.where { $0.place.ends(with: "Alaska") }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The end.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive` or both; without any, bytes are compared.
  public func ends(with text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.endsWith, text, options)
  }

  /// Whether the string matches a pattern, in which `*` matches any run of characters and `?` one character.
  ///
  /// ```swift
  /// let near = quakes.where { $0.place.like("*km N* of *") }
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: The pattern for the whole string. `\*`, `\?` and `\\` are the characters themselves.
  ///   - caseInsensitive: Whether letter case does not count.
  public func like(_ pattern: String, caseInsensitive: Bool = false) -> QueryExpression<Bool> {
    compared(.like, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the string matches a pattern, in which `*` matches any run of characters and `?` one character.
  ///
  /// ```swift
  /// let near = quakes.where { $0.place.like("*alaska*", options: [.caseInsensitive, .diacriticInsensitive]) }
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: The pattern for the whole string. `\*`, `\?` and `\\` are the characters themselves.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive` or both; without any, bytes are compared.
  public func like(_ pattern: String, options: StringOptions) -> QueryExpression<Bool> {
    compared(.like, pattern, options)
  }

  /// Whether the whole string matches a regular expression.
  ///
  /// ```swift
  /// let american = quakes.where { $0.code.matches("us[0-9a-z]+") }
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: The regular expression, in the syntax of RE2. An invalid one throws where the query is used.
  ///   - caseInsensitive: Whether letter case does not count.
  /// - Complexity: Linear in the length of each string.
  public func matches(_ pattern: String, caseInsensitive: Bool = false) -> QueryExpression<Bool> {
    compared(.matches, pattern, caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the string equals `text`, optionally ignoring case or diacritics.
  ///
  /// ```swift
  /// let american = quakes.where { $0.net.equals("US", options: .caseInsensitive) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The other string.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive` or both; without any, bytes are compared.
  public func equals(_ text: String, options: StringOptions = []) -> QueryExpression<Bool> {
    compared(.equal, text, options)
  }

  /// Whether the string differs from `text`, optionally ignoring case or diacritics.
  ///
  /// ```swift
  /// let others = quakes.where { $0.net.notEquals("US", options: .caseInsensitive) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The other string.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive` or both; without any, bytes are compared.
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
