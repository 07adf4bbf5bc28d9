internal import Values

extension EntityWriter {
  /// Whether there is an object of that number.
  func contains(_ object: ObjectNumber) throws(StoreError) -> Bool {
    try clusters.existing(object.cluster)?.present[object.slot] ?? false
  }

  /// A value of an object; nil if the object does not exist.
  func value(_ object: ObjectNumber, _ column: Int) throws(StoreError) -> Value? {
    try writeLists(of: object)
    guard let builder = try clusters.existing(object.cluster), builder.present[object.slot] else { return nil }
    return try builder.value(object.slot, column)
  }

  /// Calls `body` with each target and each object that links to it through the given inverse.
  func forEachSource(
    of targets: some Sequence<UInt64>, by inverse: StoredIndex, _ body: (UInt64, UInt64) -> Void
  ) throws(StoreError) {
    try self.inverse(ofColumns: inverse.columns)?.forEachSource(of: targets, transaction, body)
  }

  private func inverse(ofColumns columns: [Int]) -> InverseIndexWriter? {
    for case let inverse as InverseIndexWriter in indexes where inverse.index.columns == columns { return inverse }
    return nil
  }

  /// Removes deleted targets from a link. A to-one link becomes nil at once; a list loses every occurrence when it is
  /// next read. The inverse is updated at once.
  func unlink(_ object: ObjectNumber, _ column: Int, from going: some Collection<UInt64>) throws(StoreError) {
    guard try contains(object) else {
      throw .corrupted(location: "the inverse of \(path(column)) has object \(object.rawValue), which does not exist")
    }
    if entity.columns[column].collectionKind != nil {
      let inverse = inverse(ofColumns: [column])
      for target in going { inverse?.note(target: Int64(bitPattern: target), object: object.rawValue, isRemoval: true) }
      return try lose(going, object, column)
    }
    guard case .int(let target)? = try value(object, column), going.contains(UInt64(bitPattern: target)) else {
      throw misplaced(object, column)
    }
    try update(object, [(column: column, value: .null)])
  }

  /// The list without its lost targets, which the inverse no longer has.
  func list(
    _ old: Value, without lost: [UInt64], _ object: ObjectNumber, _ column: Int
  ) throws(StoreError) -> Value {
    let lost = Set(lost)
    guard case .list(let elements) = old else { throw misplaced(object, column) }
    var found: Set<UInt64> = []
    let kept = elements.filter { element in
      guard case .int(let number) = element, lost.contains(UInt64(bitPattern: number)) else { return true }
      found.insert(UInt64(bitPattern: number))
      return false
    }
    if found.count != lost.count { throw misplaced(object, column) }
    return .list(kept)
  }

  private func misplaced(_ object: ObjectNumber, _ column: Int) -> StoreError {
    .corrupted(location: "the inverse of \(path(column)) has object \(object.rawValue) under another object's number")
  }

  private func path(_ column: Int) -> String { "\(entity.name).\(entity.columns[column].path)" }
}
