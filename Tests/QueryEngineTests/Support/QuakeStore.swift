import Diagnostics
import PredicateLanguage
import Schema
import Storage
import Values

@testable import QueryEngine

/// A store in memory with helpers that say queries as text.
struct TestStore {
  let file: StoreFile
  let entityName: String

  init(_ schema: Schema, rows: [[Value]]) throws {
    file = try StoreFile.inMemory(declaring: schema)
    entityName = schema.entities[0].name
    let name = entityName
    try file.write { session in
      guard let entity = session.schema.entity(named: name) else { return }
      for row in rows { _ = try session.insert(row, into: entity) }
    }
  }

  /// A store that is there already.
  init(_ file: StoreFile, entityName: String) {
    self.file = file
    self.entityName = entityName
  }

  /// A store with one column `x` (and a key `n` counting from 0).
  init(_ type: ScalarType, optional: Bool = true, indexed: Bool = false, _ values: [Value]) throws {
    let entity = Entity(
      name: "Item",
      properties: [
        Property(name: "n", type: .scalar(.int)),
        Property(name: "x", type: .scalar(type), isOptional: optional),
      ],
      indexes: indexed ? [Index(paths: ["x"])] : [])
    try self.init(
      Schema(entities: [entity]), rows: values.enumerated().map { [.int(Int64($0.offset)), $0.element] })
  }

  func compile(_ text: String, _ arguments: Arguments = Arguments()) throws -> CompiledQuery {
    var description = QueryDescription(entity: entityName)
    try description.append(
      try PredicateParser.filter(text), SourceContext(source: text, arguments: arguments))
    return try CompiledQuery(description, schema: try file.beginSnapshot().schema)
  }

  /// The objects found, counted from 0 in insertion order.
  func rows(
    _ text: String, _ arguments: [Value] = [], options: PlannerOptions = PlannerOptions()
  ) throws -> [Int] {
    let snapshot = try file.beginSnapshot()
    let plan = try compile(text, Arguments(arguments)).plan(in: snapshot, options: options)
    return try plan.objects(in: snapshot).map { Int($0.rawValue) - 1 }
  }

  /// What every plan finds; there is a difference when they are not all the same.
  func everyPlan(_ text: String, _ arguments: Arguments = Arguments()) throws -> [(name: Int, rows: [Int])] {
    let snapshot = try file.beginSnapshot()
    let query = try compile(text, arguments)
    return try (0..<(try query.planCount(in: snapshot))).map { number in
      let plan = try query.plan(in: snapshot, options: PlannerOptions(access: .enumerated(number)))
      let rows = try plan.objects(in: snapshot).map { Int($0.rawValue) - 1 }
      let count = try plan.count(in: snapshot)
      return (number, count == rows.count ? rows : [-1, count])
    }
  }

  func explain(_ text: String, _ options: PlannerOptions = PlannerOptions()) throws -> String {
    let snapshot = try file.beginSnapshot()
    return try compile(text).plan(in: snapshot, options: options).explanation.text
  }

  /// The error that compiling gives, as it is shown.
  func failure(_ text: String, _ arguments: Arguments = Arguments()) -> String {
    Failure.text { try compile(text, arguments) }
  }
}

/// What compiling says, as people see it.
enum Failure {
  static func text(_ compile: () throws -> CompiledQuery) -> String {
    do {
      let query = try compile()
      return (["ok"] + query.warnings.map { "warning[\($0.code)]: \($0.message)" }).joined(separator: "\n")
    } catch let error as DiagnosticError {
      return DiagnosticRenderer().text(error)
    } catch {
      return "\(error)"
    }
  }
}

/// An entity with a collection and a link, which no store keeps yet: for what the binder says of them.
enum Declared {
  static let schema: StoredSchema = {
    var schema = Samples.quakes
    schema.entities[0].properties += [
      Property(name: "tags", type: .array(.string)),
      Property(name: "mainShock", type: .link("Quake"), isOptional: true),
    ]
    let entity = schema.entities[0]
    let columns = schema.columns(of: entity).enumerated().map {
      StoredColumn(number: UInt32($0.offset), column: $0.element, defaultAtCreation: $0.element.defaultValue)
    }
    return StoredSchema(
      version: 1, schema: schema, entities: [StoredEntity(number: 1, entity: entity, columns: columns, indexes: [])])
  }()

  static func failure(_ text: String) -> String { Failure.text { try compile(text) } }

  /// What is wrong with a query; nil when nothing is.
  static func error(_ text: String) -> DiagnosticError? {
    do {
      _ = try compile(text)
      return nil
    } catch {
      return error as? DiagnosticError
    }
  }

  private static func compile(_ text: String) throws -> CompiledQuery {
    var description = QueryDescription(entity: "Quake")
    try description.append(try PredicateParser.filter(text), SourceContext(source: text))
    return try CompiledQuery(description, schema: schema)
  }
}

/// Schemas and rows that several tests use.
enum Samples {
  static let quakes = Schema(
    entities: [
      Entity(
        name: "Quake",
        properties: [
          Property(name: "code", type: .scalar(.string)),
          Property(name: "magnitude", type: .scalar(.double)),
          Property(name: "time", type: .scalar(.date)),
          Property(name: "place", type: .scalar(.string), isOptional: true),
          Property(name: "depth", type: .scalar(.float), isOptional: true),
          Property(name: "felt", type: .scalar(.int), isOptional: true),
          Property(name: "isReviewed", type: .scalar(.bool)),
          Property(name: "network", type: .scalar(.uuid), isOptional: true),
          Property(name: "location", type: .embedded("Location"), isOptional: true),
        ],
        indexes: [
          Index(kind: .unique, paths: ["code"]), Index(paths: ["magnitude"]), Index(paths: ["place", "magnitude"]),
          Index(paths: ["felt"]),
        ])
    ],
    embedded: [
      Entity(
        name: "Location",
        properties: [
          Property(name: "name", type: .scalar(.string)),
          Property(name: "longitude", type: .scalar(.double)),
          Property(name: "latitude", type: .scalar(.double)),
        ])
    ])

  /// `count` quakes that depend on nothing but their number.
  static func rows(_ count: Int) -> [[Value]] {
    (0..<count).map { n in
      let hasPlace = n % 7 != 0
      return [
        .string("q\(n)"), .double(Double((n * 7919) % 1000) / 100), .date(Instant(seconds: Double(n) * 3600)),
        n % 11 == 0 ? .null : .string("\(n % 40) km of \(["Alaska", "Japan", "Chile", "Hawaii"][n % 4])"),
        n % 13 == 0 ? .null : .float(Float(n % 700)), n % 3 == 0 ? .int(Int64(n % 50)) : .null, .bool(n % 5 == 0),
        n % 17 == 0 ? .uuid(UUIDBytes(high: UInt64(n), low: 1)) : .null, hasPlace ? .bool(true) : .null,
        hasPlace ? .string("here \(n)") : .null, hasPlace ? .double(Double(n % 360) - 180) : .null,
        hasPlace ? .double(Double(n % 180) - 90) : .null,
      ]
    }
  }
}
