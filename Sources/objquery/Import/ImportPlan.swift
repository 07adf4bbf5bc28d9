internal import Diagnostics
import ObjectStoreCore
internal import Schema

/// The changes of an import to the schema, and the column for each field.
struct ImportPlan {
  /// The schema of the whole store after the declaration.
  let schema: Schema
  /// The part of it that the import declares; the store keeps its other parts.
  let declared: Schema
  let entity: Entity
  /// The property that identifies equal objects.
  let key: String?
  /// Sentences for the user on the decisions made.
  let notes: [String]
  /// The schema inferred from the data, to show to the user.
  let shownSchema: String?
  private let paths: [String: String]
  private let dates: [String: DateReading]

  /// - Parameters:
  ///   - existing: The current schema of the store.
  ///   - look: Feeds the data to a type inference; only called when types must be inferred.
  init(
    _ request: ImportRequest, format: ImportFormat, existing: Schema, look: (inout TypeInference) throws -> Void
  ) throws {
    var schema = existing
    var paths = request.renamed
    var dates = request.dates
    var notes: [String] = []
    var isInferred = false
    var declared: Schema?
    if let file = request.schemaFile {
      var text = try SchemaFile.read(file)
      try Self.require(text, request.entity, in: file)
      // A schema text about some entities does not mean that the others were renamed.
      text = text.adding(existing)
      declared = text
      notes = Self.changes(from: existing, to: text)
      schema = SchemaUnion(of: text, into: existing).schema
    } else if existing.entity(named: request.entity) == nil {
      var inference = TypeInference(entityName: request.entity, dates: dates, renamed: request.renamed)
      try look(&inference)
      let found = inference.finish()
      guard !found.entity.properties.isEmpty else {
        throw CommandFailure(description: "\(request.file) has no property that can be stored")
      }
      paths.merge(found.paths) { asked, _ in asked }
      for (path, form) in found.dateForms where dates[path] == nil { dates[path] = .text(form) }
      notes = found.notes
      notes += found.entity.properties.filter { $0.name.lowercased() == "self" }.map {
        "\($0.name): in a query that word is the object itself; write `\($0.name)` for the property"
      }
      schema = Self.add(found, to: existing)
      isInferred = true
    }
    guard var entity = schema.entity(named: request.entity) else {
      throw CommandFailure(description: "the schema has no entity \(request.entity)")
    }
    let columns = schema.columns(of: entity)
    let indexes = entity.indexes
    try Self.addIndexes(request, columns: columns, to: &entity)
    if var text = declared, let place = text.entities.firstIndex(where: { $0.name == entity.name }) {
      text.entities[place].indexes += entity.indexes.filter { !indexes.contains($0) }
      declared = text
    }
    for (source, path) in request.renamed.sorted(by: { $0.key < $1.key }) where !columns.contains(within: path) {
      let absence = isInferred ? ", and no record has '\(source)'" : ""
      throw CommandFailure(
        description: "--map \(source)=\(path): \(entity.name) has no property '\(path)'\(absence)"
          + Self.suggestion(path, columns), status: .usage, code: "usage")
    }
    if format == .geojson, !isInferred {
      let places = Self.placePaths(columns).filter { paths["location"] == nil && paths[$0.key] == nil }
      paths.merge(places) { asked, _ in asked }
      notes +=
        places.isEmpty ? [] : ["the places of the features are \(places.values.sorted().joined(separator: ", "))"]
    }
    for path in request.dates.keys where columns.first(where: { $0.path == path })?.holdsDates != true {
      let there = columns.contains { $0.path == path }
      let problem = there ? "is not a Date in \(request.entity)" : "is not a property of \(request.entity)"
      throw CommandFailure(
        description: "--date \(path): \(path) \(problem)" + Self.suggestion(path, columns), status: .usage,
        code: "usage")
    }
    schema.entities = schema.entities.map { $0.name == entity.name ? entity : $0 }
    self.schema = schema
    self.declared = declared ?? schema
    self.entity = entity
    self.paths = paths
    self.dates = dates
    self.notes = notes
    key = request.key ?? entity.indexes.first { $0.kind == .unique && $0.paths.count == 1 }?.paths.first
    if request.isUpsert, key == nil {
      throw CommandFailure(
        description: "--upsert needs a unique property to know objects by: say --key PROPERTY", status: .usage,
        code: "usage")
    }
    shownSchema =
      isInferred
      ? "\(entity.name): \(counted(entity.properties.count, "property", "properties"))\n\n"
        + SchemaText.print(Self.part(of: schema, entity)) : nil
  }

