internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// The objects of a query on an entity that is known only by name. Like `Results` it is evaluated when it is read.
///
/// ```swift
/// let strong = try store.objects("Quake").filter("magnitude > %@", 5).sorted(by: "time", ascending: false)
/// try strong.forEach { print($0["code"]) }
/// ```
public struct DynamicResults: Sendable {
  let selection: Selection
  let layout: DynamicLayout

  init(_ entity: String, in source: QuerySource) throws {
    let schema = try source.schema()
    let queries = source.store.queries
    if let known = queries.baseQuery(entity, for: schema) {
      self.init(Selection(known, in: source), known.layout)
      return
    }
    let selection = Selection(entity, in: source)
    try self.init(selection, for: schema)
    if let base = try selection.baseQuery(for: schema, layout) { queries.keep(base) }
  }

  init(_ selection: Selection) throws { try self.init(selection, for: try selection.source.schema()) }

  private init(_ selection: Selection, for schema: StoredSchema) throws {
    self.init(selection, selection.source.store.layout(try selection.query(for: schema).entity, in: schema))
  }

  private init(_ selection: Selection, _ layout: DynamicLayout) {
    self.selection = selection
    self.layout = layout
  }

  /// The entity at the time the query was made.
  public var entity: Entity { layout.entity }

  /// The columns of the entity at the time the query was made.
  public var columns: [Column] { layout.columns }

  /// Makes a reader of its objects.
  func reader(_ snapshot: Snapshot, _ entity: StoredEntity) -> DynamicReader {
    DynamicReader(snapshot, entity, selection.source.store)
  }

  // MARK: Refining

  /// Keeps the objects that satisfy a predicate; tails (`SORT(…) LIMIT(…)`) also apply.
  ///
  /// ```swift
  /// let strong = try store.objects("Quake").filter("magnitude > $min", arguments: Arguments(["min": 5]))
  /// ```
  ///
  /// - Parameters:
  ///   - text: The predicate, of at most 1 MiB.
  ///   - arguments: Values for its placeholders.
  /// - Throws: `QueryError` with all errors in the predicate; `StoreError` when the store can't be read, and
  ///   `limitExceeded` for an argument that is too large or a text that takes too long; `QueryCancelled`.
  public func filter(_ text: String, arguments: Arguments) throws -> DynamicResults {
    DynamicResults(try selection.filter(text, arguments), layout)
  }

  /// As above, with arguments for `%@ %K %d …` in order, or `$0 $K0` by position.
  ///
  /// - Throws: As `filter(_:arguments:)`.
  public func filter(_ text: String, _ arguments: (any QueryArgument)?...) throws -> DynamicResults {
    try filter(text, arguments: Arguments(arguments))
  }

  /// As above, with arguments by name.
  ///
  /// - Throws: As `filter(_:arguments:)`.
  public func filter(_ text: String, _ arguments: [String: (any QueryArgument)?]) throws -> DynamicResults {
    try filter(text, arguments: Arguments(arguments))
  }

  /// Sorts by a path or expression, or by several with directions (`"magnitude DESC, time"`); the sort is stable.
  /// `ascending: false` reverses every direction.
  ///
  /// ```swift
  /// let strongest = try store.objects("Quake").sorted(by: "magnitude DESC, time").limit(10)
  /// ```
  ///
  /// - Throws: `QueryError` with all errors in `path`; `StoreError` when the store can't be read; `QueryCancelled`.
  public func sorted(by path: String, ascending: Bool = true) throws -> DynamicResults {
    DynamicResults(try selection.sorted(by: path, ascending: ascending), layout)
  }

  /// Only the first object of each group with equal values of all `paths`.
  ///
  /// ```swift
  /// let firsts = try store.objects("Quake").sorted(by: "time").distinct(by: "net")
  /// ```
  ///
  /// - Throws: `QueryError` with all errors in the paths; `StoreError` when the store can't be read; `QueryCancelled`.
  public func distinct(by paths: String...) throws -> DynamicResults {
    DynamicResults(try selection.distinct(by: paths.joined(separator: ", ")), layout)
  }

  /// Keeps at most the first `count` objects; a negative number counts as 0.
  public func limit(_ count: Int) -> DynamicResults {
    DynamicResults(selection.window(offset: 0, limit: count), layout)
  }

  /// Skips the first `count` objects; a negative number counts as 0.
  public func offset(_ count: Int) -> DynamicResults {
    DynamicResults(selection.window(offset: count, limit: nil), layout)
  }

  /// The query, which throws `QueryCancelled` once `cancellation` is cancelled.
  public func cancellable(by cancellation: Cancellation?) -> DynamicResults {
    DynamicResults(selection.cancellable(by: cancellation), layout)
  }

  /// The query in the query language, with arguments substituted; between "…", so that reading it back throws, for an
  /// invalid query and for one of linked objects.
  public var predicateFormat: String { selection.predicateFormat }

  /// Warnings about parts of the query that are valid but probably mistakes, such as a comparison that is always false.
  public var warnings: [Diagnostic] { (try? selection.compiled().warnings) ?? [] }
}
