import Diagnostics
import ObjectStoreCore
import PredicateLanguage

/// What holds of every script that is run in a session: each statement gives something, or an error whose places lie in
/// its text; as it is printed it does the same; COUNT counts what is found; and the store is whole afterwards.
///
/// How long it takes is bounded by the length of the script: there are few objects, and no more statements are run than
/// some. Shared by the fuzzing target and by the test that runs its corpus. It imports no testing library.
struct StatementProperties {
  /// The store of scripts that change nothing.
  private let unchanged: Store

  init() throws { unchanged = try Self.store() }

  /// What does not hold of `text`; nil when all does.
  func violation(_ text: String) -> String? { outcome(of: text).violation }

  /// What does not hold of `text`, and how many of its statements were no error.
  func outcome(of text: String) -> (violation: String?, answered: Int) {
    // What is inside several SUBQUERYs is asked for each element of all of them.
    guard text.lowercased().split(separator: "subquery", maxSplits: 4).count < 4 else { return (nil, 0) }
    let pieces = StatementParser.split(text).filter { $0.kind == .statement }.prefix(16)
    let statements = pieces.compactMap { piece -> Statement? in
      // What is no statement is the matter of `LanguageProperties`.
      (try? StatementParser.statement(piece.text, defaultEntity: "Quake")).map { Statement(text: piece.text, tree: $0) }
    }
    var answered = 0
    do {
      let store = statements.contains(where: \.isChange) ? try Self.store() : unchanged
      let session = StatementSession(store)
      session.defaultEntity = "Quake"
      for statement in statements {
        if let problem = try violation(statement, session, &answered) {
          return ("\(statement.text)\n\(problem)", answered)
        }
      }
      if session.isInTransaction { try session.rollback() }
      if store === unchanged { return (nil, answered) }
      let report = try store.check()
      return (report.isWhole ? nil : "the store is damaged: \(report.problems)", answered)
    } catch {
      return ("a store failed: \(error)", answered)
    }
  }

  private struct Statement {
    let text: String
    let tree: StatementSyntax
    var printed: String { tree.description }

    var isChange: Bool {
      switch tree {
      case .insert, .update, .delete: true
      default: false
      }
    }

    /// Whether it is the same at another moment.
    var isTimeless: Bool { !printed.contains("now(") }
  }

  // MARK: One statement

  private func violation(
    _ statement: Statement, _ session: StatementSession, _ answered: inout Int
  ) throws -> String? {
    do {
      var problem: String?
      switch statement.tree {
      case .select(let select): problem = try violation(select, statement, session)
      case .count:
        let count = try Self.answer(statement.tree, statement.text, session)
        problem = try printedDiffers(statement, from: count, session)
      case .insert, .update, .delete: problem = try violationOfChange(statement, session)
      case .explain, .begin, .commit, .rollback, .define, .schema:
        _ = try Self.answer(statement.tree, statement.text, session)
      }
      answered += 1
      return problem
    } catch let error as QueryError {
      return Self.violation(error)
    } catch StoreError.constraintViolated {
      return nil
    }
  }

  /// Rows found, counted and found by the printed form.
  private func violation(
    _ select: SelectSyntax, _ statement: Statement, _ session: StatementSession
  ) throws -> String? {
    let found = try Self.answer(statement.tree, statement.text, session)
    _ = try session.warnings(of: statement.tree, source: statement.text, arguments: Self.arguments(of: statement.tree))
    let count = try Self.answer(.count(select), statement.text, session)
    if statement.isTimeless, count != ["\(found.count)"] { return "finds \(found.count), counts \(count)" }
    return try printedDiffers(statement, from: found, session) ?? violationOfArgument(select, statement, session)
  }

