internal import Schema
internal import Values

extension SalvagedEntity {
  /// Inserts the objects under their numbers. Links to objects that were not saved are left out.
  func write(to session: WriteSession, among entities: [SalvagedEntity], _ wait: WriteWait) throws {
    guard let target = session.schema.entity(named: entity.name) else { return }
    let links = entity.columns.indices.compactMap { index in
      entity.columns[index].target.flatMap { name in entities.first { $0.entity.name == name } }.map { (index, $0) }
    }
    try session.writer(of: target).restartNumbers()
    for position in clusters.indices {
      if wait.isOver { throw StoreError.cancelled }
      try forEachRow(position, isFirstTime: false) { object, row in
        var row = row
        for (index, other) in links { unlink(&row[index], index, from: object, other) }
        try session.writer(of: target).skipNumbers(before: object.rawValue)
        try session.insert(row, into: target)
      }
    }
    try session.writer(of: target).skipNumbers(before: nextObject)
  }

  /// Removes the targets from a link that were not saved.
  private func unlink(_ value: inout Value, _ column: Int, from object: ObjectNumber, _ other: SalvagedEntity) {
    func isThere(_ element: Value) -> Bool {
      guard case .int(let target) = element else { return true }
      let number = ObjectNumber(target: target)
      return other.present[number.cluster]?[number.slot] ?? false
    }
    var lost: [Value] = []
    switch value {
    case .list(let elements):
      lost = elements.filter { !isThere($0) }
      if !lost.isEmpty { value = .list(elements.filter(isThere)) }
    case .int where !isThere(value):
      lost = [value]
      value = .null
    default: break
    }
    for case .int(let target) in lost {
      note(
        lost: object, entity.columns[column].path,
        "it leads to \(other.entity.name) \(ObjectNumber(target: target).rawValue), which could not be saved")
    }
  }

  /// Removes objects that share a unique value with another one: where the lists of free pages are damaged, an object may
  /// be found again that was deleted.
  func refuseShared(in session: WriteSession) throws {
    guard let target = session.schema.entity(named: entity.name) else { return }
    while let found = try session.violations().first(where: { $0.entity == entity.name }) {
      for object in found.objects.dropFirst() {
        try session.delete(object, of: target)
        refused += 1
        note(lost: object, nil, "it has the unique \(found.path) of \(found.objects[0].rawValue)")
      }
    }
  }
}
