internal import Schema
internal import Storage

/// Whole structs, assembled from the columns below a dotted path.
extension PathOrigin {
  /// The struct at a dotted path, with all its properties. A variable introduced in it has the given level.
  ///
  /// The struct is nil if it or anything around it is nil: an optional struct around it, the object, or the struct of a
  /// list.
  func structure(at path: String, of entity: StoredEntity, level: Int) -> BoundStructure {
    BoundStructure(
      presence: presence(at: path, of: entity), fields: fields(below: path + ".", of: entity, level: level))
  }

  /// The property at a dotted path: a value, or a struct, which is nil if its presence column says so. Returns nil if
  /// the entity has no columns for the path.
  func member(at path: String, of entity: StoredEntity, level: Int) -> BoundStructure.Field? {
    let name = String(path.split(separator: ".").last ?? "")
    let own = entity.column(at: path)
    if let list = entity.structLists.first(where: { $0.column == own }) {
      let owner = BoundPart.Owner(origin: self, list: list)
      let part = BoundPart(owner: owner, place: .index(.element(level: level, .structure)))
      let structs = BoundCollection.each(owner.positions, level: level, part.assembled(entity))
      return BoundStructure.Field(name: name, member: .leaf(.reduced(.list, structs)))
    }
    if let own, !entity.columns[own].column.kind.saysWhether {
      let column = entity.columns[own]
      let type = column.column.kind.isPart ? column.elementType : ExpressionType(column)
      return BoundStructure.Field(name: name, member: .leaf(value(own, type)), objects: column.target)
    }
    let fields = fields(below: path + ".", of: entity, level: level)
    if fields.isEmpty { return nil }
    let presence = own.map { value($0, .structure) }
    return BoundStructure.Field(name: name, member: .structure(BoundStructure(presence: presence, fields: fields)))
  }

  private func fields(below prefix: String, of entity: StoredEntity, level: Int) -> [BoundStructure.Field] {
    var names: [Substring] = []
    for column in entity.columns where column.path.hasPrefix(prefix) {
      let name = column.path.dropFirst(prefix.count).prefix { $0 != "." }
      if names.last != name { names.append(name) }
    }
    return names.compactMap { member(at: prefix + $0, of: entity, level: level) }
  }

  /// The value that states whether a struct exists; nil for a struct that always exists.
  private func presence(at path: String, of entity: StoredEntity) -> BoundExpression? {
    var path = path[...]
    while path.utf8.count > list?.path.utf8.count ?? 0 {
      if let own = entity.column(at: String(path)), entity.columns[own].column.kind.saysWhether {
        return value(own, .structure)
      }
      guard let dot = path.lastIndex(of: ".") else { break }
      path = path[..<dot]
    }
    return switch self {
    case .root: nil
    case .object(let object): object.number.asStructure
    case .part(let part): part.asStructure
    }
  }
}

extension Column.Kind {
  /// Whether the column states which structs exist.
  fileprivate var saysWhether: Bool { self == .presence || self == .presences }
}

extension BoundExpression {
  /// The object ID as a value that states whether the object's structs exist.
  fileprivate var asStructure: BoundExpression {
    switch self {
    case .column(let column, _): .column(column, .structure)
    case .property(let object, let column, _): .property(object, column, .structure)
    case .element(let level, _): .element(level: level, .structure)
    case .own: .own(.structure)
    case .constant, .computed, .now, .negate, .complement, .arithmetic, .call, .ternary, .reduced, .item, .entry,
      .object, .assembled, .gathered:
      .assembled(BoundStructure(presence: self, fields: []))
    }
  }
}
