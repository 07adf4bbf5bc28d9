import Diagnostics
import Schema
import TestSeeds
import Testing
import Values

/// Printing a schema and reading it back gives an equal schema.
struct SchemaRoundTripTests {
  @Test func randomSchemasComeBack() throws {
    let seed = testSeed()
    var random = SeededRandom(seed: seed)
    for _ in 0..<400 {
      let schema = RandomSchema.make(&random)
      let problems = schema.validate().filter { $0.severity == .error }
      #expect(problems.isEmpty, "SEED=\(seed): \(problems)")
      let text = SchemaText.print(schema)
      let again = try SchemaText.parse(text)
      #expect(again == schema, "SEED=\(seed)\n\(text)")
      #expect(SchemaText.print(again) == text)
      #expect(SchemaDifference(from: schema, to: again).isEmpty)
      if again != schema { return }
    }
  }
}

/// Makes valid schemas with everything in them.
enum RandomSchema {
  static func make(_ random: inout SeededRandom) -> Schema {
    var schema = Schema()
    let embeddedCount = random.below(3)
    for number in 0..<embeddedCount {
      var structure = Entity(name: "Part\(number)", properties: scalars(&random))
      if random.once(in: 3) { structure.properties += collections(&random) }
      if number > 0, random.once(in: 2) {
        structure.properties.append(
          Property(name: "inner", type: .embedded("Part\(number - 1)"), isOptional: random.once(in: 2)))
      }
      schema.embedded.append(structure)
    }
    let names = (0...random.below(3)).map { $0 == 1 ? "Größe" : "Thing\($0)" }
    for name in names {
      var entity = Entity(name: name, properties: scalars(&random))
      for part in schema.embedded where random.once(in: 2) {
        let isList = random.once(in: 3) && hasSingleValues(part, schema)
        entity.properties.append(
          Property(name: "has\(part.name)", type: isList ? .embeddedList(part.name) : .embedded(part.name)))
      }
      let target = random.pick(names)
      if random.once(in: 2) {
        entity.properties.append(
          Property(
            name: "link", type: .link(target), isOptional: true, deleteRule: random.pick([.nullify, .cascade, .deny])))
      }
      if random.once(in: 2) {
        entity.properties.append(
          Property(name: "links", type: .list(target), defaultValue: random.once(in: 2) ? .list([]) : nil))
        if let place = names.firstIndex(of: target), place < schema.entities.count {
          schema.entities[place].properties.append(
            Property(name: "backFrom\(name)", type: .linkingObjects(entity: name, property: "links")))
        }
      }
      if random.once(in: 2) {
        entity.properties += collections(&random)
      }
      schema.entities.append(entity)
    }
    for place in schema.entities.indices { schema.entities[place].indexes = indexes(schema, place, &random) }
    return schema
  }

  /// Whether a struct may be in a list: it has single values only, and so do those within.
  private static func hasSingleValues(_ structure: Entity, _ schema: Schema) -> Bool {
    structure.properties.allSatisfy { property in
      switch property.type {
      case .scalar: true
      case .embedded(let name): schema.structure(named: name).map { hasSingleValues($0, schema) } ?? false
      default: false
      }
    }
  }

  private static func indexes(_ schema: Schema, _ place: Int, _ random: inout SeededRandom) -> [Index] {
    let columns = schema.columns(of: schema.entities[place]).filter {
      if case .scalar = $0.kind { true } else { false }
    }
    var indexes: [Index] = []
    for _ in 0..<random.below(6) {
      var paths: [String] = []
      for _ in 0...random.below(3) {
        let path = random.pick(columns).path
        if !paths.contains(path) { paths.append(path) }
      }
      var index = Index(kind: random.once(in: 3) ? .unique : .ordered, paths: paths)
      if let text = columns.filter({ $0.kind == .scalar(.string) }).randomElement(using: &random), random.once(in: 2) {
        index = Index(kind: random.pick([.folded, .fullText, .trigram]), paths: [text.path])
      }
      if !indexes.contains(index) { indexes.append(index) }
    }
    return indexes
  }

  private static func scalars(_ random: inout SeededRandom) -> [Property] {
    let names = ["a", "in", "été", "_x", "default", "magnitude", "İ"]
    return names.prefix(1 + random.below(names.count)).map { name in
      let type = random.pick(ScalarType.allCases)
      let isOptional = random.once(in: 2)
      var property = Property(name: name, type: .scalar(type), isOptional: isOptional)
      if random.once(in: 2) { property.defaultValue = isOptional && random.once(in: 4) ? .null : value(type, &random) }
      if random.once(in: 8) { property.originalNames = [name + "Before"] + (random.once(in: 2) ? [name + "Once"] : []) }
      return property
    }
  }

  /// One of each kind, with and without defaults.
  private static func collections(_ random: inout SeededRandom) -> [Property] {
    CollectionKind.allCases.map { kind in
      let element = random.pick(ScalarType.allCases)
      let type: PropertyType =
        switch kind {
        case .array: .array(element)
        case .set: .set(element)
        case .dictionary: .dictionary(element)
        }
      var property = Property(name: "some\(kind)", type: type, isOptional: random.once(in: 3))
      guard random.once(in: 2) else { return property }
      let values = (0..<random.below(4)).map { _ in value(element, &random) }
      property.defaultValue = kind.canonical(
        kind == .dictionary
          ? .embedded(values.map { EmbeddedField(name: random.pick(["", "a", "é\"", "\n"]), value: $0) })
          : .list(values))
      return property
    }
  }

  static func value(_ type: ScalarType, _ random: inout SeededRandom) -> Value {
    let number = random.pick([0, -0.0, 1, -2.5, 0.1, 1e300, 5e-324, .infinity, -.infinity, 1e16, 123_456_789.125])
    switch type {
    case .bool: return .bool(random.once(in: 2))
    case .int8: return .int(random.pick([-128, 0, 127]))
    case .int16: return .int(random.pick([-32768, 5, 32767]))
    case .int32: return .int(random.pick([-2_147_483_648, 7, 2_147_483_647]))
    case .int: return .int(random.pick([.min, -1, 0, .max]))
    case .float: return .float(Float(number))
    case .double: return .double(number)
    case .decimal:
      return .decimal(DecimalValue(random.pick(["0", "-9.9", "1e30", "12345678901234567890.5"])) ?? .nan)
    case .string:
      return .string(random.pick(["", "a\"b\\c", "\n\r\t\0\u{1B}\u{7F}", "ß İ e\u{301} 🌍", "\\(x)", "#\"\u{2028}"]))
    case .date: return .date(Instant(seconds: number))
    case .uuid: return .uuid(UUIDBytes(high: random.next() >> UInt64(random.below(64)), low: random.next()))
    case .data: return .data((0..<random.below(4)).map { _ in UInt8(random.below(256)) })
    }
  }
}
