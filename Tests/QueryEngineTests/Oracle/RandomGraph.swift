import Schema
import Values

/// A random schema of several entities that link to each other, and what is written into it, all as plain data.
///
/// Links are object numbers here, as a store without gaps keeps them. The first objects of each entity are numbered
/// from 1.
struct RandomGraph {
  enum Change {
    case update(entity: String, object: UInt64, column: Int, value: Value)
    /// A list of structs as a whole: what all its columns become.
    case replace(entity: String, object: UInt64, values: [(column: Int, value: Value)])
    case delete(entity: String, object: UInt64)
    case insert(entity: String, row: [Value])
  }

  var schema: Schema
  /// The rows of each entity in column order: the first transaction.
  var rows: [String: [[Value]]]
  /// The second transaction.
  var changes: [Change] = []
  /// How many numbers are left out in the store before every few objects.
  var gap: Int64 = 0
  /// How many objects lie between two gaps. Objects with a gap between them are in different clusters.
  var together: Int64 = 5

  /// The number in the store of one that is counted from 1.
  func stored(_ number: Int64) -> Int64 { number + (1 + (number - 1) / together) * gap }

  /// Puts the objects of every other graph into many clusters, so that several threads have something to share.
  mutating func scatter(_ random: inout OracleRandom) {
    guard random.once(in: 2) else { return }
    gap = 3_000_000_019
    together = random.pick([1, 2, 5])
  }

  /// - Parameter many: How many objects one of the entities has, whatever the others have.
  static func make(objects: Int, many: Int? = nil, _ random: inout OracleRandom) -> RandomGraph {
    var graph = RandomGraph(schema: schema(&random), rows: [:])
    var counts: [String: Int] = [:]
    // Now and then an entity has no objects at all.
    for entity in graph.schema.entities { counts[entity.name] = random.once(in: 10) ? 0 : random.below(objects + 1) }
    if let many { counts[random.pick(graph.schema.entities).name] = many }
    for entity in graph.schema.entities {
      graph.rows[entity.name] = (0..<(counts[entity.name] ?? 0)).map { graph.row(entity, $0, counts, &random) }
    }
    if random.once(in: 2) { graph.change(counts, &random) }
    return graph
  }

  // MARK: Schema

  private static let types: [ScalarType] = [.int, .int, .string, .string, .double, .bool, .date, .int16, .decimal]

  private static func schema(_ random: inout OracleRandom) -> Schema {
    let names = Array(["Task", "Person", "Stadt", "Ω"].prefix(1 + random.below(4)))
    var schema = Schema()
    var inverses: [String: [Property]] = [:]
    func link(_ name: String, of entity: String, at path: String, _ random: inout OracleRandom) -> Property {
      let target = random.pick(names + [entity])
      let isMany = random.once(in: 2)
      if random.once(in: 2) {
        let number = inverses[target]?.count ?? 0
        inverses[target, default: []].append(
          Property(name: "back\(number)", type: .linkingObjects(entity: entity, property: path)))
      }
      return Property(name: name, type: isMany ? .list(target) : .link(target), isOptional: !isMany)
    }
    for (number, name) in names.enumerated() {
      var scalars = ["n", "x", "s", "größe", "first", "when"]
      var properties = [Property(name: "title", type: .scalar(.string), isOptional: random.once(in: 3))]
      for _ in 0..<(1 + random.below(3)) {
        let scalar = scalars.remove(at: random.below(scalars.count))
        properties.append(Property(name: scalar, type: .scalar(random.pick(types)), isOptional: random.once(in: 2)))
      }
      var links = ["boss", "tasks", "in", "next", "all"]
      for _ in 0..<(1 + random.below(3)) {
        let name1 = links.remove(at: random.below(links.count))
        properties.append(link(name1, of: name, at: name1, &random))
      }
      if random.once(in: 2) {
        properties.append(
          Property(name: "tags", type: collection(&random), isOptional: random.once(in: 3)))
      }
      if random.once(in: 4) {
        properties.append(Property(name: "more", type: collection(&random), isOptional: random.once(in: 3)))
      }
      if random.once(in: 4) {
        if schema.structure(named: "Place") == nil {
          let coordinates = ["longitude", "latitude"].map { Property(name: $0, type: .scalar(.double)) }
          schema.embedded.append(Entity(name: "Place", properties: coordinates))
        }
        properties.append(Property(name: "spot", type: .embedded("Place"), isOptional: random.once(in: 2)))
      }
      if random.once(in: 2) {
        let name = "Stop\(number)"
        schema.embedded.append(stop(name, number, &schema, &random))
        properties.append(Property(name: "stops", type: .embeddedList(name)))
      }
      if random.once(in: 3) {
        let part = "Part\(number)"
        schema.embedded.append(
          Entity(
            name: part,
            properties: [
              Property(name: "size", type: .scalar(random.pick(types)), isOptional: random.once(in: 2)),
              link("to", of: name, at: "part.to", &random),
            ]))
        if let stop = schema.structure(named: "Stop\(number)")?.name, random.once(in: 2) {
          let last = schema.embedded.count - 1
          schema.embedded[last].properties.append(Property(name: "stops", type: .embeddedList(stop)))
        }
        properties.append(Property(name: "part", type: .embedded(part), isOptional: random.once(in: 2)))
      }
      var entity = Entity(name: name, properties: properties)
      if random.once(in: 2) {
        let type: ScalarType = random.once(in: 2) ? .string : .int
        entity.properties.append(Property(name: "key", type: .scalar(type)))
        entity.indexes.append(Index(kind: .unique, paths: ["key"]))
      }
      for property in entity.properties {
        if case .scalar = property.type, property.name != "key", random.once(in: 3) {
          entity.indexes.append(Index(paths: [property.name]))
        }
      }
      schema.entities.append(entity)
    }
    for place in schema.entities.indices {
      schema.entities[place].properties += inverses[schema.entities[place].name] ?? []
    }
    return schema
  }

