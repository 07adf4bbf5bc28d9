import PredicateLanguage
import Schema
import Values

@testable import QueryEngine
@testable import Storage

/// People, tasks and projects that link to each other, few enough to see every answer. Numbers count from 1.
///
/// | Person | name | age | boss | home.city |
/// | - | - | - | - | - |
/// | 1 | Alex | 30 | 2 | 1 |
/// | 2 | Bo | 50 | nil | nil |
/// | 3 | Cy | nil | 3 | 2 |
///
/// | Task | title | priority | isComplete | estimate | assignee | labels | blockers |
/// | - | - | - | - | - | - | - | - |
/// | 1 | draw | 1 | F | 1.5 | 1 | a, b | |
/// | 2 | cut | 5 | T | nil | 1 | | 1 |
/// | 3 | sew | 9 | F | NaN | 2 | a | 1, 2 |
/// | 4 | sell | 10 | T | 4.0 | nil | c | 4 |
/// | 5 | rest | 2 | F | 0.5 | 3 | | |
///
/// | Project | name | tasks | lead | part of |
/// | - | - | - | - | - |
/// | 1 | Coat | 1, 2, 3 | 1 | nil |
/// | 2 | Shop | 4, 2, 4 | nil | 1 |
/// | 3 | Idle | | 3 | 2 |
/// | 4 | Hat | 3 | 2 | 4 |
///
/// | City | name | size |
/// | - | - | - |
/// | 1 | Rome | 3 |
/// | 2 | Oslo | 1 |
struct Works {
  let file: StoreFile

  static let schema: Schema = {
    func link(_ name: String, _ entity: String) -> Property {
      Property(name: name, type: .link(entity), isOptional: true)
    }
    return Schema(
      entities: [
        Entity(
          name: "Person",
          properties: [
            Property(name: "name", type: .scalar(.string)),
            Property(name: "age", type: .scalar(.int), isOptional: true), link("boss", "Person"),
            Property(name: "home", type: .embedded("Home")),
            Property(name: "tasks", type: .linkingObjects(entity: "Task", property: "assignee")),
          ], indexes: [Index(kind: .unique, paths: ["name"])]),
        Entity(
          name: "Task",
          properties: [
            Property(name: "title", type: .scalar(.string)), Property(name: "priority", type: .scalar(.int)),
            Property(name: "isComplete", type: .scalar(.bool)),
            Property(name: "estimate", type: .scalar(.double), isOptional: true), link("assignee", "Person"),
            Property(name: "labels", type: .array(.string)), Property(name: "blockers", type: .list("Task")),
            Property(name: "projects", type: .linkingObjects(entity: "Project", property: "tasks")),
          ], indexes: [Index(paths: ["priority"])]),
        Entity(
          name: "Project",
          properties: [
            Property(name: "name", type: .scalar(.string)), Property(name: "tasks", type: .list("Task")),
            link("lead", "Person"), link("parent", "Project"),
          ]),
        Entity(
          name: "City",
          properties: [
            Property(name: "name", type: .scalar(.string)), Property(name: "size", type: .scalar(.int)),
            Property(name: "sizes", type: .dictionary(.int)), Property(name: "place", type: .embedded("Place")),
          ]),
      ],
      embedded: [
        Entity(name: "Home", properties: [link("city", "City"), Property(name: "street", type: .scalar(.string))]),
        Entity(
          name: "Place",
          properties: [
            Property(name: "longitude", type: .scalar(.double)), Property(name: "latitude", type: .scalar(.double)),
          ]),
      ])
  }()

  init() throws {
    file = try StoreFile.inMemory(declaring: Self.schema)
    func numbers(_ numbers: Int64...) -> Value { .list(numbers.map(Value.int)) }
    func texts(_ texts: String...) -> Value { .list(texts.map(Value.string)) }
    let rows: [(entity: String, rows: [[Value]])] = [
      (
        "City",
        [
          [
            .string("Rome"), .int(3), .embedded([EmbeddedField(name: "old", value: .int(1))]), .double(12.5),
            .double(41.9),
          ],
          [.string("Oslo"), .int(1), .embedded([]), .double(10.75), .double(59.9)],
        ]
      ),
      (
        "Person",
        [
          [.string("Alex"), .int(30), .int(2), .int(1), .string("Via A")],
          [.string("Bo"), .int(50), .null, .null, .string("")],
          [.string("Cy"), .null, .int(3), .int(2), .string("Gate")],
        ]
      ),
      (
        "Task",
        [
          [
            .string("draw"), .int(1), .bool(false), .double(1.5), .int(1), texts("a", "b"), numbers(),
          ],
          [.string("cut"), .int(5), .bool(true), .null, .int(1), texts(), numbers(1)],
          [.string("sew"), .int(9), .bool(false), .double(.nan), .int(2), texts("a"), numbers(1, 2)],
          [.string("sell"), .int(10), .bool(true), .double(4), .null, texts("c"), numbers(4)],
          [.string("rest"), .int(2), .bool(false), .double(0.5), .int(3), texts(), numbers()],
        ]
      ),
      (
        "Project",
        [
          [.string("Coat"), numbers(1, 2, 3), .int(1), .null], [.string("Shop"), numbers(4, 2, 4), .null, .int(1)],
          [.string("Idle"), numbers(), .int(3), .int(2)], [.string("Hat"), numbers(3), .int(2), .int(4)],
        ]
      ),
    ]
    try file.write { session in
      for (name, rows) in rows {
        guard let entity = session.schema.entity(named: name) else { continue }
        for row in rows { _ = try session.insert(row, into: entity) }
      }
    }
  }

