// Single changes of a schema. Each gives a declaration of the whole schema in which renamed parts say what they were, so
// that a migration finds their values.

extension Schema {
  /// The schema in which a structure's property is replaced or, if the structure has none of that name, is added.
  package func setting(_ property: Property, of structure: String) -> Schema {
    changing(structure) { structure in
      if let position = structure.properties.firstIndex(where: { $0.name == property.name }) {
        structure.properties[position] = property
      } else {
        structure.properties.append(property)
      }
    }
  }

  /// The schema in which a property has another name. Indexes and inverses follow it.
  package func renaming(_ place: PropertyPlace, to name: String) -> Schema {
    var schema = changing(place.structure) { structure in
      for position in structure.properties.indices where structure.properties[position].name == place.property {
        structure.properties[position].name = name
        structure.properties[position].originalNames = [place.property]
      }
    }
    func renamed(_ path: String, of entity: String) -> String {
      let steps = properties(along: path, of: entity)
      if steps.isEmpty { return path }
      return steps.map { step in
        step.structure.name == place.structure && step.property.name == place.property ? name : step.property.name
      }.joined(separator: ".")
    }
    for position in schema.entities.indices {
      let entity = schema.entities[position].name
      for index in schema.entities[position].indexes.indices {
        let paths = schema.entities[position].indexes[index].paths
        schema.entities[position].indexes[index].paths = paths.map { renamed($0, of: entity) }
      }
      for property in schema.entities[position].properties.indices {
        guard case .linkingObjects(let source, let path) = schema.entities[position].properties[property].type else {
          continue
        }
        schema.entities[position].properties[property].type = .linkingObjects(
          entity: source, property: renamed(path, of: source))
      }
    }
    return schema
  }

  /// The schema in which an entity has another name, everywhere.
  package func renamingEntity(_ entity: String, to name: String) -> Schema {
    renaming([entity: name]).changing(name) { $0.originalNames = [entity] }
  }

  /// The schema in which an entity has one more index.
  package func adding(_ index: Index, to entity: String) -> Schema { changing(entity) { $0.indexes.append(index) } }

  private func changing(_ name: String, _ change: (inout Entity) -> Void) -> Schema {
    var schema = self
    for position in schema.entities.indices where schema.entities[position].name == name {
      change(&schema.entities[position])
      schema.entities[position].forgetFormerNamesInUse()
    }
    for position in schema.embedded.indices where schema.embedded[position].name == name {
      change(&schema.embedded[position])
      schema.embedded[position].forgetFormerNamesInUse()
    }
    return schema
  }
}

extension Entity {
  /// A former name of a property is free again for another one: what it was for has happened.
  fileprivate mutating func forgetFormerNamesInUse() {
    let names = Set(properties.map(\.name))
    for place in properties.indices {
      let own = properties[place].name
      properties[place].originalNames.removeAll { $0 != own && names.contains($0) }
    }
  }
}

extension PropertyType {
  /// Whether values of this type become values of the other type by themselves, as far as the types say. A single value
  /// may still have no counterpart.
  package func becomes(_ other: PropertyType) -> Bool { other.takesOver(self) || other.converts(from: self) }
}
