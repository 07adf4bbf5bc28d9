internal import Schema
internal import Values

// The columns of a list of structs belong together: each part has a value for every struct.

extension EntityWriter {
  /// Refuses a row in which the parts of a list of structs do not all have as many values as there are structs.
  func refuseUnevenLists(_ row: UnsafeBufferPointer<Value>) throws(StoreError) {
    guard row.count == entity.columns.count else { return }
    for list in entity.structLists {
      for part in list.parts { try refuseUneven(row[part], part, row[list.column], list) }
    }
  }

  /// Refuses changes after which the parts of a list would not all have as many values as there are structs.
  func refuseUnevenLists(
    _ changes: [(column: Int, value: Value)], _ builder: ClusterBuilder, _ slot: Int
  ) throws(StoreError) {
    for list in entity.structLists {
      let given = changes.filter { $0.column == list.column || list.parts.contains($0.column) }
      if given.isEmpty { continue }
      func value(_ column: Int) throws(StoreError) -> Value {
        if let change = given.last(where: { $0.column == column }) { return change.value }
        return try builder.value(slot, column)
      }
      let count = try value(list.column)
      for part in list.parts { try refuseUneven(try value(part), part, count, list) }
    }
  }

  private func refuseUneven(_ value: Value, _ part: Int, _ count: Value, _ list: StructList) throws(StoreError) {
    switch (value, count) {
    case (.null, .null): return
    case (.list(let elements), .int(let count)) where elements.count == count: return
    default: break
    }
    let structs = if case .int(let count) = count { "\(count)" } else { "no" }
    let values = if case .list(let elements) = value { "\(elements.count)" } else { "no" }
    throw .unsupported(
      "\(entity.name).\(list.path) would have \(structs) structs and \(values) values of "
        + "'\(entity.columns[part].path)'; give the list as a whole")
  }
}