  /// Where the place of a feature goes in an entity without a property `location`: to the first longitude and latitude,
  /// of a struct if there is one, as they are written.
  private static func placePaths(_ columns: [Column]) -> [String: String] {
    guard !columns.contains(within: "location") else { return [:] }
    func path(_ name: String, in prefix: Substring) -> String? {
      columns.first { $0.path.lowercased() == prefix.lowercased() + name }?.path
    }
    let prefixes = columns.filter { !$0.isCollection && $0.path.lowercased().hasSuffix("longitude") }.map {
      $0.path.dropLast("longitude".count)
    }.filter { ($0.isEmpty || $0.hasSuffix(".")) && path("latitude", in: $0) != nil }
    guard let prefix = prefixes.first(where: { !$0.isEmpty }) ?? prefixes.first else { return [:] }
    var paths = prefix.isEmpty ? [:] : ["location": String(prefix.dropLast())]
    for name in ["longitude", "latitude", "altitude"] { paths["location." + name] = path(name, in: prefix) }
    return paths
  }

  /// The changes a schema text makes by omission: removed delete rules and defaults.
  private static func changes(from existing: Schema, to text: Schema) -> [String] {
    SchemaDifference(from: existing, to: SchemaUnion(of: text, into: existing).schema).changes.compactMap { change in
      switch change {
      case .changedDefault, .changedDeleteRule: change.description
      case .addedEntity, .removedEntity, .renamedEntity, .addedColumn, .removedColumn, .renamedColumn, .changedKind,
        .changedOptionality, .addedProperty, .removedProperty, .renamedProperty, .changedProperty, .addedIndex,
        .removedIndex:
        nil
      }
    }
  }

  /// A builder of rows for the inserter's columns.
  func rows(columns: [Column], nested: NestedRows? = nil) -> RowBuilder {
    let rowSchema = schemaOfRows
    return RowBuilder(
      columns: columns, entity: rowSchema.entity(named: entity.name) ?? entity, schema: rowSchema, paths: paths,
      dates: dates, nested: nested)
  }

  /// The schema as the import declares it, without the other parts of the store.
  var schemaOfRows: Schema {
    Schema(
      entities: schema.entities.map { declared.entity(named: $0.name) ?? $0 },
      embedded: schema.embedded.map { declared.structure(named: $0.name) ?? $0 })
  }

  /// The columns of an entity of the store that the import does not declare.
  func left(of name: String) -> [String] {
    let rows = schemaOfRows
    let known = Set(rows.entity(named: name).map { rows.columns(of: $0).map(\.path) } ?? [])
    let all = schema.entity(named: name).map { schema.columns(of: $0).map(\.path) } ?? []
    return all.filter { !known.contains($0) }
  }

