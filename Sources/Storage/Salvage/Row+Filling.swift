internal import Schema
internal import Values

extension [Value] {
  /// Gives missing values of a row, which are nil, what follows from others: whether a struct is there, and the number of
  /// structs in a list. Parts of a list get a nil for each struct.
  ///
  /// - Returns: The columns that are nil although they must not be, so that the new store has to allow it.
  mutating func fill(_ missing: Set<Int>, of entity: StoredEntity) -> [Int] {
    var lacking: [Int] = []
    for list in entity.structLists {
      let missingParts = list.parts.filter(missing.contains)
      if missing.contains(list.column) {
        let counts = list.parts.compactMap { if case .list(let elements) = self[$0] { elements.count } else { nil } }
        self[list.column] = counts.first.map { .int(Int64($0)) } ?? .null
      }
      // A number that no list has can only be in a file that somebody made up.
      guard case .int(let count) = self[list.column], (0...1 << 24).contains(count) else {
        self[list.column] = .null
        for part in list.parts { self[part] = .null }
        if !entity.columns[list.column].column.isOptional { lacking.append(list.column) }
        continue
      }
      let none = Value.list(Array(repeating: .null, count: Int(clamping: count)))
      for part in missingParts { self[part] = none }
      for part in missingParts {
        let column = entity.columns[part]
        if column.column.kind == .presences {
          let inner = list.parts.filter { entity.columns[$0].path.hasPrefix(column.path + ".") }.map { self[$0] }
          self[part] = .list(
            (0..<Int(clamping: count)).map { place in
              inner.contains {
                if case .list(let elements) = $0 { place < elements.count && !elements[place].isNull } else { false }
              }
                ? .bool(true) : .null
            })
        } else if !column.column.mayHoldNil, count > 0 {
          lacking.append(part)
        }
      }
    }
    for index in missing.sorted() {
      let column = entity.columns[index].column
      switch column.kind {
      case .presence:
        let isThere = entity.columns.indices.contains {
          entity.columns[$0].path.hasPrefix(column.path + ".") && !self[$0].isNull
        }
        self[index] = isThere ? .bool(true) : .null
      case .links where !column.isOptional: self[index] = .list([])
      case .scalar where !column.isOptional, .collection where !column.isOptional: lacking.append(index)
      case .scalar, .collection, .link, .links, .structs, .parts, .presences: break
      }
    }
    return lacking
  }
}

extension Schema {
  /// Makes the property at a dotted path of an entity optional; in a struct, wherever the struct is embedded.
  mutating func allowNil(at path: String, of entity: String) {
    var owner = entity
    let names = path.split(separator: ".").map(String.init)
    for (depth, name) in names.enumerated() {
      guard let property = structure(named: owner)?.properties.first(where: { $0.name == name }) else { return }
      if depth == names.count - 1 {
        func change(_ structures: inout [Entity]) {
          for place in structures.indices where structures[place].name == owner {
            for index in structures[place].properties.indices where structures[place].properties[index].name == name {
              structures[place].properties[index].isOptional = true
            }
          }
        }
        change(&entities)
        change(&embedded)
      }
      switch property.type {
      case .embedded(let inner), .embeddedList(let inner): owner = inner
      case .scalar, .array, .set, .dictionary, .link, .list, .linkingObjects: return
      }
    }
  }
}
