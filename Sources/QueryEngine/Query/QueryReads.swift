package import Storage
package import Values

/// The columns that a query reads, and how. After a commit that changed other columns its result is the same.
package struct QueryReads: Sendable {
  /// The column numbers by entity number; always includes the query's own entity.
  package private(set) var columns: [UInt32: Set<UInt32>] = [:]
  /// Whether only an object's own columns decide if it is found: then a changed object can be evaluated alone.
  package private(set) var isOfEachObject = true
  /// Whether the objects have an order other than insertion order.
  package private(set) var isSorted = false
  /// The numbers of the columns that determine the order.
  package private(set) var sortColumns: Set<UInt32> = []

  fileprivate init(_ query: CompiledQuery) {
    let entity = query.entity
    columns[entity.number] = []
    for stage in query.stages {
      switch stage {
      case .filter(let predicate): add(predicate, of: entity)
      case .sort(let keys):
        isSorted = true
        for key in keys {
          let own = add(key.expression, of: entity)
          sortColumns.formUnion(own)
        }
      case .distinct(let expressions, _):
        isOfEachObject = false
        for expression in expressions { add(expression, of: entity) }
      case .window: isOfEachObject = false
      }
    }
    if query.readsMoment { isOfEachObject = false }
  }

  /// The columns that a value of each object depends on.
  init(_ value: BoundExpression, of entity: StoredEntity) {
    add(value, of: entity)
    if value.readsMoment { isOfEachObject = false }
  }

  /// Adds a column by position.
  package mutating func add(_ column: Int, of entity: StoredEntity) {
    guard entity.columns.indices.contains(column) else { return }
    columns[entity.number, default: []].insert(entity.columns[column].number)
  }

  /// Adds the columns that another query reads.
  package mutating func addColumns(of other: QueryReads) { columns.merge(other.columns) { $0.union($1) } }

  @discardableResult
  private mutating func add(_ tree: some BoundTree, of entity: StoredEntity) -> Set<UInt32> {
    var own: Set<Int> = []
    tree.collectColumns(into: &own)
    let numbers = Set(own.filter(entity.columns.indices.contains).map { entity.columns[$0].number })
    columns[entity.number, default: []].formUnion(numbers)
    if tree.goesThroughLinks { isOfEachObject = false }
    tree.forEachNode { node in
      switch node {
      case .expression(.property(let object, let column, _)): add(column, of: object.entity.stored)
      case .collection(.property(let object, let column, _)), .collection(.propertyKeys(let object, let column)):
        add(column, of: object.entity.stored)
      case .collection(.sources(let source, _)): add(source.column, of: source.entity.stored)
      case .predicate, .expression, .collection: break
      }
    }
    return numbers
  }
}

extension CompiledQuery {
  /// The columns that the query reads.
  package var reads: QueryReads { QueryReads(self) }

  /// Those of some objects that match, in order. The objects must exist and be ascending; the query must have no window
  /// and no `DISTINCT`.
  package func found(among objects: [ObjectNumber], in snapshot: Snapshot) throws -> [ObjectNumber] {
    var options = PlannerOptions()
    options.given = objects
    options.namesRejected = false
    return try plan(in: snapshot, options: options).objects(in: snapshot)
  }
}
