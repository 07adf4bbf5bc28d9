internal import Schema
internal import Storage
internal import Values

/// The columns of a file that the writer's model lacks: new objects get their defaults there, and changed objects keep
/// their values. Properties of a missing struct are missing too. No value is invented: a new object is refused if a
/// column requires a value and has no default.
struct UnseenColumns: Sendable {
  /// A column outside of lists of structs.
  private struct Single {
    let position: Int
    /// The presence columns of the structs around it.
    let presences: [Int]
    let substitute: Substitute
    /// The name in messages: the outermost unknown property.
    let title: String
  }

  /// The value of new objects in a column, if the structs around it exist.
  fileprivate enum Substitute {
    case value(Value)
    case made(GeneratedDefault)
    /// There is no value.
    case missing
  }

  private let singles: [Single]
  private let parts: Set<Int>
  private let entity: StoredEntity

  /// Whether the model has all columns.
  var isEmpty: Bool { singles.isEmpty && parts.isEmpty }

  /// - Parameter isKnown: Whether the model has the column at a position.
  init(of entity: StoredEntity, in schema: Schema, besides isKnown: (Int) -> Bool) {
    self.entity = entity
    let unknown = entity.columns.indices.filter { !isKnown($0) }
    parts = Set(unknown.filter { entity.columns[$0].column.kind.isPart })
    singles = unknown.filter { !entity.columns[$0].column.kind.isPart }.map { position in
      let column = entity.columns[position].column
      return Single(
        position: position,
        presences: entity.columns.indices.filter {
          entity.columns[$0].column.kind == .presence && column.path.hasPrefix(entity.columns[$0].path + ".")
        },
        substitute: column.substitute(schema.properties(along: column.path, of: entity.name).last?.property),
        title: entity.outermost(of: position, where: isKnown))
    }
  }

  /// Sets the values of a row in these columns.
  ///
  /// - Parameter old: The old values of the object; nil for a new one.
  /// - Throws: `unseenProperties` if one requires a value and has no default.
  func complete(_ row: inout [Value], from old: [Value]?) throws(StoreError) {
    var missing: [String] = []
    for column in singles {
      let isThere = !column.presences.contains { row[$0].isNull }
      let known = old.flatMap { old in column.presences.contains { old[$0].isNull } ? nil : old[column.position] }
      guard isThere else {
        row[column.position] = .null
        continue
      }
      if let known {
        row[column.position] = known
        continue
      }
      switch column.substitute {
      case .value(let value): row[column.position] = value
      case .made(let generated): row[column.position] = generated.make()
      case .missing: missing.append(column.title)
      }
    }
    if !parts.isEmpty { completeParts(of: &row, from: old, &missing) }
    if !missing.isEmpty { throw .unseenProperties(entity: entity.name, paths: unique(missing)) }
  }

  /// Sets the unknown properties of each struct in a list: to those of the old struct that is equal in all known
  /// properties, or else of the one at the same position, or else to the defaults.
  private func completeParts(of row: inout [Value], from old: [Value]?, _ missing: inout [String]) {
    for list in entity.structLists where list.parts.contains(where: parts.contains) {
      guard case .int(let count) = row[list.column] else {
        for part in list.parts where parts.contains(part) { row[part] = .null }
        continue
      }
      let wanted = Swift.max(0, Int(clamping: count))
      let sources = former(list, of: row, wanted, in: old)
      for part in list.parts where parts.contains(part) {
        let former: [Value] = if case .list(let known)? = old?[part] { known } else { [] }
        var elements: [Value] = []
        let presences = list.parts.filter { presence in
          entity.columns[presence].column.kind == .presences
            && entity.columns[part].path.hasPrefix(entity.columns[presence].path + ".")
        }
        for place in 0..<wanted {
          if let source = sources[place], former.indices.contains(source) {
            elements.append(former[source])
            continue
          }
          let isMissing = presences.contains { presence in
            guard case .list(let known) = row[presence], place < known.count else { return false }
            return known[place].isNull
          }
          let declared = entity.columns[part].column.part
          switch isMissing ? .value(.null) : declared?.substitute ?? .value(.null) {
          case .value(let value): elements.append(value)
          case .made(let generated): elements.append(generated.make())
          case .missing:
            missing.append(entity.columns[part].path)
            elements.append(.null)
          }
        }
        row[part] = .list(elements)
      }
    }
  }
}

extension UnseenColumns {
  /// The old position of each struct in a list; nil for a new one.
  private func former(_ list: StructList, of row: [Value], _ count: Int, in old: [Value]?) -> [Int?] {
    guard let old, case .int(let oldCount) = old[list.column] else { return Array(repeating: nil, count: count) }
    let known = list.parts.filter { !parts.contains($0) }
    func content(_ row: [Value], _ place: Int) -> [Value] {
      known.map { if case .list(let elements) = row[$0], place < elements.count { elements[place] } else { .null } }
    }
    let before = (0..<Swift.max(0, Int(clamping: oldCount))).map { content(old, $0) }
    var free: [[Value]: [Int]] = [:]
    for (place, content) in before.enumerated() { free[content, default: []].append(place) }
    var sources: [Int?] = []
    for place in 0..<count {
      let own = content(row, place)
      // Among several equal structs, prefers the one at the same position.
      let candidates = free[own] ?? []
      let source = candidates.contains(place) ? place : candidates.first
      if let source { free[own]?.removeAll { $0 == source } }
      sources.append(source)
    }
    let taken = Set(sources.compactMap { $0 })
    for place in sources.indices where sources[place] == nil && place < before.count && !taken.contains(place) {
      sources[place] = place
    }
    return sources
  }
}

extension Column {
  /// The value of objects that are written without the column, if the structs around it exist: the declared default, or
  /// else nil if that is allowed, or else an empty collection.
  fileprivate func substitute(_ property: Property?) -> UnseenColumns.Substitute {
    if let generated = property?.generatedDefault { return .made(generated) }
    guard property?.isOptional == false, property?.defaultValue == nil else { return .value(defaultValue) }
    return switch kind {
    case .scalar: .missing
    case .collection(let kind, _): .value(kind.empty)
    case .links: .value(.list([]))
    case .structs: .value(.int(0))
    case .presence, .link, .parts, .presences: .value(defaultValue)
    }
  }
}

extension Column.Part {
  /// The value for a property of the structs in a list.
  fileprivate var substitute: UnseenColumns.Substitute {
    if let generatedDefault { return .made(generatedDefault) }
    if let defaultValue { return .value(defaultValue) }
    return isRequired ? .missing : .value(.null)
  }
}

extension StoredEntity {
  /// The path of the outermost unknown property that contains a column.
  fileprivate func outermost(of column: Int, where isKnown: (Int) -> Bool) -> String {
    let path = columns[column].path
    let steps = path.split(separator: ".")
    for count in 1..<max(steps.count, 1) {
      let outer = steps.prefix(count).joined(separator: ".")
      let inner = columns.indices.filter { columns[$0].path == outer || columns[$0].path.hasPrefix(outer + ".") }
      if !inner.contains(where: isKnown) {
        return outer
      }
    }
    return path
  }
}

/// Each once, in order.
private func unique(_ paths: [String]) -> [String] {
  var known: Set<String> = []
  return paths.filter { known.insert($0).inserted }
}
