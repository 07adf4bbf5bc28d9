internal import PredicateLanguage
internal import Storage

extension BoundStructure {
  /// The struct as columns of a flat row: its presence, if it may be nil, then its properties.
  var flat: (content: RowColumn.Content, values: [BoundExpression]) {
    var columns: [RowColumn] = []
    var values = presence.map { [$0] } ?? []
    for field in fields {
      let (content, inner) = field.flat
      columns.append(RowColumn(heading: field.name, content: content))
      values += inner
    }
    return (.structure(isOptional: presence != nil, columns), values)
  }

  /// The values that distinguish structs. The presence value counts only as nil or not nil.
  func distinguishing(of entity: StoredEntity) -> [BoundExpression] {
    func told(_ structure: BoundStructure) -> BoundStructure {
      var structure = structure
      switch structure.presence {
      case .column(let column, _)? where entity.columns[column].target == nil: break
      case let presence: structure.presence = presence.map { .assembled(BoundStructure(presence: $0, fields: [])) }
      }
      for place in structure.fields.indices {
        guard case .structure(let inner) = structure.fields[place].member else { continue }
        structure.fields[place].member = .structure(told(inner))
      }
      return structure
    }
    return told(self).flat.values
  }
}

extension BoundStructure.Field {
  /// The property as columns of a flat row.
  var flat: (content: RowColumn.Content, values: [BoundExpression]) {
    switch member {
    case .leaf(let expression): (.value(expression.type), [expression])
    case .structure(let inner): inner.flat
    }
  }
}
