import PredicateLanguage
import Schema
import Values

/// A filter as a tree, with the values of its placeholders and the predicates that it names.
struct RandomQuery {
  var filter: FilterSyntax
  var arguments = Arguments()
  var definitions: [String: PredicateSyntax] = [:]
}

/// Makes queries over an entity's columns; most of them are meaningful, some are errors.
///
/// What it can say is in the extensions: comparisons of single values, collections, places, expressions.
struct QueryMaker {
  enum Style: CaseIterable {
    case literals, positional, named, sequential
  }

  /// Something to compare: a property, an element, or what is computed from them.
  struct Operand {
    var expression: ExpressionSyntax
    var type: ScalarType
    /// Some values that it has.
    var samples: [Value] = []
  }

  let entity: Entity
  let columns: [Column]
  /// The columns of single values.
  let scalars: [Column]
  let collections: [Column]
  /// The lists of structs, and the leaves in each.
  let lists: [(column: Column, leaves: [Column])]
  /// The embedded structs that are points.
  let places: [String]
  /// The columns of each index, the most significant first.
  let indexed: [[Column]]
  /// Some values that each column has; of a collection its elements.
  let samples: [String: [Value]]
  var random: OracleRandom
  var style = Style.literals
  var arguments = Arguments()
  var definitions: [String: PredicateSyntax] = [:]
  /// The variables of the SUBQUERYs around.
  var variables: [Operand] = []
  /// How many elements the longest collection of each column has.
  let lengths: [String: Int]
  /// How often what is inside the SUBQUERYs around is asked of one object, at most.
  var breadth = 1

