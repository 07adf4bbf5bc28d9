import Values

/// Statements that change the schema.
extension Printer {
  mutating func print(_ change: SchemaStatementSyntax) {
    switch change {
    case .createIndex(let index): print("CREATE", index)
    case .dropIndex(let index): print("DROP", index)
    case .addProperty(let entity, let declaration):
      begin("ALTER", entity, "ADD")
      print(declaration)
    case .changeProperty(let entity, let declaration):
      begin("ALTER", entity, "ALTER PROPERTY")
      print(declaration)
    case .dropProperty(let entity, let path):
      begin("ALTER", entity, "DROP PROPERTY")
      print(path)
    case .renameProperty(let entity, let path, let name):
      begin("ALTER", entity, "RENAME")
      print(path)
      output += " TO "
      printTarget(name.text)
    case .renameEntity(let entity, let name):
      begin("RENAME", entity, "TO")
      printTarget(name.text)
    case .dropEntity(let entity):
      output += "DROP ENTITY "
      printTarget(entity.text)
    }
  }

  private mutating func begin(_ verb: String, _ entity: NameSyntax, _ words: String) {
    output += verb + " "
    printTarget(entity.text)
    output += " " + words + " "
  }

  private mutating func print(_ verb: String, _ index: IndexedPathsSyntax) {
    output += verb + (index.isUnique ? " UNIQUE INDEX ON " : " INDEX ON ")
    printTarget(index.entity.text)
    output += " ("
    for (place, path) in index.paths.enumerated() {
      if place > 0 { output += ", " }
      print(path)
    }
    output += ")"
    if let kind = index.kind { output += " USING " + kind.text }
  }

  private mutating func print(_ path: PropertyPathSyntax) {
    for (place, name) in path.names.enumerated() {
      if place > 0 { output += "." }
      printTarget(name.text)
    }
  }

  private mutating func print(_ declaration: PropertyDeclarationSyntax) {
    print(declaration.path)
    output += ": " + declaration.type.text
    switch declaration.initialValue?.kind {
    case .value(let value)?:
      output += " = "
      printJSON(value)
    case .now?: output += " = now()"
    case .uuid?: output += " = uuid()"
    case nil: break
    }
  }
}
