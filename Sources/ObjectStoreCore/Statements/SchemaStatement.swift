internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Turns a statement that changes the schema into a declaration, checked against a schema. It writes nothing.
struct SchemaStatement {
  let syntax: SchemaStatementSyntax
  let source: String

  /// The declaration that makes the change in a file with this schema.
  ///
  /// - Throws: `QueryError` for names that are not there or are taken, types, defaults and indexes that do not fit.
  func declaration(in schema: Schema) throws -> SchemaDeclaration {
    switch syntax {
    case .createIndex(let index): return try creating(index, in: schema)
    case .dropIndex(let index): return try dropping(index, in: schema)
    case .addProperty(let entity, let declared): return try adding(declared, to: entity, in: schema)
    case .changeProperty(let entity, let declared): return try changing(declared, of: entity, in: schema)
    case .dropProperty(let entity, let path):
      let (owner, _) = try property(path, of: entity, in: schema)
      return removing(.property(entity: owner.name, path: path.text))
    case .renameProperty(let entity, let path, let name):
      let (_, place) = try property(path, of: entity, in: schema)
      let siblings = schema.structure(named: place.structure)?.properties.map(\.name) ?? []
      try refuse(name, ifIn: siblings, of: place.structure)
      return try declaring(schema.renaming(place, to: name.text), changing: schema, at: name.range)
    case .renameEntity(let name, let new):
      let entity = try self.entity(name, in: schema)
      try refuse(new, ifIn: (schema.entities + schema.embedded).map(\.name), of: "the store")
      return try declaring(schema.renamingEntity(entity.name, to: new.text), changing: schema, at: new.range)
    case .dropEntity(let name): return removing(.entity(try entity(name, in: schema).name))
    }
  }

  /// The error in an open transaction, which has one schema from its beginning to its end.
  static func misplaced(_ source: String) -> QueryError {
    QueryError(
      source: source,
      Diagnostic(
        code: .transactionOpen, message: "the schema is not changed within a transaction", range: nil,
        notes: [
          "COMMIT or ROLLBACK first: each change of the schema commits by itself; 'objquery migrate STORE --schema FILE' makes "
            + "several at once"
        ]))
  }

  private func removing(_ part: SchemaPart) -> SchemaDeclaration {
    SchemaDeclaration(Schema(), removing: [part.description])
  }

  /// The reasons against the change, with the command that removes all parts which can only go together: a statement
  /// names one.
  func advising(_ problems: [String], in schema: Schema) -> [String] {
    let part: SchemaPart
    switch syntax {
    case .dropProperty(let entity, let path): part = .property(entity: entity.text, path: path.text)
    case .dropEntity(let name): part = .entity(name.text)
    case .createIndex, .dropIndex, .addProperty, .changeProperty, .renameProperty, .renameEntity: return problems
    }
    guard let first = problems.first, let names = SchemaRemoval.complete(part.description, from: schema),
      names.count > 1
    else {
      return problems
    }
    let command = "objquery drop STORE \(names.joined(separator: " "))"
    return ["\(first); a statement names one part: '\(command)' removes them together"] + problems.dropFirst()
  }

  /// The declaration of a changed schema, unless the change makes it invalid.
  private func declaring(
    _ new: Schema, changing old: Schema, at range: SourceRange
  ) throws(QueryError) -> SchemaDeclaration {
    let known = Set(old.validate().map(\.message))
    let errors = new.validate().filter { $0.severity == .error && !known.contains($0.message) }
    guard errors.isEmpty else {
      throw QueryError(
        source: source,
        diagnostics: errors.prefix(DiagnosticError.most).map { error in
          var error = error
          error.range = range
          if error.code == .wrongIndex { error.notes = ["an index without USING is over values of any type"] }
          return error
        })
    }
    return SchemaDeclaration(new)
  }

  // MARK: Indexes

  private func creating(_ index: IndexedPathsSyntax, in schema: Schema) throws -> SchemaDeclaration {
    let entity = try self.entity(index.entity, in: schema)
    for path in index.paths { _ = try property(path, of: index.entity, in: schema) }
    let made = Index(kind: try kind(of: index) ?? .ordered, paths: index.paths.map(\.text))
    if entity.indexes.contains(made) {
      throw failure(
        .duplicateIndex, "\(entity.name) has \(made.kind.title) (\(made.paths.joined(separator: ", "))) already",
        index.range)
    }
    return try declaring(schema.adding(made, to: entity.name), changing: schema, at: index.range)
  }

