internal import CPlatform
internal import Storage
internal import Values

/// Which objects of a cluster may come before a row of key values in the order of SORT: asked key by key, a cluster at a
/// time. It may let through objects that do not, never keep back one that does.
struct Contenders {
  let keys: [BoundSortKey]

  /// The objects to look at, of those in a mask.
  func mask(_ cluster: ClusterView, _ mask: Mask, _ bound: TopRows.Entry, _ scratch: Scratch) throws -> Mask {
    var before = Mask.none
    // Those that are the same by all keys so far.
    var same = mask
    for (key, value) in zip(keys, bound.keys) {
      guard let (earlier, equal) = try sides(key, value, cluster, scratch, among: same) else { return before | same }
      before |= same & earlier
      same &= equal
      if same.isEmpty { return before }
    }
    return cluster.number <= bound.object >> 8 ? before | same : before
  }

  /// The slots that come before a value by one key, and those that have it; nil where that is not known at once.
  private func sides(
    _ key: BoundSortKey, _ value: Value, _ cluster: ClusterView, _ scratch: Scratch, among slots: Mask
  ) throws -> (before: Mask, equal: Mask)? {
    if key.expression.isVectorizable {
      let (rank, word) = SortableKey.entry(value)
      return try scratch.withVector { vector in
        try vector.evaluate(key.expression, cluster, scratch, wanted: slots)
        return (vector.before(rank, word, key.ascending, orEqual: false), vector.equal(rank, word))
      }
    }
    if let (function, column) = key.expression.changedColumn {
      let view = try cluster.column(column)
      guard view.outOfLine.isEmpty, ChangedTextCondition.isWorthChanging(view, for: slots) else { return nil }
      return try sides(key, value, view, among: slots) { scratch.changedTexts.block($0, function, $1) }
    }
    guard let column = key.expression.column else { return nil }
    if case .string(var text) = value, let edges = cluster.textEdges(column), !key.ascending || edges.nullCount == 0 {
      let order = text.withUTF8 {
        Bytes.compare(key.ascending ? edges.minimum : edges.maximum, UnsafeRawBufferPointer($0))
      }
      if key.ascending ? order > 0 : order < 0 { return (.none, .none) }
    }
    return try sides(key, value, try cluster.column(column), among: .all) { block, _ in block }
  }

  /// - Parameter changed: The texts of some entries of a block as they are sorted.
  private func sides(
    _ key: BoundSortKey, _ value: Value, _ view: ColumnView, among slots: Mask,
    _ changed: (TextBlock, Mask) -> TextBlock
  ) throws -> (before: Mask, equal: Mask)? {
    guard let orders = try orders(of: view, to: value, among: slots, changed) else { return nil }
    let nulls = view.nulls
    switch value {
    case .null: return (key.ascending ? .none : ~nulls, nulls)
    default:
      return key.ascending
        ? (orders.less.andNot(nulls) | nulls, orders.equal.andNot(nulls))
        : ((~(orders.less | orders.equal)).andNot(nulls), orders.equal.andNot(nulls))
    }
  }

  /// The slots of some with less than a value and those with the same, where the values are texts or Bools; nils and all
  /// other slots count as anything.
  private func orders(
    of view: ColumnView, to value: Value, among slots: Mask, _ changed: (TextBlock, Mask) -> TextBlock
  ) throws -> (less: Mask, equal: Mask)? {
    if value.isNull { return (.none, .none) }
    if case .same = view.values {
      guard let slot = Mask(firstCount: view.slotCount).andNot(view.nulls).first else { return (.none, .none) }
      let order = SortOrder.compare(try view.value(at: slot), value)
      return (order < 0 ? .all : .none, order == 0 ? .all : .none)
    }
    if case .bits(let words) = view.values, case .bool(let flag) = value {
      let set = Mask(loading: words)
      return flag ? (~set, set) : (.none, ~set)
    }
    guard case .string(var text) = value else { return nil }
    return try text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var less = Mask.none
      var equal = Mask.none
      switch view.values {
      case .dictionary(let codes, let entries):
        let entries = changed(entries, Mask(firstCount: min(entries.count, Mask.slotCount)))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { tables in
          guard let isLess = tables.baseAddress else { return }
          tables.initialize(repeating: 0)
          let isEqual = isLess + 256
          for code in 0..<min(entries.count, 256) {
            let order = Bytes.compare(entries[code], bytes)
            isLess[code] = order < 0 ? 1 : 0
            isEqual[code] = order == 0 ? 1 : 0
          }
          less = Mask.filled { os_lookup_u8(codes, view.slotCount, isLess, $0) }
          equal = Mask.filled { os_lookup_u8(codes, view.slotCount, isEqual, $0) }
        }
      case .text(let block):
        let asked = slots & Mask(firstCount: view.slotCount).andNot(view.nulls)
        let block = changed(block, asked)
        try asked.forEach { slot in
          let order = Bytes.compare(view.outOfLine[slot] ? try view.text(at: slot) : block[slot], bytes)
          if order < 0 { less[slot] = true } else if order == 0 { equal[slot] = true }
        }
      default: return nil
      }
      return (less, equal)
    }
  }
}
