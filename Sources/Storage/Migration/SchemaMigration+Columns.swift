internal import Schema
internal import Values

// Plans the columns of an entity, and the values of existing objects in them.

extension SchemaMigration {
  struct OldColumn {
    let column: Column
    let record: CatalogSchema.ColumnRecord
  }

  /// The old columns of an entity by path, and the old paths of its current properties.
  struct FormerColumns {
    let paths: [String: String]
    let columns: [String: OldColumn]

    /// The old column of a current one.
    func column(_ path: String) -> OldColumn? { paths[path].flatMap { columns[$0] } }
  }

  /// - Parameter former: The old columns of the entity; nil for a new entity.
  mutating func planColumns(
    of entity: Entity, _ former: FormerColumns?, into record: inout CatalogSchema.EntityRecord
  ) {
    var taken: Set<UInt32> = []
    for column in target.schema.columns(of: entity) {
      let name = "\(entity.name).\(column.path)"
      guard let value = column.kept(column.defaultValue), column.isOptional || !value.isNull else {
        problems.append("\(name): its default value is not a \(column.typeName)")
        continue
      }
      let match = former?.column(column.path)
      if let former, let conversion = conversion(of: column, in: entity, former, value, record.number),
        conversion.former.map({ taken.insert($0).inserted }) ?? true
      {
        conversions.append(conversion)
        record.columns.append(
          CatalogSchema.ColumnRecord(number: record.nextColumn, path: column.path, defaultAtCreation: value))
        record.nextColumn += 1
        continue
      }
      if let former, let match, taken.insert(match.record.number).inserted {
        if !column.canTakeOver(match.column) {
          problems.append("\(name) is \(match.column.typeName) in the file and \(column.typeName) in the models")
        }
        planGaps(of: column, match.column, entity, former, value, record.number)
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

  /// Plans to fill gaps where nil is no longer allowed.
  private mutating func planGaps(
    of column: Column, _ old: Column, _ entity: Entity, _ former: FormerColumns, _ value: Value, _ number: UInt32
  ) {
    func fill(_ scope: SchemaFill.Scope, _ content: SchemaFill.Content) {
      fills.append(SchemaFill(entity: number, path: column.path, scope: scope, content: content))
    }
    switch column.kind {
    // A single link may always be nil, and a struct that has to be there has no column for itself.
    case .presence, .link: return
    case .parts, .presences:
      let list = target.schema.properties(along: column.path, of: entity.name).first { $0.property.type.isStructList }
      if let list, lostNil(at: list.path, of: entity, former) { fill(.nulls, gap(in: column, of: entity, value)) }
      if column.kind != .presences, lostNil(at: column.path, of: entity, former, inList: true) {
        fill(.elements, elementGap(in: column, of: entity))
      }
    case .scalar, .collection, .links, .structs:
      if lostNil(at: column.path, of: entity, former) { fill(.nulls, gap(in: column, of: entity, value)) }
    }
  }

  /// The content for objects that have nil in a column where nil is not allowed.
  func gap(in column: Column, of entity: Entity, _ value: Value) -> SchemaFill.Content {
    let declared = target.schema.declaredDefault(at: column.path, of: entity)
    // A column that is not in the declaration gets its default, since the declaration cannot provide one.
    return declared != nil || !isDeclared(column.path, of: entity)
      ? .value(value) : made(for: column.path, of: entity) ?? missing(column, of: entity)
  }

  /// The content for a property of the structs in a list.
  func elementGap(in column: Column, of entity: Entity) -> SchemaFill.Content {
    column.part?.defaultValue.map { .value($0) } ?? made(for: column.path, of: entity) ?? missing(column, of: entity)
  }

  /// No content, unless a migration step provides it.
  private func missing(_ column: Column, of entity: Entity) -> SchemaFill.Content {
    isFilled(column.path, of: entity) ? .value(column.kind.isPart ? column.olderPart : column.defaultValue) : .nothing
  }

  /// Whether a migration step provides values for a property.
  private func isFilled(_ path: String, of entity: Entity) -> Bool {
    filled.contains { $0 == entity.name || "\(entity.name).\(path).".hasPrefix($0 + ".") }
  }

  /// Whether a property was nil in some objects in which it must now exist: it was optional, or it was in an optional
  /// struct that is no longer optional.
  ///
  /// - Parameter inList: Whether to consider only structs within a list of structs.
  private func lostNil(
    at path: String, of entity: Entity, _ former: FormerColumns, inList: Bool = false
  ) -> Bool {
    guard let formerPath = former.paths[path] else { return false }
    func steps(_ schema: Schema, _ path: String) -> ArraySlice<(structure: Entity, property: Property, path: String)> {
      let steps = schema.properties(along: path, of: entity.name)[...]
      return inList ? steps.drop { !$0.property.type.isStructList }.dropFirst() : steps
    }
    let new = steps(target.schema, path)
    guard new.last?.property.isOptional == false else { return false }
    let allowed = Set(new.dropLast().filter(\.property.isOptional).map { former.paths[$0.path] })
    return steps(remaining, formerPath).contains { $0.property.isOptional && !allowed.contains($0.path) }
  }

  /// The source of the values of a column that is new in an entity with existing objects.
  private func origin(of column: Column, in entity: Entity, _ former: FormerColumns) -> ColumnOrigin {
    let steps = target.schema.properties(along: column.path, of: entity.name)
    guard let first = steps.firstIndex(where: { former.paths[$0.path] == nil }) else {
      // A struct that was required and may now be nil exists in every object.
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
        if isDeclared(step.structure, step.property), !isFilled(step.path, of: entity) { origin.content = .nothing }
        if origin.isInList { origin.value = column.olderPart }
        return origin
      }
    }
    return origin
  }

  /// The expression that generates the values of a column: of the property at its path, or of one around it.
  func made(for path: String, of entity: Entity) -> SchemaFill.Content? {
    for step in target.schema.properties(along: path, of: entity.name).reversed() {
      let place = PropertyPlace(structure: step.structure.name, property: step.property.name)
      if let made = made(at: step.path, place, path) { return made }
    }
    return nil
  }

  private func isDeclared(_ structure: Entity, _ property: Property) -> Bool {
    declaration.schema.structure(named: structure.name)?.property(named: property.name) != nil
  }

  func isDeclared(_ path: String, of entity: Entity) -> Bool {
    target.schema.properties(along: path, of: entity.name).allSatisfy { isDeclared($0.structure, $0.property) }
  }

  private func made(at owner: String, _ place: PropertyPlace, _ path: String) -> SchemaFill.Content? {
    if let made = declaration.made[place],
      let column = made.columns.firstIndex(of: String(path.dropFirst(owner.count)))
    {
      return .made(made, owner: owner, column: column)
    }
    let property = target.schema.structure(named: place.structure)?.property(named: place.property)
    guard owner == path, let generated = property?.generatedDefault else { return nil }
    return .made(MadeDefault(columns: [""]) { [generated.make()] }, owner: owner, column: 0)
  }
}

extension Column {
  /// Whether every value of the other column, except nil, is valid in this column.
  fileprivate func canTakeOver(_ other: Column) -> Bool {
    switch (other.kind, kind) {
    case (.presence, .presence): true
    case (.scalar(let old), .scalar(let new)): old == new || old.widens(to: new)
    case (.collection(let oldKind, let old), .collection(let newKind, let new)):
      oldKind == newKind && (old == new || old.widens(to: new))
    // The type name of a struct does not matter, only its properties.
    case (.structs, .structs), (.presences, .presences): true
    case (.parts(let old, _), .parts(let new, _)): old == new || old.widens(to: new)
    case (.link(let old), .link(let new)), (.links(let old), .links(let new)): old == new
    default: false
    }
  }
}

extension Schema {
  /// The declared default of the property at a dotted path; nil if there is none.
  fileprivate func declaredDefault(at path: String, of entity: Entity) -> Value? {
    var structure: Entity? = entity
    var property: Property?
    for name in path.split(separator: ".") {
      property = structure?.property(named: String(name))
      // Properties in a list of structs exist if the list has structs.
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