  /// What is in a list: some leaves, in a struct within perhaps.
  private static func stop(
    _ name: String, _ number: Int, _ schema: inout Schema, _ random: inout OracleRandom
  ) -> Entity {
    var leaves = ["n", "title", "x", "when", "size"]
    func leaf(_ random: inout OracleRandom) -> Property {
      Property(
        name: leaves.remove(at: random.below(leaves.count)), type: .scalar(random.pick(types)),
        isOptional: random.once(in: 2))
    }
    var stop = Entity(name: name, properties: [leaf(&random), leaf(&random)])
    if random.once(in: 2) { stop.properties.append(leaf(&random)) }
    if random.once(in: 3) {
      schema.embedded.append(Entity(name: "Inner\(number)", properties: [leaf(&random)]))
      stop.properties.append(
        Property(name: "inner", type: .embedded("Inner\(number)"), isOptional: random.once(in: 2)))
    }
    return stop
  }

  private static func collection(_ random: inout OracleRandom) -> PropertyType {
    let element = random.pick([ScalarType.int, .int, .string, .double])
    return random.pick([.array(element), .array(element), .set(element), .dictionary(element)])
  }

  // MARK: Objects

  private func row(
    _ entity: Entity, _ number: Int, _ counts: [String: Int], _ random: inout OracleRandom
  ) -> [Value] {
    var absent: [String] = []
    var lists = RandomParts()
    return schema.columns(of: entity).map { column in
      if absent.contains(where: { column.path.hasPrefix($0 + ".") }) { return .null }
      if column.kind == .presence, random.once(in: 3) {
        absent.append(column.path)
        return .null
      }
      if let value = lists.value(of: column, length: random.pick([0, 0, 1, 2, 2, 3, 5]), &random) { return value }
      if column.path == "key" { return column.kind == .scalar(.int) ? .int(Int64(number)) : .string("k\(number)") }
      return value(of: column, entity, counts, &random)
    }
  }

  private func value(
    of column: Column, _ entity: Entity, _ counts: [String: Int], _ random: inout OracleRandom
  ) -> Value {
    switch column.kind {
    case .presence: return .bool(true)
    case .structs, .parts, .presences: return .null
    case .link(let target):
      guard let count = counts[target], count > 0, !random.once(in: 3) else { return .null }
      return .int(Int64(random.below(count)) + 1)
    case .links(let target):
      guard let count = counts[target], count > 0 else { return .list([]) }
      let length = random.once(in: 100) ? 10 + random.below(60) : random.pick([0, 0, 1, 1, 2, 3, 4, 6])
      // Few targets, so that some come twice.
      return .list((0..<length).map { _ in .int(Int64(random.below(count)) + 1) })
    case .scalar where column.path.hasSuffix(".longitude"): return .double(RandomValues.place(&random).0)
    case .scalar where column.path.hasSuffix(".latitude"): return .double(RandomValues.place(&random).1)
    case .scalar(let type):
      if isOptional(column, entity), random.once(in: 4) { return .null }
      return Self.value(type, &random)
    case .collection(let kind, let type):
      if isOptional(column, entity), random.once(in: 4) { return .null }
      return Self.collection(kind, type, &random)
    }
  }

  /// Whether the property itself may be nil, not only the struct around it.
  private func isOptional(_ column: Column, _ entity: Entity) -> Bool {
    var structure: Entity? = entity
    var property: Property?
    for name in column.path.split(separator: ".") {
      property = structure?.property(named: String(name))
      if case .embedded(let inner)? = property?.type { structure = schema.structure(named: inner) }
    }
    return property?.isOptional == true
  }

  /// Few different values, and Doubles whose sums are rounded, some of them far apart.
  static func value(_ type: ScalarType, _ random: inout OracleRandom) -> Value {
    switch type {
    case .int, .int16:
      if type == .int, random.once(in: 30) { return .int(random.pick([.max, .min, .max - 1, 1 << 53])) }
      return .int(Int64(random.below(12)) - 2)
    case .double:
      if random.once(in: 12) { return .double(random.pick([.nan, -0.0, .infinity])) }
      if random.once(in: 6) { return .double(random.pick([0.1, -6.4, 1e16, -1e16, 1e300, 70.15, 0.3])) }
      return .double(Double(random.below(20)) / 4 - 1)
    case .string: return .string(random.pick(["", "a", "b", "ab", "A", "ß", "SS", "é", "abc", "a*"]))
    case .date: return .date(Instant(seconds: Double(random.below(6)) * 86_400))
    default: return RandomValues.value(type, &random)
    }
  }

