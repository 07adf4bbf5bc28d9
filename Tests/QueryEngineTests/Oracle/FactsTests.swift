import Diagnostics
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import Testing
import Values

/// The tables of the language as cases: one line a case, with the rows that the text says it finds, worked out by hand.
/// Both the oracle and every plan of the engine must find them.
struct FactsTests {
  @Test(arguments: LanguageFacts.found.indices)
  func findsWhatTheTablesSay(number: Int) throws {
    let fact = LanguageFacts.found[number]
    let filter = try PredicateParser.filter(fact.query)
    let arguments = Arguments(fact.arguments)
    let oracle = NaiveEvaluator(
      schema: LanguageFacts.schema, entity: LanguageFacts.schema.entities[0], arguments: arguments)
    #expect(try oracle.rows(filter, of: LanguageFacts.objects) == fact.rows, "the oracle: \(fact.query)")
    for store in try FactStore.both {
      let rows = try store.rows(filter, fact.query, arguments)
      #expect(rows == fact.rows, "\(fact.query) \(store.name)")
    }
  }

  @Test(arguments: LanguageFacts.refused)
  func refusesWhatIsAnError(text: String) throws {
    guard let filter = try? PredicateParser.filter(text) else { return }
    let oracle = NaiveEvaluator(schema: LanguageFacts.schema, entity: LanguageFacts.schema.entities[0])
    // What is wrong with a regular expression is for the engine to say.
    if !text.contains("MATCHES") {
      #expect(throws: OracleError.self, "the oracle: \(text)") { try oracle.check(filter) }
    }
    let store = try #require(try FactStore.both.first)
    do {
      _ = try store.rows(filter, text, Arguments())
      Issue.record("\(text) is taken")
    } catch let error as DiagnosticError {
      #expect(!error.diagnostics.contains { $0.code == .unsupported }, "\(text) is only not supported")
    }
  }
}

/// The objects of the facts in a real store.
struct FactStore {
  let name: String
  let file: StoreFile

  /// Without indexes and with them.
  static var both: [FactStore] {
    get throws { try stores.get() }
  }

  private static let stores = Result {
    var indexed = LanguageFacts.schema
    for path in ["i", "d", "f", "s", "b", "t", "p.x"] { indexed.entities[0].indexes.append(Index(paths: [path])) }
    return [try FactStore("without an index", LanguageFacts.schema), try FactStore("with indexes", indexed)]
  }

  private init(_ name: String, _ schema: Schema) throws {
    self.name = name
    file = try StoreFile.inMemory(declaring: schema)
    let paths = schema.columns(of: schema.entities[0]).map(\.path)
    try file.write(timeout: nil) { session in
      guard let entity = session.schema.entity(named: "T") else { return }
      for object in LanguageFacts.objects {
        var row = [Value](repeating: .null, count: entity.columns.count)
        for path in paths { row[entity.column(at: path) ?? 0] = object.values[path] ?? .null }
        _ = try session.insert(row, into: entity)
      }
    }
  }

  /// What every plan finds; more than one answer when they do not agree.
  func rows(_ filter: FilterSyntax, _ text: String, _ arguments: Arguments) throws -> [UInt64] {
    try file.read { snapshot in
      var description = QueryDescription(entity: "T")
      try description.append(filter, SourceContext(source: text, arguments: arguments))
      let query = try CompiledQuery(description, schema: snapshot.schema)
      var answers: [[UInt64]] = []
      let each = (0..<(try query.planCount(in: snapshot))).map { PlannerOptions(access: .enumerated($0)) }
      for options in each + PlannerOptions.everyWay() {
        let plan = try query.plan(in: snapshot, options: options)
        let rows = try plan.objects(in: snapshot).map(\.rawValue)
        if !answers.contains(rows) { answers.append(rows) }
      }
      return answers.flatMap { $0 }
    }
  }
}
