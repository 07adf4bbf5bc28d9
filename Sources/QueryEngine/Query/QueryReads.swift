package import Storage
package import Values

/// The columns that a query reads, and how. After a commit that changed other columns its result is the same.
package struct QueryReads: Sendable {
  /// How the results follow from the objects that match.
  package enum Form: Hashable, Sendable {
    /// All objects that match, in order.
    case all
    /// A part of all objects that match, in order: at most `limit` after the first `offset`; nil for no limit.
    case window(offset: Int, limit: Int?)
    /// Whether an object is among the results depends on other objects that match, for example with `DISTINCT`.
    case other
  }

  /// The column numbers by entity number; always includes the query's own entity.
  package private(set) var columns: [UInt32: Set<UInt32>] = [:]
  /// Whether only an object's own columns decide if it is found.
  package private(set) var isOfEachObject = true
  package private(set) var form = Form.all
  /// Whether the objects have an order other than insertion order.
  package private(set) var isSorted = false
  /// The numbers of the columns that determine the order.
  package private(set) var sortColumns: Set<UInt32> = []
  /// Whether properties of linked objects determine the order.
  package private(set) var sortsThroughLinks = false
  /// The links that the query may follow.
  private(set) var links: Set<LinkPath.Link> = []
  /// The largest number of links that the query may follow from one object, one after the other.
  private(set) var linkDepth = 0
  /// Whether every linked object that the query reads is reached from the row's object by `links`.
  private(set) var startsAtRow = true

  fileprivate init(_ query: CompiledQuery) {
    let entity = query.entity
    columns[entity.number] = []
    for stage in query.stages {
      if form != .all, !stage.isWindow { form = .other }
      switch stage {
      case .filter(let predicate): add(predicate, of: entity)
      case .sort(let keys):
        isSorted = true
        for key in keys {
          let own = add(key.expression, of: entity)
          sortColumns.formUnion(own)
          if key.expression.goesThroughLinks { sortsThroughLinks = true }
        }
      case .distinct(let expressions, _):
        form = .other
        for expression in expressions { add(expression, of: entity) }
      case .window(let offset, let limit): form = form.followed(byOffset: offset, limit: limit)
      }
    }
    if form != .all || query.readsMoment { isOfEachObject = false }
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
    let positions = own.filter(entity.columns.indices.contains)
    let numbers = Set(positions.map { entity.columns[$0].number })
    columns[entity.number, default: []].formUnion(numbers)
    if tree.goesThroughLinks { isOfEachObject = false }
    // A path starts with at most one link of the row's object.
    let ownLinks = positions.filter { follow($0, of: entity) }
    var depth = ownLinks.isEmpty ? 0 : 1
    tree.forEachNode { node in
      switch node {
      case .expression(.property(let object, let column, _)), .collection(.property(let object, let column, _)),
        .collection(.propertyKeys(let object, let column)):
        add(column, of: object.entity.stored)
        if follow(column, of: object.entity.stored) { depth += 1 }
        if object.number.namesObject { startsAtRow = false }
      case .collection(.sources(let source, let number)):
        add(source.column, of: source.entity.stored)
        links.insert(LinkPath.Link(source: source.entity, column: source.column, isBackward: true))
        depth += 1
        if number.namesObject { startsAtRow = false }
      case .predicate, .expression, .collection: break
      }
    }
    linkDepth = max(linkDepth, depth)
    return numbers
  }

  /// Adds the link in a column; returns false if the column has none.
  private mutating func follow(_ column: Int, of entity: StoredEntity) -> Bool {
    guard entity.columns.indices.contains(column), entity.columns[column].target != nil else { return false }
    links.insert(LinkPath.Link(source: LinkedEntity(stored: entity), column: column, isBackward: false))
    return true
  }
}

extension QueryReads.Form {
  /// The form with a window after it.
  fileprivate func followed(byOffset offset: Int, limit: Int?) -> Self {
    switch self {
    case .all: return .window(offset: offset, limit: limit)
    case .other: return .other
    case .window(let before, let atMost):
      let (sum, overflow) = before.addingReportingOverflow(offset)
      let left = atMost.map { max(0, $0 - offset) }
      return .window(offset: overflow ? .max : sum, limit: [left, limit].compactMap(\.self).min())
    }
  }
}

extension BoundExpression {
  /// Whether it contains an object that was written as a literal or given as an argument.
  fileprivate var namesObject: Bool { contains { if case .expression(.object) = $0 { true } else { false } } }
}

extension CompiledQuery {
  /// The columns that the query reads.
  package var reads: QueryReads { QueryReads(self) }

  /// The query without the windows at its end.
  package var withoutWindow: CompiledQuery {
    let kept = stages.lastIndex { !$0.isWindow }.map { Array(stages[...$0]) } ?? []
    return kept.count == stages.count ? self : CompiledQuery(self, stages: kept, format: syntax)
  }

  /// Those of some objects that match, in order. The objects must exist and be ascending; the query must have no window
  /// and no `DISTINCT`. Linked objects are read for each of them.
  package func found(among objects: [ObjectNumber], in snapshot: Snapshot) throws -> [ObjectNumber] {
    // The sets of linked objects would cost as much as for all objects of the entity.
    var options = PlannerOptions(links: .rows)
    options.given = objects
    options.namesRejected = false
    return try plan(in: snapshot, options: options).objects(in: snapshot)
  }
}
