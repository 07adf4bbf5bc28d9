internal import Storage
internal import Values

/// Decides for each property of a saved object whether the saved or the stored value is kept.
///
/// It knows the values at the time of the read only by digests.
struct SaveMerge {
  private let layout: ModelLayout
  private let row: [Value]
  /// The values to store.
  private(set) var values: [Value]
  /// The paths of the properties that keep a value of others.
  private(set) var kept: [String] = []
  /// The columns changed since, with digests of their earlier values; nil when not known.
  private let before: [UInt32: UInt64]?

  init(of layout: ModelLayout, _ row: [Value], _ values: [Value], before: [UInt32: UInt64]?) {
    self.layout = layout
    self.row = row
    self.values = values
    self.before = before
  }

  /// Replaces values by the stored ones where only others changed them. Returns the properties that prevent saving.
  ///
  /// - Parameter writingUnread: Whether the object was not read, so that all differences count as changes.
  mutating func merge(ifUnchanged: Bool, writingUnread: Bool) -> [String] {
    var refused: [String] = []
    let written = layout.keepingEncoded(row, in: values)
    for (path, columns) in layout.properties {
      let stored = columns.compactMap { column in
        layout.positions[column].map { position in (column: column, position: position) }
      }
      guard let before else {
        let differs = stored.contains { !row[$0.position].isIdentical(to: written[$0.column]) }
        if differs, ifUnchanged || !writingUnread { refused.append(path) }
        continue
      }
      var (isOwn, isOfOthers, isInDoubt) = (false, false, false)
      for (column, position) in stored {
        if let old = before[layout.entity.columns[position].number] {
          let (isChanged, isOwnChange) = (old != row[position].digest, old != values[column].digest)
          if isChanged { isOfOthers = true }
          if isOwnChange { isOwn = true }
          // A value encoded by others may have a different digest without being changed here.
          if isChanged, isOwnChange, layout.definition.encoded[column] != nil { isInDoubt = true }
        } else if !row[position].isIdentical(to: written[column]) {
          isOwn = true
        }
      }
      if isOfOthers && ifUnchanged || isInDoubt { refused.append(path) }
      if isOfOthers, !isOwn {
        for (column, position) in stored { values[column] = row[position] }
        kept.append(path)
      }
    }
    return refused
  }
}
