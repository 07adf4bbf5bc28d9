internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Synchronization

/// Queries that were asked lately, compiled: asked again in the same words, nothing is parsed, looked up or checked
/// anew, and in the same version of the store nothing is planned anew either. Asked with other arguments of the same
/// kinds, they are only planned; and of the object with a value of a unique property they are only looked up. The same
/// goes for statements with the same arguments.
///
/// It knows a query only for the schema it was compiled for. Any thread may use it.
final class QueryCache: Sendable {
  /// A query as said and as compiled.
  final class Known: Sendable {
    let description: QueryDescription
    let query: CompiledQuery
    let schema: StoredSchema

    init(description: QueryDescription, query: CompiledQuery, schema: StoredSchema) {
      self.description = description
      self.query = query
      self.schema = schema
    }
  }

  /// A query of one filter, to be asked with other arguments.
  final class Shape: Sendable {
    let syntax: FilterSyntax
    let arguments: Arguments
    let query: CompiledQuery
    let schema: StoredSchema
    /// The query without a plan, if one index may leave few objects.
    let prepared: PreparedQuery.Shape?
    /// What its queries with different arguments tell each other.
    let memory = PlanShapeCache()
    /// The placeholders in it.
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

    /// Whether a filter of all objects is of this shape. The answer for arguments by name is no.
    fileprivate func isOf(_ beginning: QueryKey, _ text: String, _ arguments: Arguments) -> Bool {
      key.isShape(of: beginning, arguments, like: self.arguments) && text.hasSameBytes(as: self.text)
    }
  }

  /// All objects of an entity: what most queries begin with.
  final class Beginning: Sendable {
    let key: QueryKey
    let known: Known
    /// How its objects are read by name.
    let layout: DynamicLayout

    init(_ known: Known, as key: QueryKey, _ layout: DynamicLayout) {
      self.known = known
      self.key = key
      self.layout = layout
    }
  }

  /// What a statement asks for.
  final class Statement: Sendable {
    /// What becomes of its objects.
    enum Kind: Sendable {
      case objects(QueryDescription, CompiledQuery)
      case rows(Rows)
    }

    /// Rows made of objects.
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

  /// A statement as written, with its arguments. Statements with the same text differ by their trees.
  struct StatementKey: Hashable, Sendable {
    let text: QueryKey
    let select: SelectSyntax

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// How many are kept of each age.
  static let capacity = 256

  /// What their conditions held for in the newest version that was asked.
  let samples = SelectivityCache()
  /// The shape that was asked for last: most loops ask for one.
  private let last = Mutex<Shape?>(nil)
  /// The hashes of the keys of queries that were asked.
  private let asked = Mutex(RecentValues<Int, Void>(capacity: 4 * QueryCache.capacity))
  private let queries = Mutex(RecentValues<QueryKey, Known>(capacity: QueryCache.capacity))
  private let shapes = Mutex(RecentValues<QueryKey, Shape>(capacity: QueryCache.capacity))
  private let beginnings = Mutex(RecentValues<String, Beginning>(capacity: QueryCache.capacity))
  private let statements = Mutex(RecentValues<StatementKey, Statement>(capacity: QueryCache.capacity))

  /// The query of that key, where it was compiled for `schema`.
  func query(_ key: QueryKey, for schema: StoredSchema) -> Known? {
    queries.withLock { $0.value(of: key) }.flatMap { $0.schema === schema ? $0 : nil }
  }

  /// Keeps a query that was asked before: those asked once, which may be many, are not worth the room, and letting go
  /// of hundreds of them later takes longer than letting go of each at once.
  func keep(_ known: @autoclosure () -> Known, as key: QueryKey) {
    let wasAsked = asked.withLock { asked in
      if asked.value(of: key.digest) != nil { return true }
      asked.keep((), key.digest)
      return false
    }
    guard wasAsked else { return }
    let known = known()
    queries.withLock { $0.keep(known, key) }
  }

  /// All objects of the entity of a name, where that was compiled for `schema`.
  func beginning(_ entity: String, for schema: StoredSchema) -> Beginning? {
    beginnings.withLock { $0.value(of: entity) }.flatMap { $0.known.schema === schema ? $0 : nil }
  }

  /// Keeps what begins with an entity.
  func keep(_ beginning: Beginning) { beginnings.withLock { $0.keep(beginning, beginning.known.description.entity) } }

  /// The query of that shape, where it was compiled for `schema`.
  func shape(_ key: QueryKey, for schema: StoredSchema) -> Shape? {
    let known = shapes.withLock { $0.value(of: key) }.flatMap { $0.schema === schema ? $0 : nil }
    if let known { last.withLock { $0 = known } }
    return known
  }

  /// The shape of a filter of all objects, where it is the one that was asked for last: its key need not be made.
  func lastShape(
    of beginning: QueryKey, _ text: String, _ arguments: Arguments, for schema: StoredSchema
  ) -> Shape? {
    guard let shape = last.withLock({ $0 }), shape.schema === schema, shape.isOf(beginning, text, arguments) else {
      return nil
    }
    return shape
  }

  /// Keeps the shape of a query.
  func keep(_ shape: Shape) { shapes.withLock { $0.keep(shape, shape.key) } }

  /// What a statement asks for, where that was looked up for `schema`.
  func statement(_ key: StatementKey, for schema: StoredSchema) -> Statement? {
    statements.withLock { $0.value(of: key) }.flatMap { $0.schema === schema ? $0 : nil }
  }

  /// Keeps a statement.
  func keep(_ statement: Statement, as key: StatementKey) { statements.withLock { $0.keep(statement, key) } }

  /// How many queries are kept.
  var count: Int { queries.withLock { $0.count } }
}
