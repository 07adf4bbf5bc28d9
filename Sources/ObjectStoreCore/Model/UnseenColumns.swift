internal import Schema
internal import Storage
internal import Values

/// The columns of a file that whoever writes does not know: new objects get their defaults there, and objects that are
/// changed keep what they have. What is in a struct that is missing is missing with it.
struct UnseenColumns: Sendable {
  /// A column outside of lists of structs.
  private struct Single {
    let position: Int
    /// The columns that say whether the structs around it are there.
    let presences: [Int]
    /// What objects have where they are.
    let substitute: Value
  }

  private let singles: [Single]
  private let parts: Set<Int>
  private let entity: StoredEntity

  /// Whether everything is known.
  var isEmpty: Bool { singles.isEmpty && parts.isEmpty }

  init(of entity: StoredEntity, besides known: Set<Int>, in schema: Schema) {
    self.entity = entity
    let unknown = entity.columns.indices.filter { !known.contains($0) }
    parts = Set(unknown.filter { entity.columns[$0].column.kind.isPart })
    singles = unknown.filter { !entity.columns[$0].column.kind.isPart }.map { position in
      let column = entity.columns[position].column
      return Single(
        position: position,
        presences: entity.columns.indices.filter {
          entity.columns[$0].column.kind == .presence && column.path.hasPrefix(entity.columns[$0].path + ".")
        },
        substitute: column.substitute(schema.properties(along: column.path, of: entity.name).last?.property))
    }
  }

  /// Gives a row its values in these columns.
  ///
  /// - Parameter old: what the object had; nil for a new one.
  func complete(_ row: inout [Value], from old: [Value]?) {
    for column in singles {
      let isThere = !column.presences.contains { row[$0].isNull }
      let known = old.flatMap { old in column.presences.contains { old[$0].isNull } ? nil : old[column.position] }
      row[column.position] = isThere ? known ?? column.substitute : .null
    }
    if !parts.isEmpty { completeParts(of: &row, from: old) }
  }

  /// Each struct of a list gets what the struct at the same place had, else the default.
  private func completeParts(of row: inout [Value], from old: [Value]?) {
    for list in entity.structLists {
      guard case .int(let count) = row[list.column] else {
        for part in list.parts where parts.contains(part) { row[part] = .null }
        continue
      }
      for part in list.parts where parts.contains(part) {
        var elements: [Value] = if case .list(let known)? = old?[part] { known } else { [] }
        let wanted = Swift.max(0, Int(clamping: count))
        if elements.count > wanted { elements.removeLast(elements.count - wanted) }
        let presences = list.parts.filter { presence in
          entity.columns[presence].column.kind == .presences
            && entity.columns[part].path.hasPrefix(entity.columns[presence].path + ".")
        }
        for place in elements.count..<wanted {
          let isMissing = presences.contains { presence in
            guard case .list(let known) = row[presence], place < known.count else { return false }
            return known[place].isNull
          }
          elements.append(isMissing ? .null : entity.columns[part].column.olderPart)
        }
        row[part] = .list(elements)
      }
    }
  }
}

extension Column {
  /// What objects have that are made without knowing of the column, where the structs around it are there: the declared
  /// default, else nil where that is allowed, else what a type is when nothing says.
  fileprivate func substitute(_ property: Property?) -> Value {
    guard property?.isOptional == false, property?.defaultValue == nil else { return defaultValue }
    switch kind {
    case .scalar(let type): return type.zero
    case .collection(let kind, _): return kind.empty
    case .links: return .list([])
    case .structs: return .int(0)
    case .presence, .link, .parts, .presences: return defaultValue
    }
  }
}
