public import PredicateLanguage
internal import QueryEngine

/// A predicate on objects of a model as a value: it can be kept, compared, combined with others, sent and stored, and
/// it belongs to no store.
///
/// ```swift
/// let strong = try Query<Quake>("magnitude > %@", 5)
/// let near = Query<Quake> { $0.place.contains("alaska", options: .caseInsensitive) }
/// let both = try store.objects(Quake.self).filter(strong && !near)
/// ```
///
/// It is a tree, not a text. ``predicateFormat`` is its text, and parsing that gives an equal query, so it is
/// `Codable`. A query may have named placeholders, which ``bind(_:)`` fills:
///
/// ```swift
/// let stronger = try Query<Quake>("magnitude > $min")
/// let list = try store.objects(Quake.self).filter(stronger.bind(["min": 5])).array
/// ```
///
/// Names and types are checked when the query is used, against the schema of the store.
public struct Query<Object: Model>: Sendable {
  /// The predicate, or the error of an invalid one.
  let content: Result<PredicateSyntax, QueryError>
  /// The text that the ranges in the tree refer to; empty for a tree made by code.
  let source: String
  /// How deep the operators nest that made it of other queries.
  let depth: Int
  /// The predicate as `matches` compiled it.
  let cache: MatchCache

  init(_ predicate: PredicateSyntax, source: String = "", depth: Int = 0) {
    content = .success(predicate)
    self.source = source
    self.depth = depth
    cache = MatchCache()
  }

  /// Creates an invalid query: using it throws.
  init(failing error: QueryError) {
    content = .failure(error)
    source = ""
    depth = 0
    cache = MatchCache()
  }

  /// Creates a query from a text.
  ///
  /// ```swift
  /// let strong = try Query<Quake>("magnitude > %@", 5)
  /// ```
  ///
  /// - Parameters:
  ///   - text: A predicate, without `SORT`, `LIMIT` and other tails.
  ///   - arguments: Values for `%@ %K %d …` in order, or `$0 $K0` by position.
  /// - Throws: `QueryError` with all errors in the text and its arguments. Names and types are checked when it is used.
  public init(_ text: String, _ arguments: (any QueryArgument)?...) throws {
    try self.init(text, arguments: Arguments(arguments))
  }

  /// Creates a query from a text, with arguments by name. Other names remain placeholders, for ``bind(_:)``.
  ///
  /// ```swift
  /// let strong = try Query<Quake>("magnitude > $min", ["min": 5])
  /// ```
  ///
  /// - Parameters:
  ///   - text: A predicate, without `SORT`, `LIMIT` and other tails.
  ///   - arguments: Values for `$name` and `:name`.
  /// - Throws: `QueryError` with all errors in the text and its arguments, such as a name that the text does not have.
  public init(_ text: String, _ arguments: [String: (any QueryArgument)?]) throws {
    try self.init(text, arguments: Arguments(arguments))
  }

  /// Creates a query from a text, with arguments that are already values.
  ///
  /// ```swift
  /// let strong = try Query<Quake>("magnitude > $min", arguments: Arguments(["min": 5]))
  /// ```
  ///
  /// - Parameters:
  ///   - text: A predicate, without `SORT`, `LIMIT` and other tails.
  ///   - arguments: Values by position and by name.
  /// - Throws: `QueryError` with all errors in the text and its arguments.
  public init(_ text: String, arguments: Arguments) throws { self = try Self.filled(text, arguments) }

  private static func filled(_ text: String, _ arguments: Arguments) throws(QueryError) -> Query {
    let predicate = try PredicateParser.predicate(text)
    try requireUsed(arguments, by: predicate, of: text)
    return Query(try predicate.filled(with: arguments, source: text, isProperty: isProperty), source: text)
  }

  /// Creates a query from a text that was checked at compile time, for the code that `#query` generates. Errors in the
  /// arguments are thrown where the query is used.
  ///
  /// - Parameters:
  ///   - text: The predicate.
  ///   - arguments: Values for its placeholders, in order.
  public init(checked text: String, _ arguments: [(any QueryArgument)?]) {
    do throws(QueryError) {
      self = try Query.filled(text, Arguments(arguments))
    } catch {
      self.init(failing: error)
    }
  }

  /// True of every object.
  ///
  /// ```swift
  /// live.query = .all
  /// ```
  public static var all: Query { Query(PredicateSyntax(.constant(true))) }

