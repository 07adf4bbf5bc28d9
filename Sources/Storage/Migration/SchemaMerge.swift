internal import Schema

/// The schema a file shall have after a declaration: the file's and the declared one made into one.
///
/// It decides what stays and what goes; it knows nothing of numbers, types that fit or objects.
struct SchemaMerge {
  private(set) var schema: Schema
  private(set) var history: [CatalogSchema.ShapeHistory]
  private let removals: SchemaRemovals

  init(of declared: Schema, into current: CatalogSchema, removals: SchemaRemovals) {
    schema = current.schema
    history = current.history
    self.removals = removals
    if removals == .everything {
      schema.entities.removeAll { declared.entity(named: $0.name) == nil }
    }
    for entity in declared.entities {
      let known = schema.entity(named: entity.name) ?? schema.structure(named: entity.name)
      let merged = merge(entity, into: known)
      schema.embedded.removeAll { $0.name == entity.name }
      if let position = schema.entities.firstIndex(where: { $0.name == entity.name }) {
        schema.entities[position] = merged
      } else {
        schema.entities.append(merged)
      }
    }
    for structure in declared.embedded {
      if let position = schema.embedded.firstIndex(where: { $0.name == structure.name }) {
        schema.embedded[position] = merge(structure, into: schema.embedded[position])
      } else if let position = schema.entities.firstIndex(where: { $0.name == structure.name }) {
        schema.entities[position] = merge(structure, into: schema.entities[position])
      } else {
        schema.embedded.append(merge(structure, into: nil))
      }
    }
    removeUnusedStructures()
  }

  private mutating func merge(_ declared: Entity, into known: Entity?) -> Entity {
    let isNewShape = remember(declared)
    guard let known else { return declared }
    switch removals {
    case .everything: return declared
    case .automatic where isNewShape: return declared
    case .automatic, .nothing: return union(of: known, and: declared)
    }
  }

  /// Both together, in the file's order. The file's word stands wherever the declaring program can read what it says.
  private func union(of known: Entity, and declared: Entity) -> Entity {
    var union = known
    for property in declared.properties {
      if let position = union.properties.firstIndex(where: { $0.name == property.name }) {
        if !property.reads(union.properties[position]) { union.properties[position] = property }
      } else if let original = property.originalName,
        let position = union.properties.firstIndex(where: { $0.name == original }),
        declared.property(named: original) == nil
      {
        union.properties[position] = property
      } else {
        union.properties.append(property)
      }
    }
    for index in declared.indexes where !union.indexes.contains(index) { union.indexes.append(index) }
    return union
  }

  /// Notes the form of a structure; whether it is new to the file.
  private mutating func remember(_ structure: Entity) -> Bool {
    var writer = RecordWriter()
    writer.put(entity: structure)
    let shape = writer.fingerprint
    guard let position = history.firstIndex(where: { $0.structure == structure.name }) else {
      history.append(CatalogSchema.ShapeHistory(structure: structure.name, shapes: [shape]))
      return true
    }
    if history[position].shapes.contains(shape) { return false }
    history[position].shapes.append(shape)
    if history[position].shapes.count > CatalogSchema.historyLimit { history[position].shapes.removeFirst() }
    return true
  }

  private mutating func removeUnusedStructures() {
    var used: Set<String> = []
    var waiting = schema.entities
    while let structure = waiting.popLast() {
      for property in structure.properties {
        guard let name = property.type.embeddedStructure, used.insert(name).inserted else { continue }
        if let next = schema.structure(named: name) { waiting.append(next) }
      }
    }
    schema.embedded.removeAll { !used.contains($0.name) }
  }
}

extension Property {
  /// Whether a program that declares the property so can read every value of the other's.
  fileprivate func reads(_ other: Property) -> Bool {
    type == other.type && (isOptional || !other.isOptional)
  }
}

extension PropertyType {
  /// The name of the struct it embeds, once or as a list.
  fileprivate var embeddedStructure: String? {
    switch self {
    case .embedded(let name), .embeddedList(let name): name
    case .scalar, .array, .set, .dictionary, .link, .list, .linkingObjects: nil
    }
  }
}
