extension Schema {
  /// The entities that a declared schema renames (`@Model(originalName:)`): their new names by their old names.
  public func renames(to declared: Schema) -> [String: String] {
    var renames: [String: String] = [:]
    for entity in declared.entities where structure(named: entity.name) == nil {
      let former = entity.originalNames.first { name in
        self.entity(named: name) != nil && declared.structure(named: name) == nil && renames[name] == nil
      }
      if let former { renames[former] = entity.name }
    }
    return renames
  }

  /// The same schema with some structures renamed, everywhere.
  public func renaming(_ names: [String: String]) -> Schema {
    if names.isEmpty { return self }
    func renamed(_ structure: Entity) -> Entity {
      var structure = structure
      structure.name = names[structure.name] ?? structure.name
      for position in structure.properties.indices {
        structure.properties[position].type = structure.properties[position].type.renaming(names)
      }
      return structure
    }
    return Schema(entities: entities.map(renamed), embedded: embedded.map(renamed))
  }

  /// The same schema with the other parts of another schema, except those that are renamed here: a declaration of only
  /// some entities does not remove the others.
  public func adding(_ other: Schema) -> Schema {
    let other = other.renaming(other.renames(to: self))
    return Schema(
      entities: entities + other.entities.filter { structure(named: $0.name) == nil },
      embedded: embedded + other.embedded.filter { structure(named: $0.name) == nil })
  }
}

extension PropertyType {
  /// The same type with some structures renamed.
  func renaming(_ names: [String: String]) -> PropertyType {
    switch self {
    case .scalar, .array, .set, .dictionary: self
    case .embedded(let name): .embedded(names[name] ?? name)
    case .embeddedList(let name): .embeddedList(names[name] ?? name)
    case .link(let name): .link(names[name] ?? name)
    case .list(let name): .list(names[name] ?? name)
    case .linkingObjects(let name, let property): .linkingObjects(entity: names[name] ?? name, property: property)
    }
  }
}
