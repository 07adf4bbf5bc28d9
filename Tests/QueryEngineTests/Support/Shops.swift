import Diagnostics
import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Five shops with collections of every kind, few enough to see every answer.
///
/// | | name | size | weight | labels | ratings | scores | tags | prices | flags | info |
/// | - | - | - | - | - | - | - | - | - | - | - |
/// | 0 | Ada | 3 | 0.1 | new, Cheap | 5, 1, 3 | 1.5, NaN | a, b | tea 2.5, cake 4.0 | T | x; 1 |
/// | 1 | Bo | 5 | 1.5 | | | | | | | nil |
/// | 2 | nil | 0 | 2.5 | cheap | 5 | nil | b | tea 9.0 | F | ; 2 |
/// | 3 | Émile | -2 | 0.3 | new, new | 1, 2 | 1, 2 | c, d, e | | T, F | y, z; 3 |
/// | 4 | Zed | 1 | 0 | a*b | Int.max, 1 | -0.0, 0.5, inf | a, b | pie -1.0 | F, F | nil |
enum Shops {
  static let schema = Schema(
    entities: [
      Entity(
        name: "Shop",
        properties: [
          Property(name: "name", type: .scalar(.string), isOptional: true),
          Property(name: "size", type: .scalar(.int)),
          Property(name: "weight", type: .scalar(.float)),
          Property(name: "opened", type: .scalar(.date)),
          Property(name: "labels", type: .array(.string)),
          Property(name: "ratings", type: .array(.int)),
          Property(name: "scores", type: .array(.double), isOptional: true),
          Property(name: "tags", type: .set(.string)),
          Property(name: "prices", type: .dictionary(.double)),
          Property(name: "flags", type: .array(.bool)),
          Property(name: "days", type: .array(.date)),
          Property(name: "weights", type: .array(.float)),
          Property(name: "info", type: .embedded("Info"), isOptional: true),
        ],
        indexes: [Index(paths: ["size"])])
    ],
    embedded: [
      Entity(
        name: "Info",
        properties: [
          Property(name: "words", type: .array(.string)), Property(name: "level", type: .scalar(.int)),
        ])
    ])

  static let rows: [[Value]] = [
    [
      .string("Ada"), .int(3), .float(0.1), day(0), texts("new", "Cheap"), ints(5, 1, 3),
      .list([.double(1.5), .double(.nan)]), texts("a", "b"), prices(("cake", 4), ("tea", 2.5)), .list([.bool(true)]),
      .list([day(0), day(1)]), .list([.float(0.1), .float(2)]), .bool(true), texts("x"), .int(1),
    ],
    [
      .string("Bo"), .int(5), .float(1.5), day(1), texts(), ints(), .list([]), texts(), prices(), .list([]), .list([]),
      .list([]), .null, .null, .null,
    ],
    [
      .null, .int(0), .float(2.5), day(2), texts("cheap"), ints(5), .null, texts("b"), prices(("tea", 9)),
      .list([.bool(false)]), .list([day(2)]), .list([.float(0.3)]), .bool(true), texts(), .int(2),
    ],
    [
      .string("Émile"), .int(-2), .float(0.3), day(3), texts("new", "new"), ints(1, 2),
      .list([.double(1), .double(2)]), texts("c", "d", "e"), prices(), .list([.bool(true), .bool(false)]),
      .list([day(3)]), .list([]), .bool(true), texts("y", "z"), .int(3),
    ],
    [
      .string("Zed"), .int(1), .float(0), day(4), texts("a*b"), ints(.max, 1),
      .list([.double(-0.0), .double(0.5), .double(.infinity)]), texts("a", "b"), prices(("pie", -1)),
      .list([.bool(false), .bool(false)]), .list([day(4)]), .list([.float(0)]), .null, .null, .null,
    ],
  ]

  /// Midnight of the n-th day of 2020.
  static func day(_ number: Int) -> Value {
    .date(Instant(secondsSince1970: 1_577_836_800 + Double(number) * 86_400))
  }

  private static func texts(_ elements: String...) -> Value { .list(elements.map(Value.string)) }
  private static func ints(_ elements: Int64...) -> Value { .list(elements.map(Value.int)) }
  private static func prices(_ fields: (String, Double)...) -> Value {
    .embedded(fields.map { EmbeddedField(name: $0.0, value: .double($0.1)) })
  }

  /// The shops for which a predicate holds.
  static func matching(_ text: String, _ arguments: Arguments = Arguments()) throws -> [Int] {
    let query = try compiled(text, arguments)
    let context = RuleContext(entity: query.entity, now: Instant(secondsSince1970: 1_600_000_000))
    guard case .filter(let predicate)? = query.stages.first else { return [] }
    let simplified = try PlannerRule.simplified(predicate, context)
    let fixed = PlannerRule.bindNow.apply(predicate, context)
    let matching = try rows.indices.filter {
      let row = HandMadeRow(values: rows[$0])
      let holds = try fixed.holds(for: row)
      #expect(try simplified.holds(for: row) == holds, "the rules change '\(text)' for row \($0)")
      return holds
    }
    let store = try store.get()
    for plan in try store.everyPlan(text, arguments) {
      #expect(plan.rows == matching, "plan \(plan.name) of '\(text)' in a store")
    }
    return matching
  }

  /// The shops as a store keeps them.
  private static let store = Result { try TestStore(schema, rows: rows) }

  /// What compiling says, as people see it.
  static func message(_ text: String, _ arguments: Arguments = Arguments()) -> String {
    Failure.text { try compiled(text, arguments) }
  }

  static func compiled(_ text: String, _ arguments: Arguments = Arguments()) throws -> CompiledQuery {
    var description = QueryDescription(entity: "Shop")
    try description.append(try PredicateParser.filter(text), SourceContext(source: text, arguments: arguments))
    return try CompiledQuery(description, schema: stored)
  }

  private static let stored: StoredSchema = {
    let entity = schema.entities[0]
    let columns = schema.columns(of: entity).enumerated().map {
      StoredColumn(number: UInt32($0.offset), column: $0.element, defaultAtCreation: $0.element.defaultValue)
    }
    return StoredSchema(
      version: 1, schema: schema, entities: [StoredEntity(number: 1, entity: entity, columns: columns, indexes: [])])
  }()
}

/// A row whose values are said one by one.
struct HandMadeRow: RowValues {
  let values: [Value]

  func value(_ column: Int) -> Value { values[column] }
}

/// A predicate and the shops it is true of.
struct Fact: CustomTestStringConvertible, Sendable {
  let text: String
  let rows: [Int]

  init(_ text: String, _ rows: Int...) {
    self.text = text
    self.rows = rows
  }

  var testDescription: String { text }
}
