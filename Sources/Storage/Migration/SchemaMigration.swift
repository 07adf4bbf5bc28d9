internal import Schema
internal import Values

/// What has to be done to a file so that it has a declared schema: the new schema record and the work on the data.
///
/// Pure thought: it reads no objects and writes nothing. `problems` says why it cannot be done.
struct SchemaMigration {
  /// A column where nil is no longer allowed, or that is new where structs of a list are already.
  struct Fill {
    /// What is filled.
    enum Gaps {
      /// Objects that have nil.
      case objects
      /// Elements that are nil.
      case elements
      /// All elements: one for each struct of the list.
      case structs
    }

    var entity: UInt32
    var path: String
    /// What replaces nil; without one there must be no nil.
    var value: Value?
    var gaps = Gaps.objects
  }

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
  /// Columns where nil has to be replaced.
  private(set) var fills: [Fill] = []
  /// Changes that cannot be made without being told how, one sentence each.
  private(set) var problems: [String] = []
  /// Things the schema asks for that a store cannot keep yet.
  private(set) var unsupported: [String] = []
  /// Whether there is anything to write.
  var isChange: Bool { target.version != current.version }

  private let current: CatalogSchema

  init(from current: CatalogSchema, declaring declared: Schema, removals: SchemaRemovals) {
    self.current = current
    target = current
    let merge = SchemaMerge(of: declared, into: current, removals: removals)
    target.schema = merge.schema
    target.history = merge.history
    target.entities = []
    for entity in merge.schema.entities { plan(entity) }
    let kept = Set(target.entities.map(\.number))
    droppedEntities = current.entities.filter { !kept.contains($0.number) }
    if target != current { target.version += 1 }
  }

  private mutating func plan(_ entity: Entity) {
    refuseWhatIsMissing(in: entity)
    guard let position = current.schema.entities.firstIndex(where: { $0.name == entity.name }) else {
      var record = CatalogSchema.EntityRecord(number: target.nextEntity)
      target.nextEntity += 1
      createdEntities.append(record.number)
      planColumns(of: entity, from: [], into: &record)
      planIndexes(of: entity, from: [], into: &record)
      target.entities.append(record)
      return
    }
    let old = current.entities[position]
    let numbered = Dictionary(old.columns.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = current.schema.columns(of: current.schema.entities[position]).compactMap { column in
      numbered[column.path].map { (column: column, record: $0) }
    }
    var record = CatalogSchema.EntityRecord(number: old.number, nextColumn: old.nextColumn)
    planColumns(of: entity, from: columns, into: &record)
    planIndexes(of: entity, from: old.indexes.map { ($0, $0.index.paths.map { numbered[$0]?.number }) }, into: &record)
    let gone = Set(old.columns.map(\.number)).subtracting(record.columns.map(\.number))
    if !gone.isEmpty { droppedColumns[old.number] = gone }
    target.entities.append(record)
  }

  private mutating func planColumns(
    of entity: Entity, from old: [(column: Column, record: CatalogSchema.ColumnRecord)],
    into record: inout CatalogSchema.EntityRecord
  ) {
    let known = Dictionary(old.map { ($0.column.path, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = target.schema.columns(of: entity)
    let paths = Set(columns.map(\.path))
    var taken: Set<UInt32> = []
    /// Lists of structs that the file has already; they come before their parts.
    var knownLists: [String] = []
    /// Optional structs that are new to the structs of such lists: none is there.
    var absent: [String] = []
    for column in columns {
      let name = "\(entity.name).\(column.path)"
      guard let value = column.kept(column.defaultValue), column.isOptional || !value.isNull else {
        problems.append("\(name): its default value is no \(column.typeName)")
        continue
      }
      let renamed = column.originalPath.flatMap { paths.contains($0) ? nil : known[$0] }
      guard let match = known[column.path] ?? renamed, taken.insert(match.record.number).inserted else {
        // A struct that was always there and may now be missing is there in every object so far.
        let wasThere = column.kind == .presence && known.keys.contains { $0.hasPrefix(column.path + ".") }
        record.columns.append(
          CatalogSchema.ColumnRecord(
            number: record.nextColumn, path: column.path, defaultAtCreation: wasThere ? .bool(true) : value))
        record.nextColumn += 1
        if column.kind.isPart, knownLists.contains(where: { column.path.hasPrefix($0 + ".") }) {
          let prefix = (column.originalPath ?? column.path) + "."
          let wasThere = known.keys.contains { $0.hasPrefix(prefix) }
          let isAbsent = absent.contains { column.path.hasPrefix($0 + ".") }
          let value: Value = column.kind == .presences && wasThere ? .bool(true) : isAbsent ? .null : column.olderPart
          if column.kind == .presences, !wasThere { absent.append(column.path) }
          fills.append(Fill(entity: record.number, path: column.path, value: value, gaps: .structs))
        }
        continue
      }
      if !column.canTakeOver(match.column) {
        problems.append("\(name) is \(match.column.typeName) in the file and \(column.typeName) in the models")
      }
      if match.column.isOptional && !column.isOptional {
        let declared = target.schema.declaredDefault(at: column.path, of: entity)
        fills.append(Fill(entity: record.number, path: column.path, value: declared == nil ? nil : value))
      }
      if case .structs = column.kind { knownLists.append(column.path) }
      if match.column.mayHoldNil && !column.mayHoldNil {
        fills.append(
          Fill(entity: record.number, path: column.path, value: column.part?.defaultValue, gaps: .elements))
      }
      record.columns.append(
        CatalogSchema.ColumnRecord(
          number: match.record.number, path: column.path, defaultAtCreation: match.record.defaultAtCreation))
    }
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