  /// A store of the same shape with many objects that depend on nothing but a seed: lists of up to 9 tasks and one of
  /// 3,000, every tenth link nil. So many numbers are left out before each hundred objects.
  init(seed: UInt64, people: Int, tasks: Int, projects: Int, gap: Int64 = 0) throws {
    file = try StoreFile.inMemory(declaring: Self.schema)
    var random = OracleRandom(seed: seed)
    func object(_ place: Int64) -> Int64 { place + (1 + (place - 1) / 100) * gap }
    func link(_ count: Int) -> Value {
      if Int.random(in: 0..<10, using: &random) == 0 { return .null }
      return .int(object(.random(in: 1...Int64(count), using: &random)))
    }
    func links(_ count: Int, _ most: Int) -> Value {
      .list(
        (0..<Int.random(in: 0...most, using: &random)).map { _ in
          .int(object(.random(in: 1...Int64(count), using: &random)))
        })
    }
    try file.write { session in
      func insert(_ name: String, _ count: Int, _ row: (Int) -> [Value]) throws {
        guard let entity = session.schema.entity(named: name) else { return }
        for number in 1...count {
          if gap > 0 { try session.writer(of: entity).skipNumbers(before: UInt64(object(Int64(number)))) }
          _ = try session.insert(row(number), into: entity)
        }
      }
      try insert("City", 40) { number in
        [.string("c\(number)"), .int(Int64(number % 5)), .embedded([]), .double(Double(number)), .double(1)]
      }
      try insert("Person", people) { number in
        [
          .string("p\(number)"), number % 7 == 0 ? .null : .int(Int64(number % 80)), link(people), link(40),
          .string("s\(number % 3)"),
        ]
      }
      try insert("Task", tasks) { number in
        [
          .string("t\(number % 50)"), .int(Int64(number * 7 % 11)), .bool(number % 3 == 0),
          number % 5 == 0 ? .null : number % 17 == 0 ? .double(.nan) : .double(Double(number % 40) / 4), link(people),
          .list(number % 4 == 0 ? [] : [.string("l\(number % 6)")]), links(tasks, 3),
        ]
      }
      try insert("Project", projects) { number in
        let list =
          number == 77
          ? .list((0..<3_000).map { .int(object(Int64($0 * 13 % tasks) + 1)) })
          : number % 9 == 0 ? .list([]) : links(tasks, 9)
        return [.string("j\(number)"), list, link(people), link(projects)]
      }
    }
  }

  func compile(_ entity: String, _ text: String, _ arguments: [Value] = []) throws -> CompiledQuery {
    try Self.compile(entity, text, arguments, in: file)
  }

  /// Compiles a filter for any store.
  static func compile(
    _ entity: String, _ text: String, _ arguments: [Value] = [], in file: StoreFile
  ) throws -> CompiledQuery {
    var description = QueryDescription(entity: entity)
    try description.append(
      try PredicateParser.filter(text), SourceContext(source: text, arguments: Arguments(arguments)))
    return try CompiledQuery(description, schema: try file.beginSnapshot().schema)
  }

  /// The numbers of the objects that every plan finds; a plan that finds others is told of with its number.
  func numbers(_ entity: String, _ text: String, _ arguments: [Value] = []) throws -> [Int] {
    let snapshot = try file.beginSnapshot()
    let query = try compile(entity, text, arguments)
    var found: [Int]?
    for number in 0..<(try query.planCount(in: snapshot)) {
      for links in LinkAccess.allCases {
        let options = PlannerOptions(access: .enumerated(number), links: links)
        let plan = try query.plan(in: snapshot, options: options)
        let numbers = try plan.objects(in: snapshot).map { Int($0.rawValue) }
        let count = try plan.count(in: snapshot)
        if count != numbers.count || numbers != found ?? numbers { return [-1, number] + numbers }
        found = numbers
      }
    }
    return found ?? [-1]
  }

  /// What compiling says of a query.
  func failure(_ entity: String, _ text: String) -> String { Failure.text { try compile(entity, text) } }
}
