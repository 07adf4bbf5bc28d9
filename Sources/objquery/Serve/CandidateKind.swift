import ObjectStoreCore
internal import PredicateLanguage

/// What a completion is, for the icon that an editor shows beside it.
enum CandidateKind: String, CaseIterable {
  case keyword, entity, property, type, function, aggregate, `operator`, parameter, value

  init(_ candidate: String, in completion: Completer.Completion, _ schema: Schema) {
    let upper = candidate.uppercased()
    // A value ends with its quotation mark.
    if completion.end != " " {
      self = .value
    } else if schema.entity(named: candidate) != nil {
      self = .entity
    } else if candidate.hasPrefix("\"") {
      self = .property
    } else if candidate.hasSuffix("(") {
      self = .function
    } else if candidate.contains("@") {
      self = .aggregate
    } else if candidate.hasPrefix("$") {
      self = candidate.contains(".") ? .property : .parameter
    } else if Comparator(rawValue: upper) != nil || candidate.hasSuffix("[c]") || candidate == "=" {
      self = .operator
    } else if Completer.isKeyword(upper) || upper == "NIL" || Self.ofSchema.contains(upper) {
      self = .keyword
    } else if ScalarType(rawValue: candidate) != nil || candidate.hasSuffix("<") || candidate == "["
      || schema.embedded.contains(where: { $0.name == candidate })
    {
      self = .type
    } else if IndexKind.built.contains(where: { $0.statementWord == candidate }) || candidate == "," {
      self = .keyword
    } else {
      self = .property
    }
  }

  /// The words of statements that change the schema.
  private static let ofSchema: Set<String> = [
    "INDEX ON", "UNIQUE INDEX ON", "ENTITY", "USING", "ON", "TO", "ADD", "DROP PROPERTY", "RENAME", "ALTER PROPERTY",
    "PROPERTY",
  ]
}