  private func dropping(_ index: IndexedPathsSyntax, in schema: Schema) throws -> SchemaDeclaration {
    let entity = try self.entity(index.entity, in: schema)
    let kind = try kind(of: index)
    let paths = index.paths.map(\.text)
    let found = entity.indexes.filter { $0.paths == paths && (kind == nil || $0.kind == kind) }
    if found.count == 1 { return removing(.index(entity: entity.name, found[0])) }
    if found.isEmpty {
      let others = entity.indexes.map { $0.statement(of: entity.name) }
      throw failure(
        .unknownIndex, "\(entity.name) has no such index", index.range,
        notes: [others.isEmpty ? "it has none" : "it has " + others.joined(separator: "; ")])
    }
    throw failure(
      .unknownIndex, "\(entity.name) has several indexes on these properties", index.range,
      notes: [
        "say which with USING: " + found.map { "'USING \($0.kind.statementWord)'" }.joined(separator: " or ")
      ])
  }

  /// The kind of index that UNIQUE or USING names; nil without either.
  private func kind(of index: IndexedPathsSyntax) throws(QueryError) -> IndexKind? {
    if index.isUnique { return .unique }
    guard let name = index.kind else { return nil }
    let word = name.text.lowercased()
    let kinds = IndexKind.declarable
    let meant = kinds.first { kind in
      [kind.statementWord, kind.rawValue, kind.attribute].contains { $0.lowercased() == word }
    }
    if let kind = meant {
      guard let instead = kind.unbuilt else { return kind }
      throw failure(
        .unsupported, "there are no indexes of the kind '\(name.text)' yet", name.range, notes: [instead])
    }
    let words = IndexKind.built.map(\.statementWord)
    let near = Suggestion.nearest(to: name.text, among: words)
    throw failure(
      .unknownIndexKind, "there is no kind of index '\(name.text)'", name.range,
      notes: ["the kinds are " + IndexKind.built.map { "\($0.statementWord) (\($0.purpose))" }.joined(separator: ", ")],
      fixes: near.map { [Fix(message: "write '\($0)'", range: name.range, replacement: $0)] } ?? [])
  }

  // MARK: Properties

  private func adding(
    _ declared: PropertyDeclarationSyntax, to name: NameSyntax, in schema: Schema
  ) throws -> SchemaDeclaration {
    var structure = try entity(name, in: schema)
    let outer = PropertyPathSyntax(Array(declared.path.names.dropLast()))
    if !outer.names.isEmpty {
      let (_, place) = try property(outer, of: name, in: schema)
      let type = schema.structure(named: place.structure)?.property(named: place.property)?.type
      guard let inner = type?.embeddedStructure.flatMap({ schema.structure(named: $0) }) else {
        throw failure(
          .typeMismatch, "'\(outer.text)' is not a struct, so it has no properties of its own", outer.range)
      }
      structure = inner
    }
    guard let last = declared.path.names.last else { return SchemaDeclaration(schema) }
    try refuse(last, ifIn: structure.properties.map(\.name), of: structure.name)
    let (type, isOptional) = try self.type(declared.type, in: schema)
    var property = Property(name: last.text, type: type, isOptional: isOptional)
    try set(declared.initialValue, of: &property, in: schema)
    return try declaring(
      schema.setting(property, of: structure.name), changing: schema, at: declared.initialValue?.range ?? last.range)
  }

