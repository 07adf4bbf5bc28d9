import ObjectStoreCore

/// The words of statements that change the schema.
extension Completer {
  /// The words that can follow in such a statement; nil in any other.
  func schemaCandidates(after tokens: [String], _ schema: Schema) -> [String]? {
    let tokens = tokens.first?.uppercased() == "EXPLAIN" ? Array(tokens.dropFirst()) : tokens
    let upper = tokens.map { $0.uppercased() }
    guard let verb = upper.first, let last = upper.last else { return nil }
    let names = schema.entities.map(\.name)
    switch verb {
    // An entity of such a name is followed by a clause.
    case _ where tokens.count == 1 && names.contains(tokens[0]): return nil
    case "CREATE" where last == verb: return ["INDEX ON", "UNIQUE INDEX ON"]
    case "DROP" where last == verb: return ["INDEX ON", "UNIQUE INDEX ON", "ENTITY"]
    case "DROP" where last == "ENTITY": return names
    case "CREATE", "DROP": return indexCandidates(after: tokens, upper, schema)
    case "RENAME": return tokens.count == 1 ? names : tokens.count == 2 ? ["TO"] : []
    case "ALTER": return tokens.count == 1 ? names : alterationCandidates(after: tokens, upper, schema)
    default: return nil
    }
  }

  private func indexCandidates(after tokens: [String], _ upper: [String], _ schema: Schema) -> [String] {
    switch upper.last {
    case "UNIQUE": return ["INDEX ON"]
    case "INDEX": return ["ON"]
    case "ON": return schema.entities.map(\.name)
    case ")": return upper.contains("UNIQUE") ? [] : ["USING"]
    case "USING": return IndexKind.built.map(\.statementWord)
    case "(", ",":
      guard let on = upper.firstIndex(of: "ON"), on + 1 < tokens.count else { return [] }
      return Self.properties(of: tokens[on + 1], schema)
    default: return []
    }
  }

  private func alterationCandidates(after tokens: [String], _ upper: [String], _ schema: Schema) -> [String] {
    guard tokens.count > 2 else { return ["ADD", "DROP PROPERTY", "RENAME", "ALTER PROPERTY"] }
    let rest = upper[3...]
    let types =
      ScalarType.allCases.map(\.rawValue) + ["Link<", "List<", "Set<", "["] + schema.embedded.map(\.name)
    switch upper[2] {
    case "ADD": return rest.last == ":" ? types : []
    case "DROP", "ALTER":
      if rest.isEmpty { return ["PROPERTY"] }
      if rest.count == 1 { return Self.properties(of: tokens[1], schema) }
      return upper[2] == "ALTER" && (rest.count == 2 || rest.last == ":") ? types : []
    case "RENAME":
      return rest.isEmpty ? Self.properties(of: tokens[1], schema) : rest.count == 1 ? ["TO"] : []
    default: return []
    }
  }

  /// The paths of an entity's properties, those of structs included.
  private static func properties(of name: String, _ schema: Schema) -> [String] {
    guard let entity = schema.entity(named: name) else { return [] }
    return schema.columns(of: entity).filter { $0.kind != .presence && $0.kind != .presences }.map(\.path)
  }
}