  init(store: RandomStore, random: OracleRandom) {
    entity = store.entity
    columns = store.columns
    scalars = columns.filter { if case .scalar = $0.kind { true } else { false } }
    collections = columns.filter { if case .collection = $0.kind { true } else { false } }
    lists = StructList.lists(in: columns).map { [columns] list in
      (columns[list.column], list.parts.map { columns[$0] }.filter { if case .parts = $0.kind { true } else { false } })
    }
    places = columns.map(\.path).filter { $0.hasSuffix(".longitude") }.map { String($0.dropLast(10)) }
    let byPath = Dictionary(columns.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    indexed = store.entity.indexes.map { $0.paths.compactMap { byPath[$0] } }
    var samples: [String: [Value]] = [:]
    for case .insert(let row) in store.transactions.joined().prefix(8) {
      for (column, value) in zip(columns, row) {
        switch value {
        case .null: break
        case .list(let elements): samples[column.path, default: []] += elements.prefix(4)
        case .embedded(let fields): samples[column.path, default: []] += fields.prefix(4).map(\.value)
        default: samples[column.path, default: []].append(value)
        }
      }
    }
    self.samples = samples
    var lengths: [String: Int] = [:]
    for change in store.transactions.joined() {
      switch change {
      case .insert(let row):
        for (column, value) in zip(columns, row) { lengths[column.path] = max(lengths[column.path] ?? 0, value.length) }
      case .update(_, let changes):
        for (place, value) in changes {
          lengths[columns[place].path] = max(lengths[columns[place].path] ?? 0, value.length)
        }
      case .delete: break
      }
    }
    self.lengths = lengths
    self.random = random
  }

  mutating func make() -> RandomQuery {
    style = random.pick(Style.allCases + [.literals])
    arguments = Arguments()
    definitions = [:]
    var filter = FilterSyntax(predicate: random.once(in: 12) ? nil : predicate())
    while filter.predicate == nil && filter.tails.isEmpty || random.once(in: 3) {
      let tail = tail()
      // Two windows in a row would be read as one.
      if case .window = tail, case .window? = filter.tails.last { continue }
      filter.tails.append(tail)
    }
    if style == .positional || style == .sequential, random.once(in: 3) { filter = withNamesGiven(filter) }
    let query = RandomQuery(filter: filter, arguments: arguments, definitions: definitions)
    return style == .sequential ? query.inOrder() ?? query : query
  }

  /// A condition: half of them such as indexes are for.
  mutating func predicate() -> PredicateSyntax {
    if indexed.isEmpty || random.once(in: 2) { return predicate(depth: 1 + random.below(3)) }
    var parts: [PredicateSyntax] = []
    let isAnd = random.once(in: 2)
    for _ in 0..<(1 + random.below(3)) {
      let part = random.once(in: 3) ? comparison(depth: 1) : alongIndex()
      if isAnd, case .and(let inner) = part.kind { parts += inner } else { parts.append(part) }
    }
    if parts.count == 1 { return parts[0] }
    return PredicateSyntax(isAnd ? .and(parts) : .or(parts))
  }

  // MARK: Tails

  private mutating func tail() -> TailSyntax {
    switch random.below(5) {
    case 4: return .filter(predicate(depth: random.below(2)))
    case 3 where !indexed.isEmpty:
      // The order of an index, or of its beginning, mostly one way.
      let columns = random.pick(indexed)
      let ascending = random.once(in: 2)
      return .sort(
        columns.prefix(1 + random.below(columns.count)).map {
          SortKeySyntax(path($0), ascending: random.once(in: 8) ? !ascending : ascending)
        })
    case 0:
      return .sort((0...random.below(3)).map { _ in sortKey() })
    case 1:
      return .distinct((0...random.below(2)).map { _ in sortable() })
    default:
      let offset = random.once(in: 2) ? number(below: 10) : nil
      let limit = offset == nil || random.once(in: 2) ? number(below: 40) : nil
      return .window(offset: offset, limit: limit)
    }
  }

  private mutating func number(below limit: Int) -> ExpressionSyntax { literal(.int(Int64(random.below(limit)))) }

  private mutating func sortKey() -> SortKeySyntax {
    let ascending = random.once(in: 2)
    let text = operand()
    guard text.type == .string, random.once(in: 2) else { return SortKeySyntax(sortable(), ascending: ascending) }
    return SortKeySyntax(
      text.expression, ascending: ascending, options: SortOptions(rawValue: UInt8(random.below(8))))
  }

  private mutating func sortable() -> ExpressionSyntax {
    if random.once(in: 4), let number = numeric(depth: 1) { return number }
    return random.once(in: 4) ? operand().expression : path(column())
  }

  /// A column of single values, one that some index has as often as not.
  mutating func column() -> Column {
    if random.once(in: 2), !indexed.isEmpty { return random.pick(random.pick(indexed)) }
    return random.pick(scalars)
  }

  // MARK: Predicates

  mutating func predicate(depth: Int) -> PredicateSyntax {
    switch random.below(depth > 0 ? 10 : 6) {
    case 6: return joined(depth) { .and($0) }
    case 7: return joined(depth) { .or($0) }
    case 8: return PredicateSyntax(.not(predicate(depth: depth - 1)))
    case 9 where !indexed.isEmpty && variables.isEmpty: return alongIndex()
    default:
      if random.once(in: 40), variables.isEmpty, style != .sequential { return defined(depth) }
      return comparison(depth: depth)
    }
  }

  /// A predicate by a name that LET gave it.
  private mutating func defined(_ depth: Int) -> PredicateSyntax {
    let outer = style
    style = .literals
    let definition = predicate(depth: depth - 1)
    style = outer
    let name = "p\(definitions.count)"
    definitions[name] = definition
    return PredicateSyntax(.named(name))
  }

  /// AND and OR are flat: a part of the same kind is taken apart.
  private mutating func joined(_ depth: Int, _ kind: ([PredicateSyntax]) -> PredicateSyntax.Kind) -> PredicateSyntax {
    var parts: [PredicateSyntax] = []
    for _ in 0..<(2 + random.below(2)) {
      let part = predicate(depth: depth - 1)
      switch (part.kind, kind([])) {
      case (.and(let inner), .and), (.or(let inner), .or): parts += inner
      default: parts.append(part)
      }
    }
    return PredicateSyntax(kind(parts))
  }

  /// Equalities on the first columns of an index, then a range, as compound indexes are made for.
  private mutating func alongIndex() -> PredicateSyntax {
    let columns = random.pick(indexed)
    var parts: [PredicateSyntax] = []
    for column in columns.prefix(1 + random.below(columns.count)) {
      guard let operand = operand(column) else { continue }
      switch random.below(4) {
      case 0: parts.append(membership(operand))
      case 1:
        parts.append(compare(operand.expression, random.pick([.greater, .greaterOrEqual]), literal(near(operand))))
        parts.append(compare(operand.expression, random.pick([.less, .lessOrEqual]), literal(near(operand))))
      default: parts.append(compare(operand.expression, .equal, literal(near(operand))))
      }
    }
    if parts.count == 1 { return parts[0] }
    return parts.isEmpty ? comparison(depth: 0) : PredicateSyntax(.and(parts))
  }
}

extension Value {
  /// How many elements a collection has; 1 for a single value.
  fileprivate var length: Int {
    switch self {
    case .list(let elements): elements.count
    case .embedded(let fields): fields.count
    default: 1
    }
  }
}