  private func changing(
    _ declared: PropertyDeclarationSyntax, of name: NameSyntax, in schema: Schema
  ) throws -> SchemaDeclaration {
    let (_, place) = try property(declared.path, of: name, in: schema)
    guard let old = schema.structure(named: place.structure)?.property(named: place.property) else {
      return SchemaDeclaration(schema)
    }
    let (type, isOptional) = try self.type(declared.type, in: schema)
    guard old.type.becomes(type) else {
      let path = declared.path.text
      throw failure(
        .typeMismatch, "values of type \(old.type.text) do not become \(type.text) by themselves", declared.type.range,
        notes: [
          "add a property beside it ('ALTER \(name.text) ADD \(path)2: \(type.text)?'), set it with UPDATE, drop "
            + "'\(path)' and rename the new one"
        ])
    }
    var property = old
    (property.type, property.isOptional) = (type, isOptional)
    if declared.initialValue != nil {
      (property.defaultValue, property.generatedDefault) = (nil, nil)
      try set(declared.initialValue, of: &property, in: schema)
    } else if old.type != type || old.isOptional != isOptional {
      property.defaultValue = property.converting(old.defaultValue, in: schema)
      if let generated = property.generatedDefault, type != .scalar(generated.type) { property.generatedDefault = nil }
    }
    return try declaring(
      schema.setting(property, of: place.structure), changing: schema,
      at: declared.initialValue?.range ?? declared.type.range)
  }

  private func type(
    _ type: PropertyTypeSyntax, in schema: Schema
  ) throws(QueryError) -> (type: PropertyType, isOptional: Bool) {
    if type.text.hasPrefix("LinkingObjects<") {
      throw failure(
        .unsupported, "an inverse is not added by a statement", type.range,
        notes: ["declare it in schema text, and give it with 'objquery migrate STORE --schema FILE'"])
    }
    let written = Array(
      source.utf8.dropFirst(type.range.lowerBound).prefix(type.range.upperBound - type.range.lowerBound))
    let isCanonical = written.elementsEqual(type.text.utf8)
    do { return try SchemaText.type(type.text, in: schema) } catch {
      // Ranges are those of the canonical text.
      func moved(_ range: SourceRange) -> SourceRange {
        guard isCanonical else { return type.range }
        let start = type.range.lowerBound
        return SourceRange(range.lowerBound + start, range.upperBound + start)
      }
      var error = error
      error.source = source
      for place in error.diagnostics.indices {
        error.diagnostics[place].range = moved(error.diagnostics[place].range ?? SourceRange(0, type.text.utf8.count))
        for fix in error.diagnostics[place].fixes.indices {
          error.diagnostics[place].fixes[fix].range = moved(error.diagnostics[place].fixes[fix].range)
        }
        if !isCanonical { error.diagnostics[place].fixes = [] }
        guard error.diagnostics[place].code == .unknownType, let meant = Self.typesOfSQL[type.bareName.lowercased()]
        else {
          continue
        }
        error.diagnostics[place].notes = ["write '\(meant)'"]
        error.diagnostics[place].fixes = []
      }
      throw error
    }
  }

  /// What the types of SQL are called here.
  private static let typesOfSQL = [
    "integer": "Int", "bigint": "Int", "smallint": "Int16", "tinyint": "Int8", "text": "String", "varchar": "String",
    "char": "String", "real": "Double", "float8": "Double", "numeric": "Decimal", "boolean": "Bool",
    "timestamp": "Date", "datetime": "Date", "blob": "Data", "bytea": "Data",
  ]

  /// Gives a property the default that is written.
  private func set(
    _ initial: PropertyDefaultSyntax?, of property: inout Property, in schema: Schema
  ) throws(QueryError) {
    guard let initial else { return }
    switch initial.kind {
    case .now: property.generatedDefault = .now
    case .uuid: property.generatedDefault = .uuid
    case .value(.null): property.defaultValue = .null
    case .value(let value):
      guard let column = property.column(in: schema) else {
        // Validation says what a struct's or a link's default may be.
        property.defaultValue = value
        return
      }
      guard let kept = column.converted(value) else {
        let mismatch = column.mismatch(value)
        throw failure(
          .wrongDefault, "'\(property.name)' \(mismatch.message)", initial.range, notes: mismatch.notes)
      }
      property.defaultValue = kept
    }
  }

  // MARK: Names

