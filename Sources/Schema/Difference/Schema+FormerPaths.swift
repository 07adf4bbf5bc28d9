extension Property {
  /// The property of an older version of the structure that became this one: the one with the same name, otherwise the
  /// first of its original names that existed and was not kept.
  ///
  /// - Parameters:
  ///   - old: The older version.
  ///   - new: The version that declares this property.
  public func former(in old: Entity, of new: Entity) -> Property? {
    if let same = old.property(named: name) { return same }
    return originalNames.lazy.filter { new.property(named: $0) == nil }.compactMap { old.property(named: $0) }.first
  }
}

extension Schema {
  /// The paths of an entity's properties in an older schema: the dotted path of each property that existed, under its
  /// own or an original name, by its current path. Includes the properties of structs, whatever the structs are called.
  public func formerPaths(of entity: Entity, in old: Schema, _ former: Entity) -> [String: String] {
    var paths: [String: String] = [:]
    collect(entity, former, in: old, prefix: "", formerPrefix: "", enclosing: [entity.name], into: &paths)
    return paths
  }

  private func collect(
    _ structure: Entity, _ former: Entity, in old: Schema, prefix: String, formerPrefix: String, enclosing: [String],
    into paths: inout [String: String]
  ) {
    for property in structure.properties {
      guard let source = property.former(in: former, of: structure),
        source.type.isInverse == property.type.isInverse
      else { continue }
      let path = prefix + property.name
      let formerPath = formerPrefix + source.name
      paths[path] = formerPath
      guard let name = property.type.embeddedStructure, !enclosing.contains(name),
        let inner = self.structure(named: name),
        let formerInner = source.type.embeddedStructure.flatMap({ old.structure(named: $0) })
      else { continue }
      collect(
        inner, formerInner, in: old, prefix: path + ".", formerPrefix: formerPath + ".",
        enclosing: enclosing + [name], into: &paths)
    }
  }
}

extension PropertyType {
  /// The name of the struct it embeds, once or as a list.
  public var embeddedStructure: String? {
    switch self {
    case .embedded(let name), .embeddedList(let name): name
    case .scalar, .array, .set, .dictionary, .link, .list, .linkingObjects: nil
    }
  }
}
