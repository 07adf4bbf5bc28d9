internal import CKernels
internal import Storage
internal import Values

/// Selects the objects of a cluster that may come before a row of key values in the order of SORT, evaluated key by
/// key. It may select objects that do not; it never drops one that does.
struct TopKPrefilter {
  private let keys: [(expression: VectorExpression, ascending: Bool)]

  init(_ keys: [BoundSortKey], _ compiler: FilterCompiler) throws {
    self.keys = try keys.map { (try VectorExpression($0.expression, compiler, isKey: true), $0.ascending) }
  }

  /// The objects of a mask that may come before `bound`.
  func mask(_ cluster: ClusterView, _ mask: Mask, _ bound: TopKRows.Entry, _ context: ExecutionContext) throws -> Mask {
    var before = Mask.none
    // The objects that are equal in all keys so far.
    var same = mask
    for (key, value) in zip(keys, bound.keys) {
      guard let (earlier, equal) = try sides(key, value, cluster, context, among: same) else { return before | same }
      before |= same & earlier
      same &= equal
      if same.isEmpty { return before }
    }
    return cluster.number <= bound.object >> 8 ? before | same : before
  }

  /// The slots that come before a value by one key, and those equal to it; nil if they must be compared one by one.
  private func sides(
    _ key: (expression: VectorExpression, ascending: Bool), _ value: Value, _ cluster: ClusterView,
    _ context: ExecutionContext, among slots: Mask
  ) throws -> (before: Mask, equal: Mask)? {
    // Values that are compared row by row are not computed here as well.
    if key.expression.form == .values { return nil }
    if case .rows = key.expression.node { return nil }
    if case .column(let column) = key.expression.node, case .string(var text) = value,
      let edges = cluster.textEdges(column), !key.ascending || edges.nullCount == 0
    {
      let order = text.withUTF8 {
        Bytes.compare(key.ascending ? edges.minimum : edges.maximum, UnsafeRawBufferPointer($0))
      }
      if key.ascending ? order > 0 : order < 0 { return (.none, .none) }
    }
    if case .column(let column) = key.expression.node, case .decimal(let number) = value, !number.isNaN,
      let sides = Self.sides(of: number, key.ascending, in: try cluster.column(column))
    {
      return sides
    }
    return try context.withVector { vector in
      try key.expression.evaluate(into: vector, cluster, context, wanted: slots)
      // A vector of nils may have any form.
      if slots.andNot(vector.nulls).isEmpty {
        if value.isNull { return (.none, slots) }
        return (key.ascending ? slots : .none, .none)
      }
      if vector.form.isNumeric {
        let (rank, word) = SortableKey.entry(value)
        return (vector.before(rank, word, key.ascending, orEqual: false), vector.equal(rank, word))
      }
      let nulls = vector.nulls
      if value.isNull { return (key.ascending ? .none : ~nulls, nulls) }
      guard let orders = vector.orders(to: value, among: slots.andNot(nulls)) else { return nil }
      return key.ascending
        ? (orders.less.andNot(nulls) | nulls, orders.equal.andNot(nulls))
        : ((~(orders.less | orders.equal)).andNot(nulls), orders.equal.andNot(nulls))
    }
  }
}

extension TopKPrefilter {
  /// The slots that come before a number in a column of Decimals, and those equal to it; nil unless they are stored as
  /// integers.
  private static func sides(
    of number: DecimalValue, _ ascending: Bool, in view: ColumnView
  ) -> (before: Mask, equal: Mask)? {
    guard case .numbers(let numbers) = view.values else { return nil }
    func slots(_ interval: ValueInterval) -> Mask {
      guard let (lower, upper) = ClosedRanges.integers(interval, places: numbers.exponent) else { return .none }
      return numbers.between(view.slotCount, lower, upper).andNot(view.nulls)
    }
    let bound = ValueInterval.Bound.excluded(.decimal(number))
    let before = ascending ? slots(ValueInterval(upper: bound)) | view.nulls : slots(ValueInterval(lower: bound))
    return (before, slots(.exactly(.decimal(number))))
  }
}

extension Vector {
  /// The slots that are less than a value, and those equal to it, for Bools, strings or bytes; slots outside `slots` are
  /// undefined.
  fileprivate func orders(to value: Value, among slots: Mask) -> (less: Mask, equal: Mask)? {
    switch (form, value) {
    case (.flags, .bool(let flag)): return flag ? (~flags, flags) : (.none, ~flags)
    case (.strings, _): return KeyBytes.with(value) { strings.orders(to: $0, among: slots) }
    default: return nil
    }
  }
}

extension StringVector {
  fileprivate func orders(to text: UnsafeRawBufferPointer, among slots: Mask) -> (less: Mask, equal: Mask) {
    var less = Mask.none
    var equal = Mask.none
    switch layout {
    case .same(let own):
      let order = Bytes.compare(own, text)
      return (order < 0 ? .all : .none, order == 0 ? .all : .none)
    case .coded(let codes, let count, let entries):
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { tables in
        guard let isLess = tables.baseAddress else { return }
        tables.initialize(repeating: 0)
        let isEqual = isLess + 256
        for code in 0..<min(entries.count, 256) {
          let order = Bytes.compare(entries[code], text)
          isLess[code] = order < 0 ? 1 : 0
          isEqual[code] = order == 0 ? 1 : 0
        }
        less = Mask.filled { os_lookup_u8(codes, count, isLess, $0) }
        equal = Mask.filled { os_lookup_u8(codes, count, isEqual, $0) }
      }
    case .block:
      slots.forEach { slot in
        let order = Bytes.compare(self[slot], text)
        if order < 0 { less[slot] = true } else if order == 0 { equal[slot] = true }
      }
    }
    return (less, equal)
  }
}