  /// Few elements, and few keys, so that collections are equal now and then.
  private static func collection(
    _ kind: CollectionKind, _ type: ScalarType, _ random: inout OracleRandom
  ) -> Value {
    let elements = (0..<random.pick([0, 0, 1, 2, 3])).map { _ in value(type, &random) }
    switch kind {
    case .array: return .list(elements)
    case .set: return .list(RandomValues.ascending(elements))
    case .dictionary: return .embedded(zip(["a", "b", "count"], elements).map { EmbeddedField(name: $0, value: $1) })
    }
  }

  // MARK: Changes

  private mutating func change(_ counts: [String: Int], _ random: inout OracleRandom) {
    let deletes = random.once(in: 2)
    var gone: Set<String> = []
    for entity in schema.entities {
      let columns = schema.columns(of: entity)
      guard let count = counts[entity.name], count > 0 else { continue }
      for _ in 0..<random.below(2 + count / 3) {
        let object = UInt64(random.below(count)) + 1
        if deletes, random.once(in: 2) {
          if gone.insert("\(entity.name) \(object)").inserted {
            changes.append(.delete(entity: entity.name, object: object))
          }
          continue
        }
        if let list = StructList.lists(in: columns).randomElement(using: &random), random.once(in: 3),
          !gone.contains("\(entity.name) \(object)"),
          !columns.contains(where: { $0.kind == .presence && list.path.hasPrefix($0.path + ".") })
        {
          var parts = RandomParts()
          let length = random.below(4)
          let values = ([list.column] + list.parts).map { place in
            (column: place, value: parts.value(of: columns[place], length: length, &random) ?? .null)
          }
          changes.append(.replace(entity: entity.name, object: object, values: values))
          continue
        }
        let free = columns.indices.filter { place in
          let path = columns[place].path
          return columns[place].kind != .presence && path != "key" && !columns[place].kind.isOfList
            && !columns.contains { $0.kind == .presence && path.hasPrefix($0.path + ".") }
        }
        guard let column = free.randomElement(using: &random), !gone.contains("\(entity.name) \(object)") else {
          continue
        }
        // Once something is deleted no link is made that might lead to it.
        if !gone.isEmpty, columns[column].kind.target != nil { continue }
        let value = value(of: columns[column], entity, counts, &random)
        changes.append(.update(entity: entity.name, object: object, column: column, value: value))
      }
      if !deletes, random.once(in: 3) {
        changes.append(.insert(entity: entity.name, row: row(entity, 1000 + count, counts, &random)))
      }
    }
  }

  // MARK: Smaller graphs

  /// Graphs with less in them.
  var smaller: [RandomGraph] {
    var candidates: [RandomGraph] = []
    if !changes.isEmpty {
      for place in changes.indices {
        var candidate = self
        candidate.changes.remove(at: place)
        candidates.append(candidate)
      }
      return candidates
    }
    for entity in schema.entities {
      let count = rows[entity.name]?.count ?? 0
      for kept in Set([0, count / 2, count - 1]).sorted() where kept >= 0 && kept < count {
        candidates.append(keeping(kept, of: entity.name))
      }
    }
    for entity in schema.entities {
      for (place, column) in schema.columns(of: entity).enumerated() {
        for row in (rows[entity.name] ?? []).indices {
          let empty: Value
          switch column.kind {
          case .link: empty = .null
          case .links: empty = .list([])
          case .structs:
            guard case .int(1...)? = rows[entity.name]?[row][place] else { continue }
            var candidate = self
            candidate.rows[entity.name]?[row][place] = .int(0)
            for part in StructList.lists(in: schema.columns(of: entity)).first(where: { $0.column == place })?.parts
              ?? []
            {
              candidate.rows[entity.name]?[row][part] = .list([])
            }
            candidates.append(candidate)
            continue
          default: continue
          }
          if rows[entity.name]?[row][place] == empty { continue }
          var candidate = self
          candidate.rows[entity.name]?[row][place] = empty
          candidates.append(candidate)
        }
      }
    }
    return candidates
  }

  /// With only the first objects of an entity, and no links to others of it.
  private func keeping(_ count: Int, of name: String) -> RandomGraph {
    var graph = self
    graph.rows[name] = Array((rows[name] ?? []).prefix(count))
    for entity in schema.entities {
      for (place, column) in schema.columns(of: entity).enumerated() where column.kind.target == name {
        for row in (graph.rows[entity.name] ?? []).indices {
          switch graph.rows[entity.name]?[row][place] {
          case .int(let number)? where number > count: graph.rows[entity.name]?[row][place] = .null
          case .list(let elements)?:
            graph.rows[entity.name]?[row][place] = .list(
              elements.filter { if case .int(let number) = $0 { number <= count } else { true } })
          default: break
          }
        }
      }
    }
    return graph
  }
}
