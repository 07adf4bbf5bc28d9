import Diagnostics

extension SchemaValidation {
  /// Checks that the indexes of an entity are over columns they can answer for.
  mutating func checkIndexes(of entity: Entity, _ number: Int) {
    let columns = Dictionary(
      schema.columns(of: entity).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<Index> = []
    for (offset, index) in entity.indexes.enumerated() {
      let place = SchemaPlace.index(number, offset)
      if index.paths.isEmpty {
        report(.emptyIndex, "an index of '\(entity.name)' names no property", at: place)
        continue
      }
      if !seen.insert(index).inserted {
        report(.duplicateIndex, "'\(entity.name)' has the index '\(index.name)' twice", at: place)
      }
      if Set(index.paths).count < index.paths.count {
        report(.duplicateName, "the index '\(index.name)' names a property twice", at: place)
      }
      if !index.kind.isDeclarable {
        report(
          .wrongIndex, "the inverse '\(index.name)' is not to be declared: every link has one", at: place)
      } else if index.kind.isOverText {
        guard let path = single(index, at: place), checkColumn(path, of: entity, columns, at: place) else { continue }
        if columns[path]?.kind != .scalar(.string) {
          report(
            .wrongIndex, "a '.\(index.kind.attribute)' index is over text, which '\(path)' is not", at: place,
            notes: ["write '.indexed': it is for values that are not text too"])
        }
      } else if index.kind.isOverPoint {
        guard let path = single(index, at: place) else { continue }
        let isPoint = ["longitude", "latitude"].allSatisfy { columns["\(path).\($0)"]?.kind == .scalar(.double) }
        if !isPoint {
          report(
            .wrongIndex, "a '.geo' index is over a point, which '\(path)' is not", at: place,
            notes: ["a point is a struct with the Doubles 'longitude' and 'latitude'"])
        }
      } else {
        for path in index.paths { checkColumn(path, of: entity, columns, at: place) }
      }
    }
  }

  private mutating func single(_ index: Index, at place: SchemaPlace) -> String? {
    if index.paths.count == 1 { return index.paths[0] }
    report(.wrongIndex, "a '.\(index.kind.attribute)' index is over one property", at: place)
    return nil
  }

  /// Whether `path` leads to a column that holds a single value.
  @discardableResult
  private mutating func checkColumn(
    _ path: String, of entity: Entity, _ columns: [String: Column], at place: SchemaPlace
  ) -> Bool {
    switch columns[path]?.kind {
    case .scalar, .link: return true
    case .links:
      report(
        .wrongIndex, "'\(path)' is a list of links, which no index can be over", at: place,
        notes: ["which objects link to an object is known without one"])
      return false
    case .collection(let kind, let type):
      report(
        .wrongIndex, "'\(path)' is a collection, \(kind.name(of: type)), which no index can be over", at: place,
        notes: ["conditions on its elements read the column itself"])
      return false
    case .structs(let name):
      report(
        .wrongIndex, "'\(path)' is a list of '\(name)', which no index can be over", at: place,
        notes: ["conditions on its structs read their columns themselves"])
      return false
    case .parts, .presences:
      report(
        .wrongIndex, "'\(path)' has a value for each struct of a list, which no index can be over", at: place,
        notes: ["conditions on it read the column itself"])
      return false
    case .presence, nil: break
    }
    let inner = columns.keys.filter { $0.hasPrefix(path + ".") }.sorted()
    if let first = inner.first {
      report(
        .wrongIndex, "'\(path)' is a struct: an index is over its properties", at: place,
        notes: ["write '\\.\(first)', for example"])
    } else if let property = entity.property(named: path) {
      report(.wrongIndex, "'\(property.name)' holds no single value, so it cannot be indexed", at: place)
    } else {
      let near = Suggestion.nearest(to: path, among: columns.keys.sorted())
      report(
        .unknownProperty, "\(entity.name) has no property '\(path)'", at: place,
        notes: near.map { ["did you mean '\($0)'?"] } ?? [])
    }
    return false
  }
}