  /// True of no object.
  public static var none: Query { Query(PredicateSyntax(.constant(false))) }

  /// The tree.
  ///
  /// - Throws: `QueryError` for an invalid query, such as a count over two collections.
  var predicate: PredicateSyntax { get throws { try content.get() } }

  /// The query with values for named placeholders. Placeholders without a value remain, to be bound later.
  ///
  /// ```swift
  /// let strong = try Query<Quake>("magnitude > $min").bind(["min": 5])
  /// ```
  ///
  /// - Parameter arguments: Values by the names of placeholders, without the `$`.
  /// - Throws: `QueryError` for a name that the query does not have, for a value of a wrong type, and for an invalid
  ///   query.
  public func bind(_ arguments: [String: (any QueryArgument)?]) throws -> Query {
    let predicate = try predicate
    let arguments = Arguments(arguments)
    let source = self.source.isEmpty ? predicateFormat : self.source
    try Self.requireUsed(arguments, by: predicate, of: source)
    return Query(
      try predicate.filled(with: arguments, source: source, isProperty: Self.isProperty), source: self.source,
      depth: depth)
  }

  /// Checks a text while a user types it: syntax, names and types.
  ///
  /// ```swift
  /// do {
  ///   try Query<Quake>.validate(text, against: store)
  /// } catch let error as QueryError {
  ///   show(error.diagnostics)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The predicate.
  ///   - arguments: Values for its placeholders.
  ///   - store: The store whose schema it is checked against.
  /// - Returns: The query.
  /// - Throws: `QueryError` with all errors and their ranges in the text; `StoreError` if the schema cannot be read.
  @discardableResult
  public static func validate(
    _ text: String, _ arguments: (any QueryArgument)?..., against store: Store
  ) throws -> Query {
    let query = try Query(text, arguments: Arguments(arguments))
    _ = try store.objects(Object.self).filter(query)
    return query
  }

  private static func isProperty(_ word: String) -> Bool {
    Object.modelDefinition.entity.properties.contains { $0.name == word }
  }

  /// Refuses arguments by names that a query does not have.
  private static func requireUsed(
    _ arguments: Arguments, by predicate: PredicateSyntax, of source: String
  ) throws(QueryError) {
    if arguments.named.isEmpty { return }
    let names = predicate.placeholders().compactMap { reference -> String? in
      if case .named(let name) = reference.placeholder { name } else { nil }
    }
    guard let unused = arguments.named.keys.sorted().first(where: { !names.contains($0) }) else { return }
    let near = Suggestion.nearest(to: unused, among: names)
    throw QueryError(
      source: source,
      Diagnostic(
        code: .extraArgument, message: "the query has no '$\(unused)'",
        notes: near.map { ["did you mean '\($0)'?"] } ?? []))
  }
}

extension Query: CustomStringConvertible {
  /// The canonical text, which can be combined with others: `a.predicateFormat + " AND " + b.predicateFormat`.
  ///
  /// ```swift
  /// print((a && !b).predicateFormat)
  /// ```
  ///
  /// For an invalid query it is the message of the error.
  public var predicateFormat: String {
    switch content {
    case .success(let predicate): predicate.predicateFormat
    case .failure(let error): "… \(error.message) …"
    }
  }

  /// The canonical text.
  public var description: String { predicateFormat }
}

extension Query: Hashable {
  /// Whether both have the same meaning, however they were made.
  public static func == (left: Query, right: Query) -> Bool {
    switch (left.content, right.content) {
    case (.success(let left), .success(let right)): left == right || left.normalized == right.normalized
    case (.failure(let left), .failure(let right)): left.diagnostics == right.diagnostics
    case (.success, .failure), (.failure, .success): false
    }
  }

  /// Hashes the meaning.
  public func hash(into hasher: inout Hasher) {
    switch content {
    case .success(let predicate): hasher.combine(predicate.normalized)
    case .failure(let error): hasher.combine(error.diagnostics)
    }
  }
}

extension Query: Codable {
  /// Parses the text.
  ///
  /// - Throws: `QueryError` for a text that is not a predicate; the error of the decoder for what is not a text.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self), arguments: Arguments())
  }

  /// Writes the canonical text.
  ///
  /// - Throws: `QueryError` for an invalid query; the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    let predicate = try predicate
    if let violation = SyntaxLimits.violation(of: predicate) { throw QueryError(source: "", violation) }
    var container = encoder.singleValueContainer()
    try container.encode(predicate.predicateFormat)
  }
}
