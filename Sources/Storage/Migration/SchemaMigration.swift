internal import Schema
internal import Values

/// What has to be done to a file so that it has a declared schema: the new schema record and the work on the data.
///
/// Pure thought: it reads no objects and writes nothing. `problems` says why it cannot be done.
struct SchemaMigration {
  /// The schema record to write.
  private(set) var target: CatalogSchema
  /// The numbers of entities that are new.
  private(set) var createdEntities: [UInt32] = []
  /// Entities that go, with everything that belongs to them.
  private(set) var droppedEntities: [CatalogSchema.EntityRecord] = []
  /// Numbers of indexes that go, apart from those of entities that go.
  private(set) var droppedIndexes: [UInt32] = []
  /// Numbers of columns that go, by entity; their long values go with them.
  private(set) var droppedColumns: [UInt32: Set<UInt32>] = [:]
  /// Numbers of indexes to fill from the objects.
  private(set) var builtIndexes: [UInt32] = []
  /// Columns where objects that are there lack values.
  private(set) var fills: [SchemaFill] = []
  /// Changes that cannot be made without being told how, one sentence each.
  private(set) var problems: [String] = []
  /// Things the schema asks for that a store cannot keep yet.
  private(set) var unsupported: [String] = []
  /// Whether there is anything to write.
  var isChange: Bool { target.version != current.version }

  private let current: CatalogSchema
  /// The schema of the file without what was said to go.
  private let remaining: Schema
  private let declaration: SchemaDeclaration

  init(from current: CatalogSchema, _ declaration: SchemaDeclaration) {
    self.current = current
    self.declaration = declaration
    target = current
    let removal = SchemaRemoval(of: declaration.removing, from: current.schema, declared: declaration.schema)
    let union = SchemaUnion(of: declaration.schema, into: removal.schema)
    remaining = removal.schema
    problems = removal.problems + union.conflicts
    noteKept()
    ask(union.probableRenames)
    target.schema = union.schema
    // A plan from one type to another that can't be would only say it again.
    guard problems.isEmpty else { return }
    target.kept.removeAll { union.schema.structure(named: $0.structure)?.property(named: $0.property) == nil }
    target.entities = []
    for entity in union.schema.entities { plan(entity) }
    let kept = Set(target.entities.map(\.number))
    droppedEntities = current.entities.filter { !kept.contains($0.number) }
    if target != current { target.version += 1 }
  }

  // MARK: Questions

  /// Remembers what shall be kept.
  private mutating func noteKept() {
    for name in declaration.keeping {
      guard case .property(let entity, let path)? = SchemaPart(name) else {
        problems.append("'\(name)' can't be kept: a property is named as in 'Doc.body'")
        continue
      }
      if declaration.removing.contains(name) { problems.append("'\(name)' is to be removed and to be kept: say one") }
      guard let place = remaining.place(at: path, of: entity), !target.kept.contains(place) else { continue }
      target.kept.append(place)
    }
  }

  /// Refuses to guess what became of properties that are gone while others of their type are new.
  private mutating func ask(_ renames: [SchemaUnion.ProbableRename]) {
    for rename in renames where !target.kept.contains(rename.former) {
      let former = rename.formerPaths.first ?? rename.former.property
      let all = rename.formerPaths.map { "\"\($0)\"" }.joined(separator: ", ")
      problems.append(
        "\(former) is in the file and not in the models, and \(rename.newPaths.joined(separator: ", ")) of the same "
          + "type is new: if it was renamed, declare @Attribute(originalName: \"\(rename.former.property)\"); if it may "
          + "go with its values, say removing: [\(all)] (objquery drop); if both shall be there, say keeping: "
          + "[\"\(former)\"] (--keep \(former))")
    }
  }

  // MARK: Plans

