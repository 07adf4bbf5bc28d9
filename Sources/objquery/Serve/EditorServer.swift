internal import Diagnostics
import ObjectStoreCore
internal import PredicateLanguage
import Synchronization

/// Answers what an editor asks while a statement is written: it runs no statement, and does not wait for one that runs.
final class EditorServer: Sendable {
  /// What texts are judged by.
  struct Context: Sendable {
    var store: Store
    var definitions: [String: PredicateSyntax]

    init(_ session: Session) {
      store = session.store
      definitions = session.statements.definitions
    }
  }

  private let held: Mutex<Context>

  /// As of the last statement.
  var context: Context {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  init(_ session: Session) { held = Mutex(Context(session)) }

  /// The answer to a request as JSON.
  func result(of request: ServedRequest) throws -> String {
    let text = try request.parameters.requiredText("text")
    let entity = try request.parameters.text("entity")
    switch request.method {
    case .complete: return try complete(text, entity, request.parameters)
    case .parse: return try parse(text, entity)
    case .format: return try format(text, entity)
    case .info, .open, .run, .next, .close, .cancel, .explain, .schema, .describe, .watch, .unwatch, .shutdown:
      throw ResponseError(.internal, "\(request.method.rawValue) is not done beside statements")
    }
  }

  // MARK: Completion

  private func complete(_ text: String, _ entity: String?, _ parameters: RequestParameters) throws -> String {
    let source = SourceText(text)
    let position = try position(source, length: text.utf8.count, parameters)
    let before = String(decoding: Array(text.utf8).prefix(position), as: UTF8.self)
    let context = context
    let schema = try context.store.schema
    let completer = Completer(
      schema: { schema }, defaultEntity: { entity }, names: { context.definitions.keys.sorted() },
      values: { FrequentValues(context.store).values(of: $1, in: $0, beginning: $2) })
    // Commands of the shell are not for a server, and would name files.
    let isCommand = StatementParser.split(before).last?.kind == .command
    let completion = isCommand ? Completer.Completion(word: "", candidates: []) : completer.complete(before)
    let items = completion.candidates.map { candidate in
      var members = JSONMembers()
      members.add("text", .string(candidate))
      members.add("kind", .string(CandidateKind(candidate, in: completion, schema).rawValue))
      return members.object
    }
    var range = JSONMembers()
    range.add(SourceRange(position - completion.word.utf8.count, position), in: source)
    var members = JSONMembers()
    members.add("range", raw: range.object)
    members.add("items", raw: "[\(items.joined(separator: ","))]")
    return members.object
  }

  /// The place of the cursor in UTF-8.
  private func position(
    _ source: SourceText, length: Int, _ parameters: RequestParameters
  ) throws(ResponseError) -> Int {
    let bytes = try parameters.number("position", in: 0...Int.max)
    let units = try parameters.number("positionUTF16", in: 0...Int.max)
    let wrong: String
    switch (bytes, units) {
    case (let bytes?, nil) where bytes <= length: return bytes
    case (nil, let units?):
      if let bytes = source.utf8Offset(ofUTF16: units) { return bytes }
      wrong = "'positionUTF16' is beyond the text, or within a character"
    case (_?, nil): wrong = "'position' is beyond the text"
    case (nil, nil): wrong = "complete needs 'position' or 'positionUTF16'"
    case (_?, _?): wrong = "complete has one of 'position' and 'positionUTF16', not both"
    }
    throw ResponseError(.invalidParameters, wrong)
  }

  // MARK: Parsing

  private func parse(_ text: String, _ entity: String?) throws -> String {
    let source = SourceText(text)
    let context = context
    let names = Set(try context.store.schema.entities.map(\.name))
    let tokens = StatementParser.tokens(of: text, entities: names).map { token in
      var members = JSONMembers()
      members.add("kind", .string(token.kind.rawValue))
      members.add(token.range, in: source)
      return members.object
    }
    var statements: [String] = []
    var diagnostics: [Diagnostic] = []
    let session = StatementSession(context.store)
    session.definitions = context.definitions
    session.defaultEntity = entity
    for piece in StatementParser.split(text) {
      var members = JSONMembers()
      members.add("kind", .string(piece.kind == .command ? "command" : "statement"))
      members.add(piece.range, in: source)
      members.add("complete", .bool(piece.isComplete))
      statements.append(members.object)
      guard piece.kind == .statement else { continue }
      diagnostics += Self.diagnostics(of: piece.text, in: session).map { $0.moved(into: piece) }
    }
    let shown = diagnostics.map { ResponseError.renderer.json($0, source: text) }
    var members = JSONMembers()
    members.add("tokens", raw: "[\(tokens.joined(separator: ","))]")
    members.add("statements", raw: "[\(statements.joined(separator: ","))]")
    members.add("diagnostics", raw: "[\(shown.joined(separator: ","))]")
    return members.object
  }

  /// The errors and warnings of a statement, which is not run. Names and types are those of the store.
  private static func diagnostics(of text: String, in session: StatementSession) -> [Diagnostic] {
    do {
      let statement = try StatementParser.statement(text, defaultEntity: session.defaultEntity)
      switch statement {
      case .define:
        // Later statements may use the name.
        try session.run(statement, source: text)
        return []
      case .select, .count, .explain, .delete, .update, .insert, .begin, .commit, .rollback, .schema:
        return try session.warnings(of: statement, source: text, cancellation: Cancellation(after: .seconds(5)))
      }
    } catch let error as DiagnosticError {
      // The values of placeholders come when it is run.
      return error.diagnostics.filter { $0.code != .missingArgument }
    } catch {
      // The store cannot be read; whoever runs the statement hears of it.
      return []
    }
  }

  // MARK: Formatting

  private func format(_ text: String, _ entity: String?) throws -> String {
    let bytes = Array(text.utf8)
    let source = SourceText(text)
    let comments = StatementParser.tokens(of: text).filter { $0.kind == .comment }.map(\.range)
    var formatted = ""
    var kept: [String] = []
    var end = 0
    for piece in StatementParser.split(text) {
      formatted += String(decoding: bytes[end..<piece.range.lowerBound], as: UTF8.self)
      end = piece.range.upperBound
      // The printer knows no comments, and none may get lost.
      let hasComments = comments.contains {
        $0.lowerBound >= piece.range.lowerBound && $0.upperBound <= piece.range.upperBound
      }
      if piece.kind == .command || hasComments {
        formatted += piece.text
        var range = JSONMembers()
        range.add(piece.range, in: source)
        kept.append(range.object)
        continue
      }
      do {
        formatted += try StatementParser.statement(piece.text, defaultEntity: entity).description
      } catch var error {
        error.source = text
        error.diagnostics = error.diagnostics.map { $0.moved(into: piece) }
        throw error
      }
    }
    formatted += String(decoding: bytes[end...], as: UTF8.self)
    var members = JSONMembers()
    members.add("text", .string(formatted))
    members.add("kept", raw: "[\(kept.joined(separator: ","))]")
    return members.object
  }
}
