import Schema
import Values

/// A random schema with one entity, its indexes, and what is written into it, transaction by transaction: all of it as
/// plain data, so that it can be made smaller and made again.
struct RandomStore {
  enum Change {
    /// A row in column order.
    case insert([Value])
    /// The n-th object ever inserted.
    case update(Int, [(column: Int, value: Value)])
    case delete(Int)
  }

  var schema: Schema
  var transactions: [[Change]]

  var entity: Entity { schema.entities[0] }
  var columns: [Column] { schema.columns(of: entity) }

  static func make(objects: Int, _ random: inout OracleRandom) -> RandomStore {
    var store = RandomStore(schema: schema(&random), transactions: [])
    store.fill(objects, &random)
    return store
  }

  // MARK: Schema

  private static func schema(_ random: inout OracleRandom) -> Schema {
    var names = [
      "a", "b", "size", "in", "Größe", "count", "total", "x1", "name", "_y", "first", "date", "tags", "any", "scores",
      "values",
    ]
    func property(_ random: inout OracleRandom) -> Property {
      let type = random.pick(ScalarType.allCases + [.string, .int, .double])
      var property = Property(
        name: names.remove(at: random.below(names.count)), type: .scalar(type), isOptional: random.once(in: 2))
      if random.once(in: 4) { property.defaultValue = RandomValues.value(type, &random) }
      return property
    }
    var schema = Schema()
    var entity = Entity(name: "Thing", properties: [])
    func collection(_ random: inout OracleRandom) -> Property {
      let element = random.pick(ScalarType.allCases + [.string, .int, .double])
      return Property(
        name: names.remove(at: random.below(names.count)),
        type: random.pick([.array(element), .array(element), .set(element), .dictionary(element)]),
        isOptional: random.once(in: 3))
    }
    for _ in 0..<(2 + random.below(4)) { entity.properties.append(property(&random)) }
    for _ in 0..<random.below(4) { entity.properties.append(collection(&random)) }
    if random.once(in: 2) {
      var part = Entity(name: "Part", properties: [property(&random), property(&random)])
      if random.once(in: 2) {
        schema.embedded.append(Entity(name: "Inner", properties: [property(&random)]))
        part.properties.append(Property(name: "inner", type: .embedded("Inner"), isOptional: random.once(in: 2)))
      }
      if random.once(in: 3) { part.properties.append(collection(&random)) }
      schema.embedded.append(part)
      entity.properties.append(Property(name: "part", type: .embedded("Part"), isOptional: random.once(in: 2)))
    }
    if random.once(in: 2), names.count > 3 {
      var mark = Entity(name: "Mark", properties: [property(&random), property(&random)])
      if random.once(in: 2) {
        schema.embedded.append(Entity(name: "Within", properties: [property(&random)]))
        mark.properties.append(Property(name: "within", type: .embedded("Within"), isOptional: random.once(in: 2)))
      }
      schema.embedded.append(mark)
      let marks = Property(name: "marks", type: .embeddedList("Mark"))
      let part = schema.embedded.firstIndex { $0.name == "Part" }
      if let part, random.once(in: 2) {
        schema.embedded[part].properties.append(marks)
      } else {
        entity.properties.append(marks)
      }
    }
    if random.once(in: 3) {
      let coordinates = ["longitude", "latitude"].map { Property(name: $0, type: .scalar(.double)) }
      schema.embedded.append(Entity(name: "Place", properties: coordinates))
      entity.properties.append(Property(name: "spot", type: .embedded("Place"), isOptional: random.once(in: 2)))
    }
    schema.entities = [entity]
    let columns = schema.columns(of: entity).filter { if case .scalar = $0.kind { true } else { false } }
    let paths = columns.map(\.path)
    for _ in 0..<random.below(7) {
      let chosen = paths.shuffled(using: &random).prefix(1 + (random.once(in: 3) ? random.below(3) : 0))
      let index = Index(kind: random.once(in: 5) ? .unique : .ordered, paths: Array(chosen))
      if !schema.entities[0].indexes.contains(where: { $0.paths == index.paths }) {
        schema.entities[0].indexes.append(index)
      }
    }
    for column in columns where column.kind == .scalar(.string) {
      for kind in [IndexKind.folded, .trigram] where random.once(in: 2) {
        schema.entities[0].indexes.append(Index(kind: kind, paths: [column.path]))
      }
    }
    return schema
  }

  // MARK: Objects