  private mutating func plan(_ entity: Entity) {
    refuseWhatIsMissing(in: entity)
    guard let position = current.schema.entities.firstIndex(where: { $0.name == entity.name }),
      let former = remaining.entity(named: entity.name)
    else {
      var record = CatalogSchema.EntityRecord(number: target.nextEntity)
      target.nextEntity += 1
      createdEntities.append(record.number)
      planColumns(of: entity, nil, into: &record)
      planIndexes(of: entity, from: [], into: &record)
      target.entities.append(record)
      return
    }
    let old = current.entities[position]
    let numbered = Dictionary(old.columns.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var columns: [String: OldColumn] = [:]
    for column in remaining.columns(of: former) {
      if let record = numbered[column.path] { columns[column.path] = OldColumn(column: column, record: record) }
    }
    var record = CatalogSchema.EntityRecord(number: old.number, nextColumn: old.nextColumn)
    planColumns(
      of: entity,
      FormerColumns(
        paths: target.schema.formerPaths(of: entity, in: remaining, former),
        columns: columns),
      into: &record)
    planIndexes(of: entity, from: old.indexes.map { ($0, $0.index.paths.map { numbered[$0]?.number }) }, into: &record)
    let gone = Set(old.columns.map(\.number)).subtracting(record.columns.map(\.number))
    if !gone.isEmpty { droppedColumns[old.number] = gone }
    target.entities.append(record)
  }

  private struct OldColumn {
    let column: Column
    let record: CatalogSchema.ColumnRecord
  }

  /// What an entity had, by path; and where the properties of now were.
  private struct FormerColumns {
    let paths: [String: String]
    let columns: [String: OldColumn]

    /// The column that one of now was.
    func column(_ path: String) -> OldColumn? { paths[path].flatMap { columns[$0] } }
  }

  /// - Parameter former: what the entity had; nil for one that is new.
  private mutating func planColumns(
    of entity: Entity, _ former: FormerColumns?, into record: inout CatalogSchema.EntityRecord
  ) {
    var taken: Set<UInt32> = []
    for column in target.schema.columns(of: entity) {
      let name = "\(entity.name).\(column.path)"
      guard let value = column.kept(column.defaultValue), column.isOptional || !value.isNull else {
        problems.append("\(name): its default value is no \(column.typeName)")
        continue
      }
      let match = former?.column(column.path)
      if let match, taken.insert(match.record.number).inserted {
        if !column.canTakeOver(match.column) {
          problems.append("\(name) is \(match.column.typeName) in the file and \(column.typeName) in the models")
        }
        planGaps(of: column, match.column, entity, value, record.number)
        record.columns.append(
          CatalogSchema.ColumnRecord(
            number: match.record.number, path: column.path, defaultAtCreation: match.record.defaultAtCreation))
        continue
      }
      var origin: ColumnOrigin?
      if let former { origin = self.origin(of: column, in: entity, former) }
      fills += origin?.fills(column, record.number) ?? []
      record.columns.append(
        CatalogSchema.ColumnRecord(
          number: record.nextColumn, path: column.path,
          defaultAtCreation: origin?.everywhere.flatMap { column.kept($0) } ?? value))
      record.nextColumn += 1
    }
  }

  /// Where nil is no longer allowed.
  private mutating func planGaps(
    of column: Column, _ former: Column, _ entity: Entity, _ value: Value, _ number: UInt32
  ) {
    if former.isOptional && !column.isOptional {
      let declared = target.schema.declaredDefault(at: column.path, of: entity)
      // Nobody who declares this knows of what it does not declare.
      let content: SchemaFill.Content =
        declared != nil || !isDeclared(column.path, of: entity)
        ? .value(value) : made(for: column.path, of: entity) ?? .nothing
      fills.append(SchemaFill(entity: number, path: column.path, scope: .nulls, content: content))
    }
    if former.mayHoldNil && !column.mayHoldNil {
      let content = column.part?.defaultValue.map { SchemaFill.Content.value($0) }
      fills.append(
        SchemaFill(
          entity: number, path: column.path, scope: .elements,
          content: content ?? made(for: column.path, of: entity) ?? .nothing))
    }
  }

  /// Where the values of a column come from that is new to an entity which may have objects.
  private func origin(of column: Column, in entity: Entity, _ former: FormerColumns) -> ColumnOrigin {
    let steps = target.schema.properties(along: column.path, of: entity.name)
    guard let first = steps.firstIndex(where: { former.paths[$0.path] == nil }) else {
      // A struct that was always there and may now be missing is there in every object so far.
      let outside = steps.dropLast()
      return ColumnOrigin(
        owner: column.path, isInList: outside.contains { $0.property.type.isStructList },
        isInOptional: outside.contains(where: \.property.isOptional), value: .bool(true))
    }
    let outside = steps[..<first]
    var origin = ColumnOrigin(
      owner: steps[first].path, isInList: outside.contains { $0.property.type.isStructList },
      isInOptional: outside.contains(where: \.property.isOptional))
    for step in steps[first...] {
      let isLeaf = step.path == column.path
      if let made = made(
        at: step.path, PropertyPlace(structure: step.structure.name, property: step.property.name), column.path)
      {
        origin.content = made
        return origin
      }
      if let value = step.property.defaultValue {
        if !isLeaf, !step.property.type.isStructList { origin.value = .null }
        if isLeaf, origin.isInList { origin.value = value }
        return origin
      }
      if step.property.isOptional {
        origin.value = .null
        return origin
      }
      switch step.property.type {
      // A list of links that was not there leads nowhere.
      case .list, .link, .linkingObjects: return origin
      case .embedded where !isLeaf: continue
      // The structs of a list that has none have no leaves.
      case .embeddedList where !isLeaf: return origin
      case .scalar, .embedded, .array, .set, .dictionary, .embeddedList:
        if isDeclared(step.structure, step.property) { origin.content = .nothing }
        if origin.isInList { origin.value = column.olderPart }
        return origin
      }
    }
    return origin
  }

  /// The expression that makes the values of a column, of the property at a path or of one around it.
  private func made(for path: String, of entity: Entity) -> SchemaFill.Content? {
    for step in target.schema.properties(along: path, of: entity.name).reversed() {
      let place = PropertyPlace(structure: step.structure.name, property: step.property.name)
      if let made = made(at: step.path, place, path) { return made }
    }
    return nil
  }

  private func isDeclared(_ structure: Entity, _ property: Property) -> Bool {
    declaration.schema.structure(named: structure.name)?.property(named: property.name) != nil
  }

  private func isDeclared(_ path: String, of entity: Entity) -> Bool {
    target.schema.properties(along: path, of: entity.name).allSatisfy { isDeclared($0.structure, $0.property) }
  }

  private func made(at owner: String, _ place: PropertyPlace, _ path: String) -> SchemaFill.Content? {
    guard let made = declaration.made[place],
      let column = made.columns.firstIndex(of: String(path.dropFirst(owner.count)))
    else { return nil }
    return .made(made, owner: owner, column: column)
  }

  private mutating func planIndexes(
    of entity: Entity, from old: [(record: CatalogSchema.IndexRecord, columns: [UInt32?])],
    into record: inout CatalogSchema.EntityRecord
  ) {
    let numbers = Dictionary(record.columns.map { ($0.path, $0.number) }, uniquingKeysWith: { first, _ in first })
    let declared = target.schema.columns(of: entity)
    let collections = Set(declared.filter { $0.collectionKind != nil }.map(\.path))
    let inverses = declared.filter { $0.target != nil }.map { Index(kind: .inverse, paths: [$0.path]) }
    for index in entity.indexes + inverses {
      let columns = index.paths.map { collections.contains($0) && index.kind != .inverse ? nil : numbers[$0] }
      if let path = zip(index.paths, columns).first(where: { $0.1 == nil })?.0 {
        problems.append("\(entity.name) has no single value '\(path)' for the index \(index.name)")
        continue
      }
      if index.paths.isEmpty || record.indexes.contains(where: { $0.index == index }) { continue }
      let match = old.first {
        $0.record.index.kind == index.kind && $0.columns == columns && $0.record.hasOwnFolding
      }
      if var known = match?.record {
        known.index = index
        record.indexes.append(known)
      } else {
        record.indexes.append(CatalogSchema.IndexRecord(number: target.nextIndex, index: index))
        builtIndexes.append(target.nextIndex)
        target.nextIndex += 1
      }
    }
    let kept = Set(record.indexes.map(\.number))
    droppedIndexes += old.map(\.record.number).filter { !kept.contains($0) }
  }

  private mutating func refuseWhatIsMissing(in entity: Entity) {
    var waiting = [(prefix: entity.name, structure: entity, enclosing: [entity.name])]
    while let (prefix, structure, enclosing) = waiting.popLast() {
      for property in structure.properties {
        let path = "\(prefix).\(property.name)"
        switch property.type {
        case .scalar, .array, .set, .dictionary: break
        case .embedded(let name), .embeddedList(let name):
          guard let inner = target.schema.structure(named: name) else {
            problems.append("\(path) is a \(name), which is not declared")
            continue
          }
          guard !enclosing.contains(name) else {
            problems.append("\(path) embeds \(name) in itself")
            continue
          }
          waiting.append((path, inner, enclosing + [name]))
        case .link(let name), .list(let name):
          if target.schema.entity(named: name) == nil {
            problems.append("\(path) links to \(name), which is no entity")
          }
        case .linkingObjects(let name, let link):
          let columns = target.schema.entity(named: name).map { target.schema.columns(of: $0) } ?? []
          if columns.first(where: { $0.path == link })?.target != entity.name {
            problems.append("\(path) is the inverse of \(name).\(link), which is no link to \(entity.name)")
          }
        }
      }
    }
    for index in entity.indexes where ![.ordered, .unique, .folded, .trigram].contains(index.kind) {
      unsupported.append("\(entity.name): indexes of kind \(index.kind.rawValue) (\(index.name)) are not kept yet")
    }
  }
}

extension Column {
  /// Whether every value the other column may hold, apart from nil, is one of this column's.
  fileprivate func canTakeOver(_ other: Column) -> Bool {
    switch (other.kind, kind) {
    case (.presence, .presence): true
    case (.scalar(let old), .scalar(let new)): old == new || old.widens(to: new)
    case (.collection(let oldKind, let old), .collection(let newKind, let new)):
      oldKind == newKind && (old == new || old.widens(to: new))
    // What a struct is called does not matter: it is its leaves.
    case (.structs, .structs), (.presences, .presences): true
    case (.parts(let old, _), .parts(let new, _)): old == new || old.widens(to: new)
    case (.link(let old), .link(let new)), (.links(let old), .links(let new)): old == new
    default: false
    }
  }
}

extension Schema {
  /// The default written in the declaration of the leaf at a dotted path; nil when there is none.
  fileprivate func declaredDefault(at path: String, of entity: Entity) -> Value? {
    var structure: Entity? = entity
    var property: Property?
    for name in path.split(separator: ".") {
      property = structure?.property(named: String(name))
      // What is in a list of structs is there or not as the list is.
      if case .embeddedList = property?.type { return property?.defaultValue }
      if case .embedded(let inner) = property?.type {
        structure = self.structure(named: inner)
      } else {
        structure = nil
      }
    }
    return property?.defaultValue
  }
}
