extension Schema {
  /// The names of the parts that another schema lacks, as `SchemaPart` spells them, with the names they have here:
  /// entities, properties with all that is in them, and indexes. What the other schema renames is not among them.
  package func partsLacking(in other: Schema) -> [String] {
    let renames = renames(to: other)
    var names: [String] = []
    for entity in entities {
      guard let new = other.entity(named: renames[entity.name] ?? entity.name) else {
        names.append(SchemaPart.entity(entity.name).description)
        continue
      }
      let former = renaming(renames)
      guard let renamed = former.entity(named: new.name) else { continue }
      let count = names.count
      collectLacking(renamed, new, in: former, other, prefix: "", enclosing: [], entity: entity.name, &names)
      let gone = names[count...].map { "\($0)" }
      let paths = Dictionary(
        other.formerPaths(of: new, in: former, renamed).map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      for index in entity.indexes {
        let followed = Index(kind: index.kind, paths: index.paths.map { paths[$0] ?? $0 })
        // An index on a property that goes, goes along.
        let goesAlong = index.paths.contains { path in
          gone.contains { "\(entity.name).\(path)" == $0 || "\(entity.name).\(path)".hasPrefix($0 + ".") }
        }
        if !goesAlong, !new.indexes.contains(followed) {
          names.append(SchemaPart.index(entity: entity.name, index).description)
        }
      }
    }
    return names
  }

  private func collectLacking(
    _ old: Entity, _ new: Entity, in former: Schema, _ other: Schema, prefix: String, enclosing: [String],
    entity: String, _ names: inout [String]
  ) {
    var matched: [String: Property] = [:]
    for property in new.properties {
      if let source = property.former(in: old, of: new) { matched[source.name] = property }
    }
    for property in old.properties {
      let path = prefix + property.name
      guard let now = matched[property.name] else {
        names.append(SchemaPart.property(entity: entity, path: path).description)
        continue
      }
      guard let name = property.type.embeddedStructure, !enclosing.contains(name),
        let inner = former.structure(named: name),
        let newInner = now.type.embeddedStructure.flatMap({ other.structure(named: $0) })
      else { continue }
      collectLacking(
        inner, newInner, in: former, other, prefix: path + ".", enclosing: enclosing + [name], entity: entity, &names)
    }
  }
}
