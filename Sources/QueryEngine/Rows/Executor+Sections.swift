internal import Storage

extension Executor {
  /// The sections of some objects by the values of a key, in the order of their first object.
  func sections(of objects: [UInt64], by key: BoundExpression) throws -> [FoundRows.Section] {
    let set = try ObjectSet(objects, cancellation)
    let numbers = GroupNumbers(set)
    let table = try GroupTable([key], [], plan.compiler, cancellation, noting: numbers)
    try eachPlace(of: set, reading: table.columns) { place, mask in
      try table.add(place, mask, context)
      return true
    }
    let entity = key.objects(of: plan.entity)
    var sections: [FoundRows.Section] = []
    var places = [Int](repeating: -1, count: table.count)
    var row = 0
    try numbers.forEach(of: objects, cancellation) { _, group in
      if places[group] >= 0 {
        sections[places[group]].rows.append(row)
      } else {
        places[group] = sections.count
        let value = table.value(group, 0)
        sections.append(FoundRows.Section(key: entity.map(value.objects) ?? value, rows: [row]))
      }
      row += 1
      return true
    }
    guard row == objects.count else {
      throw StoreError.corrupted(location: "\(plan.entity.name): an object that an index named is not there")
    }
    return sections
  }
}
