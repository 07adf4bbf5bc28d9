import ObjectStoreCore
import TestSeeds
import Testing

/// Random statements that change the schema, against the same changes made by declaring schema text: both stores have
/// the same schema and the same objects after each, or both refuse.
@Suite struct RandomSchemaStatementsTests {
  private static let text = """
    @Model struct Doc {
      @Attribute(.unique) var code: Int
      var a: Int
      var b: String?
      @Attribute(.indexed) var c: Int?
      var site: Site?
    }
    @Model(.embedded) struct Site { var x: Int; var y: String? }
    @Model(.entity) struct Note { var t: String }
    """

  /// One change both ways: the statement, the schema to declare, and the parts to remove.
  private struct Change {
    var statement: String
    var schema: Schema
    var removing: [String] = []
  }

  @Test func statementsDoWhatDeclarationsDo() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    var done = 0
    var refused = 0
    for round in 0..<40 {
      let first = try Self.store()
      let second = try Self.store()
      for step in 0..<12 {
        let schema = try first.schema
        guard let change = Self.change(of: schema, step, &random) else { continue }
        let place = "seed \(seed), round \(round): \(change.statement)"
        let preview = try? first.migrationPreview(of: change.statement)
        let stated = Result { try first.run(change.statement) }
        let declared = Result {
          try second.declare(change.schema, removing: change.removing)
        }
        switch (stated, declared) {
        case (.success, .success):
          done += 1
          #expect(preview?.problems == [], "\(place): the preview refuses it")
        case (.failure, .failure):
          refused += 1
          #expect(preview?.problems != [], "\(place): the preview does not refuse it")
        case (.success, .failure(let error)): Issue.record("\(place): only the declaration is refused: \(error)")
        case (.failure(let error), .success): Issue.record("\(place): only the statement is refused: \(error)")
        }
        let (one, other) = (try first.schema, try second.schema)
        #expect(Self.sorted(one) == Self.sorted(other), "\(place)")
        #expect(try Self.contents(first) == Self.contents(second), "\(place)")
        if one != other { return }
      }
      let problems = try first.check().problems
      #expect(problems.isEmpty, "seed \(seed), round \(round): \(problems)")
    }
    #expect(done > 150 && refused > 10, "seed \(seed): \(done) done, \(refused) refused")
  }

  private static func store() throws -> Store {
    let store = try Store.inMemory(schema: SchemaText.parse(text))
    for n in 0..<5 {
      let site = n % 2 == 0 ? ", \"site\": {\"x\": \(n), \"y\": \"y\(n)\"}" : ""
      let b = n % 3 == 0 ? "null" : "\"b\(n)\""
      _ = try store.run("INSERT Doc {\"code\": \(n), \"a\": \(n % 3), \"b\": \(b), \"c\": \(n)\(site)}")
      _ = try store.run("INSERT Note {\"t\": \"t\(n)\"}")
    }
    return store
  }

  private static func sorted(_ schema: Schema) -> [Entity] { schema.entities.sorted { $0.name < $1.name } }

  private static func contents(_ store: Store) throws -> [String] {
    try sorted(store.schema).flatMap { entity -> [String] in
      try ["\(entity.name): \(store.schema.columns(of: entity).map(\.path))"]
        + store.objects(entity.name).objects().map { "\($0.values)" }
    }
  }

  /// A change of a random entity; nil when it has nothing to change.
  private static func change(of schema: Schema, _ step: Int, _ random: inout SeededNumbers) -> Change? {
    guard let position = schema.entities.indices.randomElement(using: &random) else { return nil }
    let entity = schema.entities[position]
    let name = entity.name
    let scalars = entity.properties.indices.filter { number in
      if case .scalar = entity.properties[number].type { true } else { false }
    }
    guard let number = scalars.randomElement(using: &random) else { return nil }
    let property = entity.properties[number]
    var changed = schema
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      let added: (text: String, property: Property) =
        [
          ("Int?", Property(name: "p\(step)", type: .scalar(.int), isOptional: true)),
          ("Int = 4", Property(name: "p\(step)", type: .scalar(.int), defaultValue: .int(4))),
          ("Int", Property(name: "p\(step)", type: .scalar(.int))),
          ("[String]", Property(name: "p\(step)", type: .array(.string))),
          (
            "Double? = 1",
            Property(name: "p\(step)", type: .scalar(.double), isOptional: true, defaultValue: .double(1))
          ),
        ].randomElement(using: &random) ?? ("Bool?", Property(name: "p\(step)", type: .scalar(.bool), isOptional: true))
      changed.entities[position].properties.append(added.property)
      return Change(statement: "ALTER \(name) ADD p\(step): \(added.text)", schema: changed)
    case 2:
      return Change(
        statement: "ALTER \(name) DROP PROPERTY \(property.name)", schema: Schema(),
        removing: ["\(name).\(property.name)"])
    case 3:
      changed.entities[position].properties[number].name = "r\(step)"
      changed.entities[position].properties[number].originalNames = [property.name]
      changed.entities[position].indexes = entity.indexes.map { index in
        Index(kind: index.kind, paths: index.paths.map { $0 == property.name ? "r\(step)" : $0 })
      }
      return Change(statement: "ALTER \(name) RENAME \(property.name) TO r\(step)", schema: changed)
    case 4:
      guard property.type == .scalar(.int) else { return nil }
      changed.entities[position].properties[number].type = .scalar(.double)
      if case .int(let value)? = property.defaultValue {
        changed.entities[position].properties[number].defaultValue = .double(Double(value))
      }
      let optional = property.isOptional ? "?" : ""
      return Change(statement: "ALTER \(name) ALTER PROPERTY \(property.name) Double\(optional)", schema: changed)
    case 5:
      changed.entities[position].properties[number].isOptional.toggle()
      if property.defaultValue?.isNull == true { changed.entities[position].properties[number].defaultValue = nil }
      let type = property.type.text + (property.isOptional ? "" : "?")
      return Change(statement: "ALTER \(name) ALTER PROPERTY \(property.name): \(type)", schema: changed)
    case 6:
      let isUnique = Bool.random(using: &random)
      let index = Index(kind: isUnique ? .unique : .ordered, paths: [property.name])
      if entity.indexes.contains(index) { return nil }
      changed.entities[position].indexes.append(index)
      return Change(
        statement: "CREATE \(isUnique ? "UNIQUE " : "")INDEX ON \(name) (\(property.name))", schema: changed)
    case 7:
      guard let index = entity.indexes.randomElement(using: &random) else { return nil }
      let kind = index.kind == .unique ? "UNIQUE INDEX" : "INDEX"
      let using = index.kind == .unique ? "" : " USING sorted"
      return Change(
        statement: "DROP \(kind) ON \(name) (\(index.paths.joined(separator: ", ")))\(using)", schema: Schema(),
        removing: [SchemaPart.index(entity: name, index).description])
    default:
      let new = "E\(step)"
      if schema.entities.contains(where: { $0.name == new }) { return nil }
      changed.entities[position].name = new
      changed.entities[position].originalNames = [name]
      return Change(statement: "RENAME \(name) TO \(new)", schema: changed)
    }
  }
}
