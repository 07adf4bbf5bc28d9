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
      let structs = BoundExpression.reduced(.list, .each(owner.positions, level: 0, part.assembled(entity)))
      guard entity.columns[list.column].column.isOptional else { return (.value(.list), [structs]) }
      // In an optional struct that is not there, there is no list either.
      let isNil = ColumnTest(column: list.column, question: .isNil, syntax: PredicateSyntax(.constant(true)))
      return (.value(.list), [.ternary(.test(isNil), .constant(.null), structs)])
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

  /// What a path that goes through links to one object each comes to, where that is a struct: with nothing where a link
  /// on the way is nil. nil for other paths.
  func linked(
    at names: ArraySlice<String>, _ schema: StoredSchema
  ) -> (content: RowColumn.Content, values: [BoundExpression])? {
    var entity = entity
    var names = names
    var number: BoundExpression?
    while let (column, length) = link(at: names, of: entity), length < names.count,
      let target = entity.columns[column].target.flatMap({ schema.entity(named: $0) })
    {
      let type = ExpressionType.object(target.name)
      let linked = LinkedEntity(stored: target)
      number =
        number.map { .property(BoundObject(entity: LinkedEntity(stored: entity), number: $0), column, type) }
        ?? .column(column, type)
      entity = linked.stored
      names = names.dropFirst(length)
    }
    guard let number, let found = StructureColumns(entity).content(at: names.joined(separator: ".")),
      case .structure(let isOptional, let columns) = found.content
    else { return nil }
    let object = BoundObject(entity: LinkedEntity(stored: entity), number: number)
    var values = found.values.map { value -> BoundExpression in
      value.column.map { .property(object, $0, value.type) } ?? value
    }
    // What is nil where there is no object: the optional struct in it, or the link.
    if !isOptional { values.insert(number.asPresence, at: 0) }
    return (.structure(isOptional: true, columns), values)
  }

  /// The link to one object that some names begin with, and how many of them it takes: it may stand in a struct.
  private func link(at names: ArraySlice<String>, of entity: StoredEntity) -> (column: Int, length: Int)? {
    for length in 1...max(1, names.count) {
      guard let column = entity.column(at: names.prefix(length).joined(separator: ".")),
        entity.columns[column].target != nil, entity.columns[column].collectionKind == nil
      else { continue }
      return (column, length)
    }
    return nil
  }
}

extension BoundExpression {
  /// The number of an object as what says whether something of it is there.
  fileprivate var asPresence: BoundExpression {
    switch self {
    case .column(let column, _): .column(column, .structure)
    case .property(let object, let column, _): .property(object, column, .structure)
    default: self
    }
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
