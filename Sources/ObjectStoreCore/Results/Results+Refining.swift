public import FoundationEssentials
internal import PredicateLanguage
internal import QueryEngine

extension Results {
  // MARK: Filtering

  /// Keeps the objects that satisfy a predicate. Tails also apply: `magnitude > 5 SORT(time DESC) LIMIT(3)`.
  ///
  /// ```swift
  /// let strong = try quakes.filter("magnitude > %@ AND time BETWEEN %@", 5, start...end)
  /// ```
  ///
  /// - Parameters:
  ///   - text: The predicate.
  ///   - arguments: Values for `%@ %K %d …` in order, or `$0 $K0` by position.
  /// - Throws: `QueryError` with all errors: syntax, names, types, arguments. `StoreError`: `limitExceeded` for an
  ///   argument beyond a limit of the store, or an error of reading the schema.
  public func filter(_ text: String, _ arguments: (any QueryArgument)?...) throws -> Results {
    try filter(text, arguments: Arguments(arguments))
  }

  /// As `filter(_:_:)`, with arguments by name.
  ///
  /// ```swift
  /// let strong = try quakes.filter("magnitude > $min", ["min": 5])
  /// ```
  ///
  /// - Parameters:
  ///   - text: The predicate.
  ///   - arguments: Values for `$name` and `:name`.
  /// - Throws: `QueryError` with all errors in the text and its arguments; `StoreError` as `filter(_:_:)`.
  public func filter(_ text: String, _ arguments: [String: (any QueryArgument)?]) throws -> Results {
    try filter(text, arguments: Arguments(arguments))
  }

  /// As `filter(_:_:)`, with arguments that are values already.
  ///
  /// ```swift
  /// let strong = try quakes.filter("magnitude > $min", arguments: Arguments(["min": 5]))
  /// ```
  ///
  /// - Parameters:
  ///   - text: The predicate.
  ///   - arguments: Values by position and by name.
  /// - Throws: `QueryError` with all errors in the text and its arguments; `StoreError` as `filter(_:_:)`.
  public func filter(_ text: String, arguments: Arguments) throws -> Results {
    Results(try selection.filter(text, arguments))
  }

  /// As `filter(_:_:)`, with arguments by name.
  ///
  /// ```swift
  /// let strong = try quakes.filter(named: "magnitude > $min", ["min": 5])
  /// ```
  ///
  /// - Parameters:
  ///   - text: The predicate.
  ///   - arguments: Values for `$name` and `:name`.
  /// - Throws: `QueryError` with all errors in the text and its arguments; `StoreError` as `filter(_:_:)`.
  public func filter(named text: String, _ arguments: [String: (any QueryArgument)?]) throws -> Results {
    try filter(text, arguments: Arguments(arguments))
  }

  /// Keeps the objects that satisfy a query.
  ///
  /// ```swift
  /// let found = try quakes.filter(a && !b)
  /// ```
  ///
  /// - Throws: `QueryError` with all errors in the query: names, types, unbound placeholders. `StoreError` if the
  ///   schema cannot be read.
  public func filter(_ query: Query<Object>) throws -> Results {
    Results(try selection.filter(try query.predicate, source: query.source))
  }

  // MARK: Sorting

  /// Sorts by a property: nil first, then NaN, then ascending; `.reverse` gives the exact opposite. Sorting is stable:
  /// ties keep their order, initially insertion order. So of two sorts the later one is the primary.
  ///
  /// ```swift
  /// let latest = quakes.sorted(by: \.time, .reverse).limit(10)
  /// ```
  ///
  /// A key path that is not a stored property throws when the results are evaluated.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - order: Forward is ascending, nil first.
  public func sorted<Value>(by keyPath: KeyPath<Object, Value>, _ order: SortOrder = .forward) -> Results {
    sorted(byKeyPaths: [(keyPath, order == .forward)])
  }

  /// In the order of a property, as `sorted(by:_:)`.
  ///
  /// ```swift
  /// let latest = quakes.sorted(by: \.time, order: .reverse).limit(10)
  /// ```
  public func sorted<Value>(by keyPath: KeyPath<Object, Value>, order: SortOrder) -> Results {
    sorted(by: keyPath, order)
  }

  /// In the order of a text, compared as people read it.
  ///
  /// ```swift
  /// let people = store.objects(Person.self)
  ///   .sorted(by: \.name, options: [.caseInsensitive, .diacriticInsensitive, .numeric])
  /// ```
  ///
  /// Texts that are equal under the options keep the order they had; to order those too, sort by the plain text first.
  ///
  /// - Parameters:
  ///   - keyPath: The property. One that is no text throws when the results are evaluated.
  ///   - order: Forward is ascending, nil first.
  ///   - options: How texts are compared.
  public func sorted<Value>(
    by keyPath: KeyPath<Object, Value>, order: SortOrder = .forward, options: SortOptions
  ) -> Results {
    guard let path = Object.path(of: keyPath) else { return Results(selection.failing(Object.noPath(keyPath))) }
    let key = SortKeySyntax(path, ascending: order == .forward, options: options)
    return Results(selection.adding(.sort([key], SourceContext(source: ""))))
  }

