import ObjectStoreCore

extension Schema {
  /// The columns of an entity, its inverses as links, and those of the entities behind links in a word.
  func reachable(from entity: Entity, by words: [String]) -> [Column] {
    var all = ends(of: entity)
    var next = 0
    // The length of the word limits the number of links, even if they form cycles.
    while next < all.count {
      let column = all[next]
      next += 1
      let prefix = column.path + "."
      guard let name = column.target, let target = self.entity(named: name),
        words.contains(where: { $0.hasPrefix(prefix) })
      else { continue }
      all += ends(of: target).map { inner in
        var inner = inner
        inner.path = prefix + inner.path
        return inner
      }
    }
    return all
  }

  /// The properties of each element of a collection, with the name of a variable as prefix.
  func elements(
    of collection: Column?, called name: String, by words: [String], _ columns: [Column]
  ) -> [Column] {
    guard let collection else { return [] }
    let prefix = collection.path + "."
    guard let target = collection.target.flatMap(entity(named:)) else {
      return columns.filter { $0.path.hasPrefix(prefix) }.map { column in
        var column = column
        column.path = "\(name)." + column.path.dropFirst(prefix.count)
        if case .parts(let type, _) = column.kind { column.kind = .scalar(type) }
        return column
      }
    }
    let own = words.filter { $0.hasPrefix(name + ".") }.map { String($0.dropFirst(name.count + 1)) }
    return reachable(from: target, by: own).map { column in
      var column = column
      column.path = "\(name).\(column.path)"
      return column
    }
  }

  /// The ways back to an entity, as `@links.Project.tasks`.
  func backlinks(to entity: String) -> [String] {
    entities.flatMap { source in
      columns(of: source).filter { $0.target == entity }.map { "@links.\(source.name).\($0.path)" }
    }
  }

  private func ends(of entity: Entity) -> [Column] {
    let inverses = entity.properties.compactMap { property -> Column? in
      guard case .linkingObjects(let source, _) = property.type else { return nil }
      return Column(path: property.name, kind: .links(source), isOptional: false, defaultValue: .list([]))
    }
    return columns(of: entity) + inverses
  }
}

extension Column {
  /// Whether it leads to many objects.
  var isToMany: Bool { if case .links = kind { true } else { false } }

  /// Whether it holds a number for each struct of a list.
  var isNumericPart: Bool { if case .parts(let type, _) = kind { type.isNumeric } else { false } }

  /// Whether it holds single numbers.
  var isNumeric: Bool { if case .scalar(let type) = kind { type.isNumeric } else { false } }
}
