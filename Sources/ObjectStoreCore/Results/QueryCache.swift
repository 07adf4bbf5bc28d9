internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Synchronization

/// A cache of compiled queries. A query with the same text is not parsed, looked up or checked again, and in the same
/// version of the store not planned again either. With other arguments of the same types it is only planned again; a
/// lookup by a unique property needs no plan. The same applies to statements with the same arguments.
///
/// A query is valid for the schema it was compiled for. The cache is thread-safe.
final class QueryCache: Sendable {
  /// A query as written and as compiled.
  final class CachedQuery: Sendable {
    let description: QueryDescription
    let query: CompiledQuery
    let schema: StoredSchema

    init(description: QueryDescription, query: CompiledQuery, schema: StoredSchema) {
      self.description = description
      self.query = query
      self.schema = schema
    }
  }

  /// A query of one filter, for use with other arguments.
  final class Shape: Sendable {
    let syntax: FilterSyntax
    let arguments: Arguments
    let query: CompiledQuery
    let schema: StoredSchema
    /// The query without a plan, if one index may leave few objects.
    let prepared: PreparedQuery.Shape?
    /// What its queries with different arguments tell each other.
    let memory = PlanShapeCache()
    /// The placeholders of the filter.
    let placeholders: Set<Placeholder>
    let key: QueryKey
    private let text: String

    init(
      _ syntax: FilterSyntax, _ text: String, _ arguments: Arguments, _ query: CompiledQuery, as key: QueryKey,
      for schema: StoredSchema
    ) {
      self.key = key
      self.text = text
      self.syntax = syntax
      self.arguments = arguments
      self.query = query
      self.schema = schema
      prepared = PreparedQuery.Shape(syntax, query, arguments)
      placeholders = QueryDescription.placeholders(in: syntax)
    }

    /// Whether a filter of all objects has this shape. Always false for arguments by name.
    fileprivate func isOf(_ beginning: QueryKey, _ text: String, _ arguments: Arguments) -> Bool {
      key.isShape(of: beginning, arguments, like: self.arguments) && text.hasSameBytes(as: self.text)
    }
  }

  /// The query for all objects of an entity, with which most queries begin.
  final class BaseQuery: Sendable {
    let key: QueryKey
    let known: CachedQuery
    /// How its objects are read by name.
    let layout: DynamicLayout

    init(_ known: CachedQuery, as key: QueryKey, _ layout: DynamicLayout) {
      self.known = known
      self.key = key
      self.layout = layout
    }
  }

  /// A compiled statement.
  final class Statement: Sendable {
    /// The results of a statement.
    enum Kind: Sendable {
      case objects(QueryDescription, CompiledQuery)
      case rows(Rows)
    }

    /// The rows of a statement.
    struct Rows: Sendable {
      let objects: QueryDescription
      let rows: RowDescription
      let compiled: CompiledRows
    }

    let kind: Kind
    let schema: StoredSchema

    init(_ kind: Kind, for schema: StoredSchema) {
      self.kind = kind
      self.schema = schema
    }
  }

  /// A statement as written, with its arguments. Statements with the same text may differ in their trees.
  struct StatementKey: Hashable, Sendable {
    let text: QueryKey
    let select: SelectSyntax

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// The capacity for each of the two generations.
  static let capacity = 256

  /// The selectivities of filters in the newest version.
  let samples = SelectivityCache()
  /// The last shape used: most loops use a single one.
  private let last = Mutex<Shape?>(nil)
  /// The hashes of the keys of queries that were used once.
  private let asked = Mutex(RecentValues<Int, Void>(capacity: 4 * QueryCache.capacity))
  private let queries = Mutex(RecentValues<QueryKey, CachedQuery>(capacity: QueryCache.capacity))
  private let shapes = Mutex(RecentValues<QueryKey, Shape>(capacity: QueryCache.capacity))
  private let baseQueries = Mutex(RecentValues<String, BaseQuery>(capacity: QueryCache.capacity))
  private let statements = Mutex(RecentValues<StatementKey, Statement>(capacity: QueryCache.capacity))

  /// The query with a key, if it was compiled for `schema`.
  func query(_ key: QueryKey, for schema: StoredSchema) -> CachedQuery? {
    queries.withLock { $0.value(of: key) }.flatMap { $0.schema === schema ? $0 : nil }
  }

  /// Caches a query that was used before. Queries that are used only once, which may be many, are not worth caching,
  /// and releasing hundreds of them later takes longer than releasing each at once.
  func keep(_ known: @autoclosure () -> CachedQuery, as key: QueryKey) {
    let wasAsked = asked.withLock { asked in
      if asked.value(of: key.digest) != nil { return true }
      asked.keep((), key.digest)
      return false
    }
    guard wasAsked else { return }
    let known = known()
    queries.withLock { $0.keep(known, key) }
  }

  /// The query for all objects of an entity, if it was compiled for `schema`.
  func baseQuery(_ entity: String, for schema: StoredSchema) -> BaseQuery? {
    baseQueries.withLock { $0.value(of: entity) }.flatMap { $0.known.schema === schema ? $0 : nil }
  }

  /// Caches the query for all objects of an entity.
  func keep(_ base: BaseQuery) { baseQueries.withLock { $0.keep(base, base.known.description.entity) } }

  /// The shape with a key, if it was compiled for `schema`.
  func shape(_ key: QueryKey, for schema: StoredSchema) -> Shape? {
    let known = shapes.withLock { $0.value(of: key) }.flatMap { $0.schema === schema ? $0 : nil }
    if let known { last.withLock { $0 = known } }
    return known
  }

  /// The shape of a filter of all objects, if it was the last one used. Its key need not be made.
  func lastShape(
    of beginning: QueryKey, _ text: String, _ arguments: Arguments, for schema: StoredSchema
  ) -> Shape? {
    guard let shape = last.withLock({ $0 }), shape.schema === schema, shape.isOf(beginning, text, arguments) else {
      return nil
    }
    return shape
  }

  /// Caches the shape of a query.
  func keep(_ shape: Shape) { shapes.withLock { $0.keep(shape, shape.key) } }

  /// The statement with a key, if it was compiled for `schema`.
  func statement(_ key: StatementKey, for schema: StoredSchema) -> Statement? {
    statements.withLock { $0.value(of: key) }.flatMap { $0.schema === schema ? $0 : nil }
  }

  /// Caches a statement.
  func keep(_ statement: Statement, as key: StatementKey) { statements.withLock { $0.keep(statement, key) } }

  /// The number of cached queries.
  var count: Int { queries.withLock { $0.count } }
}
