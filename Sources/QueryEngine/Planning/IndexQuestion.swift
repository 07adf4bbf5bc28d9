internal import PredicateLanguage
package import Schema
internal import Storage
internal import Values

/// The columns of one entity that a query compares, sorts and groups by, each by its dotted path: an index on them could
/// serve it. It knows no costs.
package struct IndexQuestion: Hashable, Sendable {
  /// The entity's name.
  package let entity: String
  /// Columns with one or several single values, or nil.
  private(set) var equal: [String] = []
  /// Columns with an interval, or a prefix of a string.
  private(set) var ranges: [String] = []
  /// String columns compared with a value or a prefix regardless of case.
  private(set) var folded: [String] = []
  /// String columns in which a part is searched.
  private(set) var searched: [String] = []
  /// The columns of the sort, if an index can have its order.
  private(set) var order: [String] = []
  /// The columns whose distinct combinations of values are wanted.
  private(set) var keys: [String] = []
  /// The columns whose minimum or maximum is wanted.
  private(set) var extremes: [String] = []
  /// The links among these columns. Each has an inverse, so that an index over the link alone adds nothing.
  private var links: Set<String> = []

  /// The columns that the conjuncts of a predicate compare.
  init(_ predicates: [BoundPredicate], of entity: StoredEntity) {
    self.entity = entity.name
    for case .test(let test) in predicates { add(test, of: entity) }
  }

  private mutating func add(_ test: SargablePredicate, of entity: StoredEntity) {
    guard let path = path(of: test.column, in: entity) else { return }
    switch test.question {
    case .isNil, .oneOf: equal.append(path)
    case .interval(let interval): if interval.single == nil { ranges.append(path) } else { equal.append(path) }
    case .text(let text):
      guard entity.columns[test.column].scalarType == .string else { return }
      if let start = text.start {
        if start.folding.isNone { ranges.append(path) } else { folded.append(path) }
      }
      switch text.question {
      case .relation: if text.start == nil { searched.append(path) }
      case .like, .matches: searched.append(path)
      }
    }
  }

  /// Adds the sort or DISTINCT that comes first.
  mutating func add(_ tails: [BoundStage], of entity: StoredEntity) {
    switch tails.first {
    case .sort(let keys)?:
      let paths = keys.compactMap { $0.expression.column.flatMap { path(of: $0, in: entity) } }
      let isOneWay = keys.allSatisfy { $0.ascending == keys.first?.ascending }
      if paths.count == keys.count, isOneWay { order = paths }
    case .distinct(let expressions, _)?:
      let columns = expressions.compactMap(\.column)
      if columns.count == expressions.count { add(keys: columns, of: entity) }
    case .filter?, .window?, nil: break
    }
  }

  /// Adds columns whose distinct combinations of values are wanted.
  mutating func add(keys columns: [Int], of entity: StoredEntity) {
    let paths = columns.compactMap { path(of: $0, in: entity) }
    if paths.count == columns.count { keys = paths }
  }

  /// Adds columns whose minimum or maximum is wanted.
  mutating func add(extremes columns: [Int], of entity: StoredEntity) {
    extremes = columns.compactMap { path(of: $0, in: entity) }
  }

  /// The path of a column that an index can be over.
  private mutating func path(of column: Int, in entity: StoredEntity) -> String? {
    let column = entity.columns[column]
    switch column.column.kind {
    case .scalar: return column.path
    case .link:
      links.insert(column.path)
      return column.path
    case .presence, .collection, .links, .structs, .parts, .presences: return nil
    }
  }

  /// Whether no index could serve the query.
  var isEmpty: Bool {
    [equal, ranges, folded, searched, order, keys, extremes].allSatisfy(\.isEmpty)
  }

  /// Whether an index whose first column is at this path may help.
  package func mentions(_ path: String) -> Bool {
    [equal, ranges, folded, searched, order, keys, extremes].contains { $0.contains(path) }
  }
}

extension IndexQuestion {
  /// The most columns of a candidate: further ones rarely narrow a range.
  private static let mostColumns = 4
  /// The most columns with single values that are tried in every order.
  private static let mostReordered = 3

  /// The indexes that may answer it, those with fewer columns first: over one column; over several, those with single
  /// values first, then one with a range, or those of the order or the groups; and for parts of strings.
  package var candidates: [Index] {
    var found: [Index] = []
    func add(_ paths: [String], _ kind: IndexKind = .ordered) {
      var paths = paths.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      paths = Array(paths.prefix(Self.mostColumns))
      if paths.isEmpty || paths.count == 1 && links.contains(paths[0]) { return }
      let index = Index(kind: kind, paths: paths)
      if !found.contains(index) { found.append(index) }
    }
    for path in equal + ranges + extremes { add([path]) }
    for path in folded { add([path], .folded) }
    for path in searched { add([path], .trigram) }
    let fixed = equal.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let orders = fixed.count <= Self.mostReordered ? Self.permutations(of: fixed) : [fixed]
    for base in [[]] + fixed.map({ [$0] }) + orders {
      add(base)
      add(base + order)
      for path in ranges + extremes { add(base + [path]) }
      // Only an index over exactly these columns has a key for each combination.
      if !keys.isEmpty, base.allSatisfy(keys.contains) { add(base + keys.filter(ranges.contains) + keys) }
    }
    return found.sorted { $0.paths.count < $1.paths.count }
  }

  private static func permutations(of paths: [String]) -> [[String]] {
    if paths.count < 2 { return [paths] }
    return paths.indices.flatMap { place in
      var rest = paths
      let first = rest.remove(at: place)
      return permutations(of: rest).map { [first] + $0 }
    }
  }
}