  private mutating func fill(_ count: Int, _ random: inout OracleRandom) {
    let unique = entity.indexes.filter { $0.kind == .unique }.map(\.paths)
    let uniquePaths = Set(unique.flatMap { $0 })
    var usedKeys: [Set<String>] = Array(repeating: [], count: unique.count)
    var changes: [Change] = []
    var inserted = 0
    for _ in 0..<count {
      let row = row(&random)
      let byPath = Dictionary(zip(columns.map(\.path), row), uniquingKeysWith: { first, _ in first })
      let keys = unique.map { paths in paths.compactMap { byPath[$0] } }
      // nil may repeat, but keeping it apart too is simpler, and never wrong.
      let clashes = zip(keys, usedKeys).contains { key, seen in seen.contains(Self.spelled(key)) }
      if clashes { continue }
      for place in keys.indices {
        usedKeys[place].insert(Self.spelled(keys[place]))
      }
      changes.append(.insert(row))
      inserted += 1
    }
    transactions = [changes]
    guard inserted > 0, random.once(in: 2) else { return }
    // Some are changed and deleted afterwards, some more come.
    changes = []
    var deleted: Set<Int> = []
    for _ in 0..<(1 + inserted / 5) {
      let object = random.below(inserted)
      guard !deleted.contains(object) else { continue }
      if random.once(in: 2) {
        deleted.insert(object)
        changes.append(.delete(object))
      } else if let list = StructList.lists(in: columns).first, isFree(list.column, uniquePaths), random.once(in: 2) {
        var parts = RandomParts()
        let length = random.below(4)
        let values = ([list.column] + list.parts).map { place in
          (column: place, value: parts.value(of: columns[place], length: length, &random) ?? .null)
        }
        changes.append(.update(object, values))
      } else if let column = columns.indices.filter({
        isFree($0, uniquePaths) && !columns[$0].kind.isOfList
      }).randomElement(using: &random) {
        let value = Self.value(of: columns[column], &random)
        changes.append(.update(object, [(column, value)]))
      }
    }
    // Now and then a whole run goes, so that clusters become empty.
    if random.once(in: 6) {
      let start = random.below(inserted)
      for object in start..<min(inserted, start + 600) where !deleted.contains(object) {
        changes.append(.delete(object))
      }
    }
    transactions.append(changes)
    if unique.isEmpty { transactions.append((0..<random.below(30)).map { _ in .insert(row(&random)) }) }
  }

  /// Whether a column can be changed by itself: not unique, and in no optional struct, whose presence it would depend on.
  private func isFree(_ column: Int, _ uniquePaths: Set<String>) -> Bool {
    let path = columns[column].path
    return columns[column].kind != .presence && !uniquePaths.contains(path)
      && !columns.contains { $0.kind == .presence && path.hasPrefix($0.path + ".") }
  }

  /// A key as the unique index has it: NaN is one value, -0.0 is 0.0.
  private static func spelled(_ key: [Value]) -> String {
    key.map { value in
      switch value {
      case .double(let number): return "\(number + 0)"
      case .float(let number): return "\(number + 0)"
      case .date(let date): return "\(date.seconds + 0)"
      default: return "\(value)"
      }
    }.joined(separator: "|")
  }

  private func row(_ random: inout OracleRandom) -> [Value] {
    var absent: [String] = []
    var lists = RandomParts()
    return columns.map { column in
      if absent.contains(where: { column.path.hasPrefix($0 + ".") }) { return .null }
      if column.kind == .presence {
        if random.once(in: 3) {
          absent.append(column.path)
          return .null
        }
        return .bool(true)
      }
      if let value = lists.value(of: column, length: random.pick([0, 0, 1, 2, 2, 3, 5]), &random) { return value }
      return Self.value(of: column, schema, entity, &random)
    }
  }

  /// nil only where the property itself allows it, not because its struct may be absent.
  private static func value(
    of column: Column, _ schema: Schema, _ entity: Entity, _ random: inout OracleRandom
  ) -> Value {
    var structure: Entity? = entity
    var property: Property?
    for name in column.path.split(separator: ".") {
      property = structure?.property(named: String(name))
      if case .embedded(let inner) = property?.type { structure = schema.structure(named: inner) }
    }
    return value(of: column, isOptional: property?.isOptional == true, &random)
  }

  private static func value(of column: Column, _ random: inout OracleRandom) -> Value {
    value(of: column, isOptional: column.isOptional, &random)
  }

  private static func value(of column: Column, isOptional: Bool, _ random: inout OracleRandom) -> Value {
    if isOptional, random.once(in: 4) { return .null }
    switch column.kind {
    case .scalar where column.path.hasSuffix(".longitude"): return .double(RandomValues.place(&random).0)
    case .scalar where column.path.hasSuffix(".latitude"): return .double(RandomValues.place(&random).1)
    case .scalar(let type) where column.path.hasSuffix("s") || column.path.hasSuffix("1"):
      return RandomValues.decimal(type, &random) ?? RandomValues.value(type, &random)
    case .scalar(let type): return RandomValues.value(type, &random)
    case .collection(let kind, let type): return RandomValues.collection(kind, type, &random)
    case .presence, .link, .structs, .parts, .presences: return .null
    case .links: return .list([])
    }
  }
}
