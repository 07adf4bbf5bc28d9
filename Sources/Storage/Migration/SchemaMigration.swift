internal import Diagnostics
internal import Schema
internal import Values

/// The plan to give a file a declared schema: the new schema record and the work on the data.
///
/// It only plans: it reads no objects and writes nothing. `problems` lists the reasons why it is not possible.
struct SchemaMigration {
  /// The schema record to write.
  var target: CatalogSchema
  /// The numbers of entities that are new.
  private(set) var createdEntities: [UInt32] = []
  /// Entities to remove, with everything that belongs to them.
  private(set) var droppedEntities: [CatalogSchema.EntityRecord] = []
  /// Numbers of indexes to remove, except those of removed entities.
  private(set) var droppedIndexes: [UInt32] = []
  /// Numbers of columns to remove, by entity; their overflow values are removed as well.
  private(set) var droppedColumns: [UInt32: Set<UInt32>] = [:]
  /// Numbers of indexes to fill from the objects.
  private(set) var builtIndexes: [UInt32] = []
  /// Columns in which existing objects lack values.
  var fills: [SchemaFill] = []
  /// Columns whose values are converted to another type.
  var conversions: [ColumnConversion] = []
  /// The steps of the plan that are to be done, in order.
  private(set) var pendingSteps: [DeclaredStep] = []
  /// Changes that need a decision, one sentence each.
  var problems: [String] = []
  /// Names in the declaration that match nothing, one sentence each.
  private(set) var notes: [String] = []
  /// Whether the plan can be tried although there are problems, so that missing values of objects are reported together
  /// with them.
  private(set) var canBeTried = true
  /// The paths of properties that a problem asks about: their gaps depend on the answer.
  private(set) var asked: Set<String> = []
  /// Features of the schema that stores do not support.
  private(set) var unsupported: [String] = []
  /// The names of entities and properties that get values from migration steps whose inputs exist.
  private(set) var filled: [String] = []
  /// Whether there is anything to write.
  var isChange: Bool { target.version != current.version }

  private let current: CatalogSchema
  /// The schema of the file without the removed parts.
  let remaining: Schema
  let declaration: SchemaDeclaration

  init(from original: CatalogSchema, _ declaration: SchemaDeclaration) {
    let renames = original.schema.renames(to: declaration.schema)
    var current = original
    current.rename(renames)
    self.current = current
    self.declaration = declaration
    target = current
    // A store without entities has nothing for a step to work on.
    if !current.schema.entities.isEmpty {
      pendingSteps = declaration.steps.filter { !current.doneSteps.contains($0.name) }
    }
    func renamed(_ names: [String]) -> [String] { names.map { SchemaPart($0)?.renaming(renames).description ?? $0 } }
    filled = pendingSteps.filter { step in
      renamed(step.replacing).allSatisfy { SchemaPart($0)?.isIn(current.schema) ?? false }
    }.flatMap(\.filling)
    let replacement = SchemaRemoval(
      of: renamed(pendingSteps.flatMap(\.replacing)), from: current.schema, isReplacement: true)
    let removal = SchemaRemoval(
      of: renamed(declaration.removing + pendingSteps.flatMap(\.removing)), from: replacement.schema,
      declared: declaration.schema)
    let union = SchemaUnion(of: declaration.schema, into: removal.schema)
    remaining = removal.schema
    problems = replacement.problems + removal.problems + union.conflicts
    noteNames(renames, of: original)
    noteKept()
    ask(union.probableEntityRenames)
    ask(union.probableRenames)
    target.schema = union.schema
    let known = problems
    target.kept.removeAll { place in
      let structure = union.schema.structure(named: place.structure)
      return place.isEntity ? structure == nil : structure?.property(named: place.property) == nil
    }
    target.doneSteps += declaration.steps.map(\.name).filter { !current.doneSteps.contains($0) }
    target.entities = []
    for entity in union.schema.entities { plan(entity) }
    let kept = Set(target.entities.map(\.number))
    droppedEntities = current.entities.filter { !kept.contains($0.number) }
    if target != original { target.version += 1 }
    // Problems that follow from these would only repeat them.
    if !known.isEmpty {
      canBeTried = problems.count == known.count
      problems = known
    }
  }

  // MARK: Names

  /// Notes names of the declaration that match nothing in the file.
  private mutating func noteNames(_ renames: [String: String], of original: CatalogSchema) {
    let schema = current.schema
    if schema.entities.isEmpty { return }
    for (label, names) in [("removing", declaration.removing), ("keeping", declaration.keeping)] {
      for name in names {
        guard let part = SchemaPart(name)?.renaming(renames), !part.isIn(schema), !part.isIn(declaration.schema) else {
          continue
        }
        let meant = Suggestion.nearest(to: part.description, among: schema.partNames(like: part))
        notes.append("\(label): '\(name)' is not in the file" + (meant.map { "; did you mean '\($0)'?" } ?? ""))
      }
    }
    for entity in declaration.schema.entities {
      guard let former = schema.entity(named: entity.name) else {
        noteNames(entity.name, entity.originalNames)
        continue
      }
      for property in entity.properties {
        switch property.former(in: former, of: entity) {
        case nil: noteNames("\(entity.name).\(property.name)", property.originalNames)
        case let found?: noteUnused(property, found, of: entity)
        }
      }
    }
    for structure in declaration.schema.embedded {
      guard let former = schema.structure(named: structure.name) else { continue }
      for property in structure.properties {
        if let found = property.former(in: former, of: structure) { noteUnused(property, found, of: structure) }
      }
    }
  }

