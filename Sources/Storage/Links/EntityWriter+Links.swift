internal import Values

extension EntityWriter {
  /// Whether there is an object of that number.
  func contains(_ object: ObjectNumber) throws(StoreError) -> Bool {
    try clusters.existing(object.cluster)?.present[object.slot] ?? false
  }

  /// One value of an object; nil where there is no object.
  func value(_ object: ObjectNumber, _ column: Int) throws(StoreError) -> Value? {
    guard let builder = try clusters.existing(object.cluster), builder.present[object.slot] else { return nil }
    return try builder.value(object.slot, column)
  }

  /// Calls `body` with each of the targets and each object that links to it through the link of that inverse.
  func forEachSource(
    of targets: some Sequence<UInt64>, by inverse: StoredIndex, _ body: (UInt64, UInt64) -> Void
  ) throws(StoreError) {
    guard let writer = indexes.first(where: { $0.index.number == inverse.number }) else { return }
    try writer.forEachSource(of: targets, transaction, body)
  }

  /// Takes the objects that go out of a link: one becomes nil, a list loses every occurrence.
  func unlink(_ object: ObjectNumber, _ column: Int, from going: Set<UInt64>) throws(StoreError) {
    func goes(_ target: Value) -> Bool {
      if case .int(let number) = target { going.contains(UInt64(bitPattern: number)) } else { false }
    }
    let path = "\(entity.name).\(entity.columns[column].path)"
    guard let old = try value(object, column) else {
      throw .corrupted(location: "the inverse of \(path) has object \(object.rawValue), which does not exist")
    }
    let new: Value
    switch old {
    case .list(let elements): new = .list(elements.filter { !goes($0) })
    default: new = goes(old) ? .null : old
    }
    guard new != old else {
      throw .corrupted(location: "the inverse of \(path) has object \(object.rawValue) under another object's number")
    }
    try update(object, [(column: column, value: new)])
  }
}
