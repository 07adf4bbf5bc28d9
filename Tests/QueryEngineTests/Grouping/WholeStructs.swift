import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Structs behind links, in lists and in structs, and statements that show them as text.
///
/// | City | name | loc | alt | home | boss | tags |
/// | - | - | - | - | - | - | - |
/// | 1 | A | 1 2 | 3 4 | a, spot 7 8 | C | ["x", "yy"] |
/// | 2 | B | 1 2 | nil | nil | nil | [] |
/// | 3 | C | 5 6 | 3 4 | c, spot 7 8 | C | ["X"] |
///
/// | Trip | code | n | marks | legs | lead | near |
/// | - | - | - | - | - | - | - |
/// | 1 | t1 | 1 | x 1 1; y nil | A via A B | A | A B C |
/// | 2 | t2 | 1 | | nil | B | |
/// | 3 | t3 | 2 | x nil | B via | nil | C |
/// | 4 | t4 | 2 | z 1 1 | A via C | A | B A |
struct WholeStructs {
  let file: StoreFile

  static let declaration = """
    @Model struct Point { var latitude: Double; var longitude: Double }
    @Model struct Home { var street: String; var spot: Point }
    @Model struct Mark { var label: String; var at: Point? }
    @Model struct Legs { var to: Link<City>?; var via: List<City> }
    @Model struct City {
      @Attribute(.unique) var name: String
      var loc: Point
      var alt: Point?
      var home: Home?
      var boss: Link<City>?
      var tags: [String]
      @Inverse(\\Trip.lead) var trips: LinkingObjects<Trip>
    }
    @Model struct Trip {
      @Attribute(.unique) var code: String
      var n: Int
      var marks: [Mark]
      var legs: Legs?
      var lead: Link<City>?
      var near: List<City>
    }
    """

  init() throws {
    let schema = try SchemaText.parse(Self.declaration.replacing("\\\\", with: "\\"))
    file = try StoreFile.inMemory(declaring: schema)
    func point(_ latitude: Double?, _ longitude: Double?) -> [Value] {
      [latitude.map(Value.double) ?? .null, longitude.map(Value.double) ?? .null]
    }
    func optional(_ values: [Value]) -> [Value] { [values[0].isNull ? .null : .bool(true)] + values }
    let home = [Value.string("a")] + point(7, 8)
    let cities: [[Value]] = [
      [.string("A")] + point(1, 2) + optional(point(3, 4)) + optional(home) + [
        .int(3), .list([.string("x"), .string("yy")]),
      ],
      [.string("B")] + point(1, 2) + optional(point(nil, nil)) + optional([.null, .null, .null]) + [.null, .list([])],
      [.string("C")] + point(5, 6) + optional(point(3, 4)) + optional([.string("c")] + point(7, 8))
        + [.int(3), .list([.string("X")])],
    ]
    func marks(_ marks: [(String, Double?)]) -> [Value] {
      [
        .int(Int64(marks.count)), .list(marks.map { .string($0.0) }),
        .list(marks.map { $0.1 == nil ? .null : .bool(true) }),
        .list(marks.map { $0.1.map(Value.double) ?? .null }), .list(marks.map { $0.1.map(Value.double) ?? .null }),
      ]
    }
    func links(_ numbers: Int64...) -> Value { .list(numbers.map { .int($0) }) }
    let trips: [[Value]] = [
      [.string("t1"), .int(1)] + marks([("x", 1), ("y", nil)]) + [
        .bool(true), .int(1), links(1, 2), .int(1), links(1, 2, 3),
      ],
      [.string("t2"), .int(1)] + marks([]) + [.null, .null, .null, .int(2), links()],
      [.string("t3"), .int(2)] + marks([("x", nil)]) + [.bool(true), .int(2), links(), .null, links(3)],
      [.string("t4"), .int(2)] + marks([("z", 1)]) + [.bool(true), .int(1), links(3), .int(1), links(2, 1)],
    ]
    try file.write { session in
      for (name, rows) in [("City", cities), ("Trip", trips)] {
        guard let entity = session.schema.entity(named: name) else { continue }
        for row in rows { _ = try session.insert(row, into: entity) }
      }
    }
  }

  private func compiled(_ text: String, _ snapshot: Snapshot) throws -> CompiledRows {
    guard case .select(let select) = try StatementParser.statement(text) else { throw NoRows() }
    let context = SourceContext(source: text)
    var objects = QueryDescription(entity: select.entity?.text ?? "")
    try objects.append(select.filter, context)
    if !select.isGrouped {
      if !select.sortBy.isEmpty { objects.stages.append(.sort(select.sortBy, context)) }
      if !select.distinct.isEmpty { objects.stages.append(.distinct(select.distinct, context)) }
    }
    let rows = RowDescription(
      select: select.select, groupBy: select.groupBy, having: select.having,
      sortBy: select.isGrouped ? select.sortBy : [], distinct: select.isGrouped ? select.distinct : [],
      sectionsBy: select.sectionsBy, context: context)
    return try CompiledRows(objects, rows, schema: snapshot.schema)
  }

  private struct NoRows: Error {}

  /// The rows of a statement, one a line; the same in every plan.
  func rows(_ text: String) throws -> String {
    let snapshot = try file.beginSnapshot()
    let compiled = try compiled(text, snapshot)
    var shown: String?
    for links in LinkAccess.allCases {
      var lines: [String] = []
      try compiled.plan(in: snapshot, options: PlannerOptions(links: links)).found(in: snapshot).forEach { row in
        lines.append(RowTree.values(of: row, compiled.columns).map(Self.text).joined(separator: " "))
        return true
      }
      let text = lines.joined(separator: "\n")
      #expect(shown == nil || shown == text)
      shown = text
    }
    return shown ?? ""
  }

  /// How many aggregates its groups are made with.
  func aggregates(_ text: String) throws -> Int? {
    try compiled(text, try file.beginSnapshot()).objects.rows.grouping?.aggregates.count
  }

  /// What is said of a wrong statement.
  func failure(_ text: String) -> String {
    Failure.text { try compiled(text, try file.beginSnapshot()).objects }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .double(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
    case .string(let text): text
    case .list(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
    case .embedded(let fields): "(" + fields.map { "\($0.name) \(text($0.value))" }.joined(separator: ", ") + ")"
    case .object(let reference): "\(reference.entity)#\(reference.number.rawValue)"
    default: "\(value)"
    }
  }
}

/// Rows as their columns say they are: a struct as one value.
enum RowTree {
  static func values(of flat: [Value], _ columns: [RowColumn]) -> [Value] {
    var rest = flat[...]
    return columns.map { value(of: &rest, $0.content) }
  }

  private static func value(of rest: inout ArraySlice<Value>, _ content: RowColumn.Content) -> Value {
    guard case .structure(let isOptional, let columns) = content else { return rest.popFirst() ?? .null }
    let isThere = isOptional ? rest.popFirst()?.isNull == false : true
    let fields = columns.map { EmbeddedField(name: $0.heading, value: value(of: &rest, $0.content)) }
    return isThere ? .embedded(fields) : .null
  }
}
