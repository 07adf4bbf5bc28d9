import ObjectStoreCore
internal import PredicateLanguage

/// What the command adds to the messages of the language: what can be written and typed here.
enum Advice {
  /// Examples with the names of a store; nil if it has no entity with a single value.
  ///
  /// - Parameter entity: The entity to take, if it is there.
  static func example(of schema: Schema, preferring entity: String?) -> StatementExample? {
    let preferred = entity.flatMap(schema.entity(named:)).map { [$0] } ?? []
    return (preferred + schema.entities).lazy.compactMap { example(of: $0) }.first
  }

  private static func example(of entity: Entity) -> StatementExample? {
    func first(_ isWanted: (ScalarType) -> Bool) -> String? {
      entity.properties.first { property in
        // Names that the language would have to escape are no good examples.
        guard case .scalar(let type) = property.type, isWanted(type) else { return false }
        return (try? StatementParser.statement("A SORT BY \(property.name)")) != nil
          && (try? StatementParser.statement("A WHERE \(property.name) != nil")) != nil
      }?.name
    }
    let number = first(\.isNumeric)
    let text = first { $0 == .string }
    guard let key = number ?? text ?? first({ _ in true }) else { return nil }
    let condition = number.map { "\($0) > 5" } ?? text.map { "\($0) CONTAINS 'x'" } ?? "\(key) != nil"
    let columns = [text, number].compactMap(\.self)
    let example = StatementExample(
      entity: entity.name, condition: condition, key: key,
      columns: columns.isEmpty ? key : columns.joined(separator: ", "))
    let statement = "\(example.entity) WHERE \(example.condition) SORT BY \(example.key) SELECT \(example.columns)"
    return (try? StatementParser.statement(statement)) == nil ? nil : example
  }

  /// How a value is given to the placeholder that lacks one.
  static func value(for placeholder: String) -> String {
    let name = placeholder.drop { $0 == "$" || $0 == ":" }
    guard name.count < placeholder.count, name.first?.isNumber == false else {
      return
        "values come with --arg VALUE, in order; one with a name, such as $x, with -p x=VALUE or .param set x=VALUE"
    }
    return "it gets a value with -p \(name)=VALUE, or .param set \(name)=VALUE"
  }
}

extension Session {
  /// An error with what can be done about it in the command.
  func advised(_ error: DiagnosticError) -> DiagnosticError {
    var error = error
    let bytes = Array(error.source.utf8)
    for index in error.diagnostics.indices where error.diagnostics[index].code == .missingArgument {
      guard let range = error.diagnostics[index].range, range.upperBound <= bytes.count else { continue }
      let placeholder = String(decoding: bytes[range.lowerBound..<range.upperBound], as: UTF8.self)
      error.diagnostics[index].notes.append(Advice.value(for: placeholder))
    }
    return error
  }
}