  /// A string argument, whatever it contains, finds what the same string finds as a literal of the tree; and in the place
  /// of a name, what that path finds.
  private func violationOfArgument(
    _ select: SelectSyntax, _ statement: Statement, _ session: StatementSession
  ) throws -> String? {
    let placeholders = select.filter.placeholders().map(\.placeholder)
    guard statement.isTimeless, !placeholders.isEmpty else { return nil }
    let argument = String(statement.text.suffix(statement.text.count / 2 + 1))
    var arguments = Arguments()
    for placeholder in placeholders {
      switch placeholder {
      case .sequential(let index, _), .positional(let index):
        guard index < 100 else { return nil }
        while arguments.positional.count <= index { arguments.positional.append(.string(argument)) }
      case .named(let name): arguments.named[name] = .string(argument)
      }
    }
    var writing = WritingOut(argument: argument)
    var written = select
    written.filter = writing.rewrite(select.filter)
    // One may be refused: a literal string can be a date. Other clauses may have placeholders too.
    guard
      case .count(let literal)? = try? session.run(.count(written), source: statement.text),
      case .count(let given)? = try? session.run(.count(select), source: statement.text, arguments: arguments)
    else { return nil }
    if given == literal { return nil }
    return "with the argument \(argument.debugDescription) it counts \(given), with it as a literal \(literal)"
  }

  /// Puts a string in the place of every placeholder.
  private struct WritingOut: SyntaxRewriter {
    let argument: String

    mutating func rewrite(_ expression: ExpressionSyntax) -> ExpressionSyntax {
      guard case .placeholder = expression.kind else { return rewriteChildren(of: expression) }
      return ExpressionSyntax(.literal(.string(argument)), range: expression.range)
    }

    mutating func rewrite(_ path: PathSyntax) -> PathSyntax {
      var result = rewriteChildren(of: path)
      result.steps = result.steps.flatMap { step -> [PathSyntax.Step] in
        guard case .placeholder = step.kind else { return [step] }
        return argument.split(separator: ".", omittingEmptySubsequences: false).map {
          PathSyntax.Step(.name(String($0)))
        }
      }
      return result
    }
  }

  private func printedDiffers(
    _ statement: Statement, from found: [String], _ session: StatementSession
  ) throws -> String? {
    guard statement.isTimeless else { return nil }
    let printed = statement.printed
    do {
      let tree = try StatementParser.statement(printed, defaultEntity: "Quake")
      let again = try Self.answer(tree, printed, session)
      return again == found ? nil : "finds \(found), as \(printed) \(again)"
    } catch let error as QueryError {
      return "\(printed) is refused: \(error)"
    }
  }

  /// A change does what its printed form does; outside of a transaction both are tried, and the second is kept.
  private func violationOfChange(_ statement: Statement, _ session: StatementSession) throws -> String? {
    guard !session.isInTransaction, statement.isTimeless else {
      _ = try Self.answer(statement.tree, statement.text, session)
      return nil
    }
    try session.begin()
    let first: [String]
    do {
      defer { if session.isInTransaction { try? session.rollback() } }
      _ = try Self.answer(statement.tree, statement.text, session)
      first = try Self.content(session)
    }
    let printed = statement.printed
    do {
      let tree = try StatementParser.statement(printed, defaultEntity: "Quake")
      _ = try Self.answer(tree, printed, session)
    } catch let error as QueryError {
      return "\(printed) is refused: \(error)"
    }
    let second = try Self.content(session)
    return first == second ? nil : "leaves \(first), as \(printed) \(second)"
  }

  /// All objects, as text.
  private static func content(_ session: StatementSession) throws -> [String] {
    try ["Quake", "Note"].flatMap { try answer(StatementParser.statement($0), $0, session) }
  }

  /// What a statement gives, as text, a line a row.
  private static func answer(
    _ tree: StatementSyntax, _ text: String, _ session: StatementSession
  ) throws -> [String] {
    switch try session.run(tree, source: text, arguments: arguments(of: tree)) {
    case .objects(let objects): return try objects.objects().map { "\($0.values)" }
    case .rows(let rows): return try rows.rows().map { "\($0)" }
    case .sections(let sections):
      return try sections.sections().flatMap { section in section.rows.map { "\(section.key): \($0)" } }
    case .count(let count): return ["\(count)"]
    case .changed(let changes): return ["\(changes.count)"]
    case .explanation(let explanation): return [explanation.text, explanation.json]
    case .schemaChanged(let changes): return changes.map(\.description)
    case .none: return []
    }
  }

