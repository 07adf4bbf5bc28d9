import ObjectStoreCore
import PredicateLanguage

/// Runs the examples of the catalogue of diagnostics.
struct DiagnosticExamples {
  /// The models that the examples are of.
  static let schema = """
    @Model struct Location {
      var name: String
      var longitude: Double
      var latitude: Double
    }
    @Model struct Quake {
      @Attribute(.unique) var code: String
      var magnitude: Double
      var time: Date
      var place: String?
      var depth: Float?
      var felt: Int?
      var isReviewed: Bool
      var network: UUID?
      var location: Location?
    }
    @Model struct Aftershock {
      var of: Link<Quake>?
    }
    """

  /// What only the command tells of, of which this module knows nothing; the command's own tests see it.
  static let ofTheCommand: Set<DiagnosticCode> = [.needsYes]

  let store: Store

  init() throws {
    store = try Store.inMemory(schema: try SchemaText.parse(Self.schema))
    _ = try store.run(
      #"INSERT Quake {"code": "q1", "magnitude": 5, "time": "2018-02-07", "felt": 3, "isReviewed": true}"#)
  }

  /// What the example of a code gives; nil when nothing is wrong with it.
  func failure(of code: DiagnosticCode) -> DiagnosticError? {
    do {
      switch code.example {
      case .predicate(let text, let arguments): try predicate(text, Arguments(arguments.map(Value.string)))
      case .statement(let text): try statement(text)
      case .schema(let text): _ = try SchemaText.parse(text)
      case .described: try run(code)
      }
      return nil
    } catch {
      return error as? DiagnosticError
    }
  }

  private func statement(_ text: String) throws {
    let statement = try StatementParser.statement(text)
    let warnings = try StatementSession(store).warnings(of: statement, source: text)
    if !warnings.isEmpty { throw DiagnosticError(source: text, diagnostics: warnings) }
    _ = try store.run(text)
  }

  private func predicate(_ text: String, _ arguments: Arguments = Arguments()) throws {
    let results = try store.objects("Quake").filter(text, arguments: arguments)
    _ = try results.count
    // A warning is thrown here, so that it is shown like an error.
    if !results.warnings.isEmpty { throw DiagnosticError(source: text, diagnostics: results.warnings) }
  }

  /// The examples that are too long to be shown, or are made of no text.
  private func run(_ code: DiagnosticCode) throws {
    switch code {
    case .textTooLong: try predicate("place == '" + String(repeating: "x", count: 1 << 20) + "'")
    case .tooManyNodes: try predicate("felt IN {" + String(repeating: "1,", count: 100_000) + "1}")
    case .nestingTooDeep: try predicate(String(repeating: "(", count: 201) + "felt == 1")
    case .listTooLong:
      try predicate("felt IN %@", Arguments([.list(Array(repeating: .int(1), count: 1_000_001))]))
    case .unknownKeyPath: _ = try Quake.store().objects(Quake.self).sorted(by: \.code.count).count
    case .recursiveDefinition:
      let big = try PredicateParser.predicate("$big AND magnitude > 6")
      _ = try store.run("Quake WHERE $big", definitions: ["big": big])
    case .invalidName: try validate([Property(name: "a.b", type: .scalar(.int))])
    case .emptyIndex: try validate([Property(name: "a", type: .scalar(.int))], [Index(paths: [])])
    case .valueDoesNotFit: _ = try store.run("UPDATE Quake SET felt = felt / 2.0")
    case .transactionOpen: try session("BEGIN", "BEGIN")
    case .noTransaction: try session("COMMIT")
    case .noProperties: try validate([])
    case .indexOfEmbedded:
      let place = Entity(
        name: "Place", properties: [Property(name: "x", type: .scalar(.int))], indexes: [Index(paths: ["x"])])
      try validate([Property(name: "p", type: .embedded("Place"))], embedded: [place])
    case .tooManyColumns:
      var embedded = [Entity(name: "P0", properties: [Property(name: "x", type: .scalar(.int))])]
      for number in 1..<30 {
        let type = PropertyType.embedded("P\(number - 1)")
        embedded.append(
          Entity(name: "P\(number)", properties: ["a", "b"].map { Property(name: $0, type: type) }))
      }
      try validate([Property(name: "p", type: .embedded("P29"))], embedded: embedded)
    default: break
    }
  }

  private func session(_ statements: String...) throws {
    let session = StatementSession(store)
    for statement in statements { _ = try session.run(statement) }
  }

  private func validate(_ properties: [Property], _ indexes: [Index] = [], embedded: [Entity] = []) throws {
    let schema = Schema(
      entities: [Entity(name: "Quake", properties: properties, indexes: indexes)], embedded: embedded)
    let diagnostics = schema.validate()
    if !diagnostics.isEmpty { throw DiagnosticError(source: "", diagnostics: diagnostics) }
  }
}
