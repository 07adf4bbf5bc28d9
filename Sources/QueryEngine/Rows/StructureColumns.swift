internal import PredicateLanguage
internal import Schema
internal import Storage

/// How a property, an embedded struct perhaps, is made up of leaf columns.
struct StructureColumns {
  private let entity: StoredEntity

  init(_ entity: StoredEntity) { self.entity = entity }

  /// The column of collections that a path of names leads to.
  func collection(at path: PathSyntax) -> Int? {
    guard let names = path.plainNames, let column = entity.column(at: names.joined(separator: ".")),
      entity.columns[column].collectionKind != nil
    else { return nil }
    return column
  }

  /// What stands at a dotted path, with the columns it is made of in the order of a flat row.
  func content(at path: String) -> (content: RowColumn.Content, values: [BoundExpression])? {
    let own = entity.column(at: path)
    if let list = entity.structLists.first(where: { $0.column == own }) {
      let owner = BoundPart.Owner(origin: .root, list: list)
      let part = BoundPart(owner: owner, place: .index(.element(level: 0, .structure)))
      return (.value(.list), [.reduced(.list, .each(owner.positions, level: 0, part.assembled(entity)))])
    }
    if let own, entity.columns[own].column.kind != .presence {
      let value = BoundExpression.column(own, ExpressionType(entity.columns[own]))
      return (.value(value.type), [value])
    }
    let prefix = path + "."
    var names: [String] = []
    for column in entity.columns where column.path.hasPrefix(prefix) {
      let name = String(column.path.dropFirst(prefix.count).prefix { $0 != "." })
      if names.last != name { names.append(name) }
    }
    if names.isEmpty { return nil }
    var values: [BoundExpression] = own.map { [.column($0, .bool)] } ?? []
    var columns: [RowColumn] = []
    for name in names {
      guard let inner = content(at: prefix + name) else { continue }
      columns.append(RowColumn(heading: name, content: inner.content))
      values += inner.values
    }
    return (.structure(isOptional: own != nil, columns), values)
  }
}

extension PathSyntax {
  /// The names it consists of; nil when there is anything else in it.
  var plainNames: [String]? {
    guard variable == nil, !steps.isEmpty else { return nil }
    var names: [String] = []
    for step in steps {
      guard case .name(let name) = step.kind else { return nil }
      names.append(name)
    }
    return names
  }
}