  /// The same for every entity that lacks any.
  var leftByEntity: [String: [String]] {
    Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.name, left(of: $0.name)) }).filter { !$1.isEmpty }
  }

  /// An entity and the structs embedded in it, for printing.
  static func part(of schema: Schema, _ entity: Entity) -> Schema {
    var names: [String] = []
    func collect(_ entity: Entity) {
      for property in entity.properties {
        let name: String
        switch property.type {
        case .embedded(let structure), .embeddedList(let structure): name = structure
        default: continue
        }
        guard !names.contains(name), let inner = schema.structure(named: name) else { continue }
        names.append(name)
        collect(inner)
      }
    }
    collect(entity)
    return Schema(entities: [entity], embedded: schema.embedded.filter { names.contains($0.name) })
  }

  private static func require(_ schema: Schema, _ entity: String, in file: String) throws {
    guard schema.entity(named: entity) == nil else { return }
    let names = schema.entities.map(\.name)
    let guess = Suggestion.nearest(to: entity, among: names).map { ": did you mean \($0)?" } ?? ""
    throw CommandFailure(description: "\(file) declares no entity \(entity)\(guess)")
  }

  /// Adds the inferred types. A struct whose name is taken by a different shape gets the entity's name as a prefix.
  private static func add(_ found: TypeInference.Result, to existing: Schema) -> Schema {
    var schema = existing
    var newNames: [String: String] = [:]
    for structure in found.embedded {
      var name = structure.name
      if let taken = existing.structure(named: name),
        taken.properties != structure.properties || taken.name == found.entity.name
      {
        name = found.entity.name + name
        while existing.structure(named: name) != nil { name += "Value" }
      }
      newNames[structure.name] = name
    }
    func rename(_ entity: Entity) -> Entity {
      var entity = entity
      entity.properties = entity.properties.map { property in
        guard case .embedded(let name) = property.type else { return property }
        var property = property
        property.type = .embedded(newNames[name] ?? name)
        return property
      }
      return entity
    }
    for structure in found.embedded {
      var renamed = rename(structure)
      renamed.name = newNames[structure.name] ?? structure.name
      if schema.structure(named: renamed.name) == nil { schema.embedded.append(renamed) }
    }
    schema.entities.append(rename(found.entity))
    return schema
  }

  private static func addIndexes(_ request: ImportRequest, columns: [Column], to entity: inout Entity) throws {
    var wanted = request.indexes.map { (index: $0, option: "--index") }
    if let key = request.key { wanted.insert((Index(kind: .unique, paths: [key]), "--key"), at: 0) }
    for (index, option) in wanted {
      for path in index.paths {
        guard let problem = problem(with: path, of: index, request.entity, columns) else { continue }
        throw CommandFailure(description: "\(option) \(path): \(problem)", status: .usage, code: "usage")
      }
      if index.kind.isOverText, index.paths.count > 1 {
        let kind = index.kind.rawValue
        throw CommandFailure(
          description: "--index \(kind):\(index.name): a \(kind) index is over one property", status: .usage,
          code: "usage")
      }
      // An ordered index on the columns of a unique index is not needed.
      let isThere = entity.indexes.contains {
        $0.paths == index.paths && ($0.kind == index.kind || index.kind == .ordered && $0.kind == .unique)
      }
      if !isThere { entity.indexes.append(index) }
    }
  }

  /// The inverse that a path of the data belongs to, and its source: `tasks, from Task.assignee`.
  func inverse(at path: String, of entity: String) -> String? {
    let name = String(path.prefix { $0 != "." })
    guard case .linkingObjects(let source, let property)? = schema.entity(named: entity)?.property(named: name)?.type
    else { return nil }
    return "\(entity).\(name), from \(source).\(property)"
  }

  /// Why an index cannot be over a path.
  private static func problem(
    with path: String, of index: Index, _ entity: String, _ columns: [Column]
  ) -> String? {
    guard let column = columns.first(where: { $0.path == path }) else {
      return "\(entity) has no property '\(path)'" + suggestion(path, columns)
    }
    if column.isCollection { return "'\(path)' is a collection, which no index can be over" }
    if index.kind.isOverText, column.kind != .scalar(.string) {
      return "a \(index.kind.rawValue) index is over text, which '\(path)' is not"
    }
    return nil
  }

  private static func suggestion(_ path: String, _ columns: [Column]) -> String {
    Suggestion.nearest(to: path, among: columns.map(\.path)).map { "; did you mean '\($0)'?" } ?? ""
  }
}

extension [Column] {
  /// Whether there is a column at a path, or within it.
  fileprivate func contains(within path: String) -> Bool {
    contains { $0.path == path || $0.path.hasPrefix(path + ".") }
  }
}

extension Column {
  /// Whether it holds dates, single or in collections.
  fileprivate var holdsDates: Bool {
    switch kind {
    case .scalar(let type), .collection(_, let type), .parts(let type, _): type == .date
    case .presence, .link, .links, .structs, .presences: false
    }
  }
}
