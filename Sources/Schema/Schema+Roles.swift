extension Schema {
  /// For each struct, whether its use implies that it is only embedded: others contain it as a plain property, it has
  /// no index or inverse of its own, and nothing links to it.
  static func embeddedByUse(_ structures: [Entity]) -> [Bool] {
    var held: Set<String> = []
    var linked: Set<String> = []
    for property in structures.flatMap(\.properties) {
      switch property.type {
      case .embedded(let name), .embeddedList(let name): held.insert(name)
      case .link(let name), .list(let name), .linkingObjects(let name, _): linked.insert(name)
      case .scalar, .array, .set, .dictionary: break
      }
    }
    return structures.map { structure in
      held.contains(structure.name) && !linked.contains(structure.name) && structure.indexes.isEmpty
        && !structure.properties.contains(where: \.type.isInverse)
    }
  }
}

extension PropertyType {
  /// Whether it refers to objects.
  var isLink: Bool {
    switch self {
    case .link, .list, .linkingObjects: true
    case .scalar, .embedded, .array, .set, .dictionary, .embeddedList: false
    }
  }

  /// Whether it is the target of links.
  var isInverse: Bool {
    if case .linkingObjects = self { true } else { false }
  }
}