  private mutating func noteNames(_ title: String, _ originalNames: [String]) {
    if originalNames.isEmpty { return }
    let names = originalNames.map { "'\($0)'" }.joined(separator: ", ")
    notes.append("\(title) is new: its original name \(names) is not in the file")
  }

  /// Notes an original name that is in the file together with the new one: both have values, and neither replaces the
  /// other.
  private mutating func noteUnused(_ property: Property, _ found: Property, of entity: Entity) {
    let stored = remaining.structure(named: entity.name)
    for name in property.originalNames
    where name != found.name && stored?.property(named: name) != nil && entity.property(named: name) == nil {
      // A struct may be used in several places, and a name is removed from all of them.
      let paths = remaining.places(of: entity.name).map { "\"\($0).\(name)\"" }.joined(separator: ", ")
      notes.append(
        "\(entity.name).\(property.name): its original name '\(name)' is in the file too, with values that are kept and not "
          + "read; if they may go, say removing: [\(paths)] (objquery drop)")
    }
  }

  // MARK: Questions

  /// Records the properties to keep.
  private mutating func noteKept() {
    for name in declaration.keeping {
      let place: PropertyPlace?
      switch SchemaPart(name) {
      case .entity(let entity): place = remaining.entity(named: entity).map { PropertyPlace(entity: $0.name) }
      case .property(let entity, let path): place = remaining.place(at: path, of: entity)
      case .index, nil:
        problems.append("'\(name)' can't be kept: a property is named as in 'Doc.body', an entity as in 'Doc'")
        continue
      }
      if declaration.removing.contains(name) {
        problems.append("'\(name)' is to be removed and to be kept: choose one")
      }
      guard SchemaPart(name)?.isIn(declaration.schema) != true else {
        problems.append("'\(name)' is kept anyway, since it is declared: 'keeping' is for what the models lack")
        continue
      }
      guard let place, !target.kept.contains(place) else { continue }
      target.kept.append(place)
    }
  }

  /// Asks whether properties that are gone were renamed, if others of their type are new.
  private mutating func ask(_ renames: [SchemaUnion.ProbableRename]) {
    for rename in renames where !target.kept.contains(rename.former) {
      let former = rename.formerPaths.first ?? rename.former.property
      let all = rename.formerPaths.map { "\"\($0)\"" }.joined(separator: ", ")
      asked.formUnion(rename.newPaths)
      ask(
        former, rename.newPaths, "of the same type", "@Attribute(originalName: \"\(rename.former.property)\")",
        removing: all)
    }
  }

  /// Asks whether entities that are gone were renamed, if others with similar properties are new.
  private mutating func ask(_ renames: [SchemaUnion.ProbableEntityRename]) {
    for rename in renames where !target.kept.contains(PropertyPlace(entity: rename.former)) {
      ask(
        rename.former, rename.newNames, "with much the same properties", "@Model(originalName: \"\(rename.former)\")",
        removing: "\"\(rename.former)\"")
    }
  }

  private mutating func ask(_ former: String, _ new: [String], _ alike: String, _ attribute: String, removing: String) {
    let isOne = new.count == 1
    problems.append(
      "\(former) is in the file and not in the models, and \(new.joined(separator: " and ")) \(alike) "
        + (isOne
          ? "is new: if it was renamed, declare \(attribute)"
          : "are new: if it is one of them, declare \(attribute) there")
        + "; if it may go with its values, say removing: [\(removing)] (objquery drop); if \(isOne ? "both" : "all") shall "
        + "be there, say keeping: [\"\(former)\"] (--keep \(former))")
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
        problems.append(
          "\(entity.name) has no single value '\(path)' for the index \(index.name): if the index may go, say removing: "
            + "[\"\(SchemaPart.index(entity: entity.name, index))\"]")
        continue
      }
      if index.paths.isEmpty || record.indexes.contains(where: { $0.index == index }) { continue }
      let match = old.first {
        $0.record.index.kind == index.kind && $0.columns == columns && $0.record.hasOwnFolding
          && !$0.record.isToBeBuilt
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
            problems.append("\(path) links to \(name), which is not an entity")
          }
        case .linkingObjects(let name, let link):
          let columns = target.schema.entity(named: name).map { target.schema.columns(of: $0) } ?? []
          if columns.first(where: { $0.path == link })?.target != entity.name {
            problems.append("\(path) is the inverse of \(name).\(link), which is not a link to \(entity.name)")
          }
        }
      }
    }
    for index in entity.indexes where !IndexKind.built.contains(index.kind) {
      unsupported.append("\(entity.name): indexes of kind \(index.kind.rawValue) (\(index.name)) are not kept yet")
    }
  }
}

extension PropertyPlace {
  /// The place of a whole entity.
  fileprivate init(entity: String) { self.init(structure: entity, property: "") }

  fileprivate var isEntity: Bool { property.isEmpty }
}

extension CatalogSchema {
  /// Renames entities; their stored data is found by number.
  fileprivate mutating func rename(_ names: [String: String]) {
    if names.isEmpty { return }
    schema = schema.renaming(names)
    for place in kept.indices { kept[place].structure = names[kept[place].structure] ?? kept[place].structure }
  }
}