  private static func violation(_ error: QueryError) -> String? {
    if error.diagnostics.isEmpty { return "an error that says nothing" }
    let length = error.source.utf8.count
    for diagnostic in error.diagnostics {
      let ranges = diagnostic.fixes.map(\.range) + [diagnostic.range].compactMap(\.self)
      if ranges.contains(where: { $0.lowerBound < 0 || $0.upperBound > length }) {
        return "a range outside the text: \(diagnostic)"
      }
    }
    return error.description.isEmpty || DiagnosticRenderer().json(error).isEmpty ? "an error renders as nothing" : nil
  }

  // MARK: The store

  /// As many arguments as a statement has places for, as near as its text tells: one too many is an error.
  private static func arguments(of tree: StatementSyntax) -> Arguments {
    let text = tree.description
    let last = (0..<3).last { text.contains("$\($0)") || text.contains("$K\($0)") }
    let count = max(text.utf8.count { $0 == UInt8(ascii: "%") }, last.map { $0 + 1 } ?? 0)
    var arguments = Arguments(
      Array([.int(2), .string("magnitude"), .double(1.5)].prefix(count)),
      named: text.contains("$") ? ["x": .double(1.5), "name": .string("x")] : [:])
    arguments.textTakesType = true
    return arguments
  }

  /// A small store with every kind of property, filled by statements.
  private static func store() throws -> Store {
    let store = try Store.inMemory(schema: try SchemaText.parse(declaration))
    try store.write { transaction in
      for text in objects {
        _ = try transaction.run(try StatementParser.statement(text), source: text)
      }
    }
    return store
  }

  private static let declaration = """
    @Model struct Location { var name: String; var longitude: Double; var latitude: Double }
    @Model struct Note { var body: String = "-"; var number: Int? }
    @Model struct Quake {
      #Index([\\.magnitude], [\\.place, \\.felt])
      @Attribute(.unique) var code: String
      @Attribute(.folded, .trigram) var name: String?
      var magnitude: Double = 1; var time: Date?; var place: String?; var depth: Float?; var felt: Int?
      var flag: Bool = false; var id: UUID?; var bytes: Data?; var tiny: Int8 = 3
      var location: Location?
      var labels: [String]; var ratings: [Int]; var scores: [Double]?; var flags: [Bool]; var days: [Date]
      var tags: Set<String>; var numbers: Set<Int>?; var prices: [String: Double]; var words: [String: String]?
    }
    """

  private static let objects = [
    "INSERT Quake {\"code\": \"a\"}",
    """
    INSERT Quake {"code": "b", "name": "Größe", "magnitude": 6.5, "time": "2020-01-01", "place": "Chile", "depth": 0.1,
    "felt": 5, "flag": true, "id": "00000000-0000-0000-0000-000000000001", "bytes": "AP8=", "tiny": -128,
    "location": {"name": "x", "longitude": 13.4, "latitude": 52.5}, "labels": ["new", "Cheap"], "ratings": [5, 1],
    "scores": [1.5, nan], "flags": [true], "days": ["2020-01-01"], "tags": ["b", "a"], "numbers": [2, 1],
    "prices": {"tea": 2.5, "": 4}, "words": {"a": "b"}}
    """,
    """
    INSERT Quake {"code": "c", "name": "x", "magnitude": nan, "place": "Chile", "felt": 9223372036854775807,
    "ratings": [9223372036854775807, 1, 1], "scores": [], "labels": [""], "prices": {"tea": inf}}
    """,
    "INSERT Note {\"body\": \"x\", \"number\": 2}", "INSERT Note {}",
  ]
}