  /// In the order of several properties, the most significant first, each ascending or reversed.
  package func sorted(byKeyPaths keyPaths: [(keyPath: AnyKeyPath?, isAscending: Bool)]) -> Results {
    var keys: [SortKeySyntax] = []
    for (keyPath, isAscending) in keyPaths {
      guard let keyPath else {
        return Results(selection.failing(StoreError.unsupported("a sort descriptor without a key path")))
      }
      guard let path = Object.path(of: keyPath) else { return Results(selection.failing(Object.noPath(keyPath))) }
      keys.append(SortKeySyntax(path, ascending: isAscending))
    }
    return keys.isEmpty ? self : Results(selection.adding(.sort(keys, SourceContext(source: ""))))
  }

  /// Sorts by paths or expressions, each optionally with `DESC`: `sorted(by: "magnitude DESC, time")`.
  ///
  /// ```swift
  /// let latest = try quakes.sorted(by: "time DESC, magnitude")
  /// ```
  ///
  /// - Parameter text: The content of `SORT(…)`, the most significant key first.
  /// - Throws: `QueryError`, about the text `SORT(…)`; `StoreError` if the schema cannot be read.
  public func sorted(by text: String) throws -> Results { Results(try selection.sorted(by: text)) }

  // MARK: Thinning out

  /// Only the first object of each group with equal values of a property.
  ///
  /// ```swift
  /// let oneOfEachNet = try quakes.distinct(by: \.net).objects()
  /// ```
  ///
  /// A key path that is not a stored property throws when the results are evaluated.
  public func distinct<Value>(by keyPath: KeyPath<Object, Value>) -> Results {
    guard let path = Object.path(of: keyPath) else { return Results(selection.failing(Object.noPath(keyPath))) }
    return Results(selection.adding(.distinct([path], SourceContext(source: ""))))
  }

  /// Keeps the first object of each group with equal values of paths or expressions: `distinct(by: "net, type")`.
  ///
  /// ```swift
  /// let oneOfEach = try quakes.distinct(by: "net, type")
  /// ```
  ///
  /// - Parameter text: The content of `DISTINCT(…)`: paths or expressions, separated by commas.
  /// - Throws: `QueryError`, about the text `DISTINCT(…)`; `StoreError` if the schema cannot be read.
  public func distinct(by text: String) throws -> Results { Results(try selection.distinct(by: text)) }

  /// Keeps at most the first `count` objects; a negative number counts as 0.
  ///
  /// ```swift
  /// let strongest = quakes.sorted(by: \.magnitude, order: .reverse).limit(10)
  /// ```
  public func limit(_ count: Int) -> Results { Results(selection.window(offset: 0, limit: count)) }

  /// Skips the first `count` objects; a negative number counts as 0. Together with a limit, in either order, the offset
  /// applies first.
  ///
  /// ```swift
  /// let thirdPage = try quakes.sorted(by: \.time, order: .reverse).offset(40).limit(20).objects()
  /// ```
  public func offset(_ count: Int) -> Results { Results(selection.window(offset: count, limit: nil)) }

  /// The query, which throws `QueryCancelled` once `cancellation` is cancelled.
  ///
  /// ```swift
  /// let cancellation = Cancellation(after: .seconds(2))
  /// let count = try quakes.cancellable(by: cancellation).count
  /// ```
  ///
  /// - Parameter cancellation: The cancellation; nil for none.
  public func cancellable(by cancellation: Cancellation?) -> Results {
    Results(selection.cancellable(by: cancellation))
  }
}

extension Model {
  /// The path of a key path, as syntax.
  static func path(of keyPath: AnyKeyPath) -> ExpressionSyntax? {
    modelDefinition.path(of: keyPath).map { path in
      ExpressionSyntax(
        .path(PathSyntax(steps: path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) })))
    }
  }

  /// Refuses a key path that leads to no stored property, by name.
  package static func requireStored(_ keyPath: PartialKeyPath<Self>) throws {
    if modelDefinition.path(of: keyPath) == nil, !modelDefinition.keyPaths.isEncoded(keyPath) { throw noPath(keyPath) }
  }

  /// The error for a key path without a path.
  static func noPath(_ keyPath: AnyKeyPath) -> QueryError {
    if let name = modelDefinition.keyPaths.stored.first(where: { $0.keyPath == keyPath })?.name,
      modelDefinition.keyPaths.isEncoded(keyPath)
    {
      return QueryError(
        source: "",
        Diagnostic(
          code: .unknownKeyPath,
          message: "\(modelDefinition.entity.name).\(name) is kept encoded, so no query can use it",
          notes: ["read the objects and look at their '\(name)'; or make its type a '@Model' struct"]))
    }
    // A computed property is shown with the address of its code, which differs between runs.
    let written = "\(keyPath)".replacing(/<computed 0x[0-9a-f]+ \((?<type>.*?)\)>/) { "<computed \($0.type)>" }
    return QueryError(
      source: "",
      Diagnostic(
        code: .unknownKeyPath,
        message: "\(written) leads to no stored property of \(modelDefinition.entity.name)",
        notes: ["a property deep within optional structs is reached by its name: \"a.b.c\""]))
  }
}
