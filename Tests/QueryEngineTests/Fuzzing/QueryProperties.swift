import Diagnostics
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import Values

/// What holds of every text that is asked of a store: it gives an answer, or an error whose places lie in it; and the
/// query as the engine prints it gives the same answer.
///
/// Shared by the fuzzing target and by the test that runs its corpus. It imports no testing library.
struct QueryProperties {
  private let file: StoreFile

  /// A small store in memory with every kind of property.
  init() throws {
    file = try StoreFile.inMemory(declaring: Self.schema)
    try file.write { session in
      guard let entity = session.schema.entity(named: "Quake") else { return }
      for row in 0..<3 { _ = try session.insert(Self.values(of: entity, row: row), into: entity) }
    }
  }

  /// What does not hold of `text`; nil when all does.
  func violation(_ text: String) -> String? {
    guard let tree = try? PredicateParser.filter(text) else { return nil }
    do {
      let query = try compile(tree, text)
      let found = try objects(query)
      let printed = query.predicateFormat
      // What an argument or a time gave is in the printed form; only that form is compared with itself.
      let again: CompiledQuery
      do {
        again = try compile(try PredicateParser.filter(printed), printed)
      } catch {
        return "\(printed) does not read back: \(error)"
      }
      if again.predicateFormat != printed { return "\(printed) prints as \(again.predicateFormat)" }
      if !printed.contains("now("), let found, try objects(again) != found { return "\(printed) finds others" }
    } catch let error as DiagnosticError {
      if error.diagnostics.isEmpty { return "an error that says nothing" }
      for diagnostic in error.diagnostics {
        let ranges = diagnostic.fixes.map(\.range) + [diagnostic.range].compactMap(\.self)
        if ranges.contains(where: { $0.lowerBound < 0 || $0.upperBound > text.utf8.count }) {
          return "a range outside the text: \(diagnostic)"
        }
      }
      if error.description.isEmpty { return "an error renders as nothing" }
    } catch {
      return "a store failed: \(error)"
    }
    return nil
  }

  private func compile(_ tree: FilterSyntax, _ text: String) throws -> CompiledQuery {
    let arguments = Arguments(
      (0..<3).map { .int($0) }, named: ["x": .double(1.5), "name": .string("x"), "list": .list([.int(1), .null])])
    let context = SourceContext(
      source: text, arguments: arguments,
      definitions: [
        "big": try PredicateParser.predicate("magnitude > 6 OR $small"),
        "small": PredicateSyntax(.not(PredicateSyntax(.constant(true)))),
      ],
      refusesExtraArguments: false)
    var description = QueryDescription(entity: "Quake")
    try description.append(tree, context)
    return try CompiledQuery(description, schema: try file.beginSnapshot().schema)
  }

  /// The objects found; nil where asking gave an error that depends on the objects.
  private func objects(_ query: CompiledQuery) throws -> [UInt64]? {
    let snapshot = try file.beginSnapshot()
    return try query.plan(in: snapshot).objects(in: snapshot).map { UInt64($0.rawValue) }
  }

  // MARK: The store

  private static let schema = Schema(
    entities: [
      Entity(
        name: "Quake",
        properties: [
          Property(name: "code", type: .scalar(.string)), Property(name: "magnitude", type: .scalar(.double)),
          Property(name: "time", type: .scalar(.date)),
          Property(name: "place", type: .scalar(.string), isOptional: true),
          Property(name: "depth", type: .scalar(.float), isOptional: true),
          Property(name: "felt", type: .scalar(.int), isOptional: true),
          Property(name: "flag", type: .scalar(.bool)), Property(name: "id", type: .scalar(.uuid), isOptional: true),
          Property(name: "bytes", type: .scalar(.data), isOptional: true),
          Property(name: "location", type: .embedded("Location"), isOptional: true),
        ],
        indexes: [Index(paths: ["magnitude"]), Index(paths: ["place", "felt"]), Index(kind: .unique, paths: ["code"])])
    ],
    embedded: [
      Entity(
        name: "Location",
        properties: [
          Property(name: "name", type: .scalar(.string)), Property(name: "longitude", type: .scalar(.double)),
          Property(name: "latitude", type: .scalar(.double)),
        ])
    ])

  /// A row that depends on nothing but its number; of three the last has nil wherever it may.
  private static func values(of entity: StoredEntity, row: Int) -> [Value] {
    entity.columns.map { column in
      if row == 2, column.column.isOptional { return .null }
      guard column.column.kind != .presence else { return .bool(true) }
      switch column.scalarType {
      case .bool: return .bool(row == 0)
      case .int8, .int16, .int32, .int: return .int(Int64(row * 3 - 1))
      case .float: return .float(Float(row) * 1.5 - 1)
      case .double: return .double(Double(row) * 2.5 + 1)
      case .string: return .string("x\(row) Größe")
      case .date: return .date(Instant(seconds: Double(row) * 86_400))
      case .uuid: return .uuid(UUIDBytes(high: UInt64(row), low: 7))
      case .data: return .data([UInt8(row), 255])
      }
    }
  }
}