  private func entity(_ name: NameSyntax, in schema: Schema) throws(QueryError) -> Entity {
    if let entity = schema.entity(named: name.text) { return entity }
    let names = schema.entities.map(\.name)
    let near = Suggestion.nearest(to: name.text, among: names)
    let isStruct = schema.structure(named: name.text) != nil
    let listing = names.isEmpty ? "the store has none" : "the store has \(names.listed)"
    throw failure(
      .unknownEntity, isStruct ? "'\(name.text)' is a struct within objects" : "there is no entity '\(name.text)'",
      name.range,
      notes: isStruct
        ? ["its properties are reached through those of an entity, as in 'ALTER Quake ADD location.depth: Double?'"]
        : [(near.map { "did you mean '\($0)'? " } ?? "") + listing],
      fixes: near.map { [Fix(message: "write '\($0)'", range: name.range, replacement: $0)] } ?? [])
  }

  /// The entity, and the property at a path in the structure that declares it.
  private func property(
    _ path: PropertyPathSyntax, of name: NameSyntax, in schema: Schema
  ) throws(QueryError) -> (entity: Entity, place: PropertyPlace) {
    let entity = try entity(name, in: schema)
    if let place = schema.place(at: path.text, of: entity.name) { return (entity, place) }
    // The first name that is not there.
    var structure = entity
    for name in path.names {
      if let property = structure.property(named: name.text) {
        guard let inner = property.type.embeddedStructure.flatMap({ schema.structure(named: $0) }) else {
          throw failure(
            .unknownProperty, "'\(name.text)' is of type \(property.typeText), so nothing is within it", path.range)
        }
        structure = inner
        continue
      }
      let names = structure.properties.map(\.name)
      let near = Suggestion.nearest(to: name.text, among: names)
      throw failure(
        .unknownProperty, "\(structure.name) has no property '\(name.text)'", name.range,
        notes: [(near.map { "did you mean '\($0)'? " } ?? "") + "\(structure.name) has \(names.listed)"],
        fixes: near.map { [Fix(message: "write '\($0)'", range: name.range, replacement: $0)] } ?? [])
    }
    throw failure(.unknownProperty, "\(entity.name) has no property '\(path.text)'", path.range)
  }

  private func refuse(_ name: NameSyntax, ifIn names: [String], of owner: String) throws(QueryError) {
    guard names.contains(name.text) else { return }
    throw failure(
      .nameInUse, "\(owner) has '\(name.text)' already", name.range, notes: ["choose another name"])
  }

  private func failure(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) -> QueryError {
    QueryError(
      source: source, Diagnostic(code: code, message: message, range: range, notes: notes, fixes: fixes))
  }
}

extension [String] {
  /// At most 20 names.
  fileprivate var listed: String {
    prefix(20).joined(separator: ", ") + (count > 20 ? " and \(count - 20) more" : "")
  }
}

extension Property {
  /// The column of its values, as in an entity of its own; nil for structs and links.
  fileprivate func column(in schema: Schema) -> StoredColumn? {
    switch type {
    case .scalar, .array, .set, .dictionary: break
    case .embedded, .embeddedList, .link, .list, .linkingObjects: return nil
    }
    let plain = Property(name: name, type: type, isOptional: isOptional)
    let column = schema.columns(of: Entity(name: "", properties: [plain])).first
    return column.map { StoredColumn(number: 0, column: $0, defaultAtCreation: $0.defaultValue) }
  }

  /// A default of another type as one of this type; nil if it has no counterpart.
  fileprivate func converting(_ value: Value?, in schema: Schema) -> Value? {
    guard let value else { return nil }
    if value.isNull { return isOptional ? .null : nil }
    guard let column = column(in: schema) else { return value }
    if case .bool(let flag) = value, column.scalarType.isInteger { return .int(flag ? 1 : 0) }
    return column.converted(value)
  }
}

extension Index {
  /// The index as in a statement: `Quake (net, time) USING folded`.
  fileprivate func statement(of entity: String) -> String {
    let name = kind == .unique ? "UNIQUE INDEX" : "INDEX"
    let using = kind.isOverValues ? "" : " USING \(kind.statementWord)"
    return "\(name) ON \(entity) (\(paths.joined(separator: ", ")))\(using)"
  }
}

extension PropertyTypeSyntax {
  /// The name of the type, without `?`.
  fileprivate var bareName: String { text.hasSuffix("?") ? String(text.dropLast()) : text }
}
