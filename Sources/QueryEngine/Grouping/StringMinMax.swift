internal import Storage
internal import Values

/// The minimum or maximum of strings, which are ordered by their bytes.
struct StringMinMax {
  private var bytes: [UInt8] = []
  private var isAny = false

  mutating func offer(_ text: UnsafeRawBufferPointer, _ aggregate: Aggregate) {
    if isAny {
      let order = bytes.withUnsafeBytes { Bytes.compare(text, $0) }
      guard aggregate == .minimum ? order < 0 : order > 0 else { return }
    }
    isAny = true
    bytes = Array(text)
  }

  /// The string; nil if there was none.
  var value: Value { isAny ? .string(String(decoding: bytes, as: UTF8.self)) : .null }
}

/// The minimum or maximum string of each group.
final class StringGroupAccumulator: GroupAccumulator {
  private let argument: VectorExpression
  private let aggregate: Aggregate
  private var totals: [StringMinMax] = []

  init(_ argument: VectorExpression, _ aggregate: Aggregate) {
    self.argument = argument
    self.aggregate = aggregate
  }

  func grow(to count: Int) {
    if totals.count < count { totals.append(contentsOf: repeatElement(StringMinMax(), count: count - totals.count)) }
  }

  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) throws {
    groups.useSlots()
    try context.withVector { vector in
      try argument.evaluate(into: vector, try place.view(), context, wanted: mask)
      mask.andNot(vector.nulls).forEach { totals[Int(groups.slots[$0])].offer(vector.strings[$0], aggregate) }
    }
  }

  func value(_ group: Int) -> Value { totals[group].value }
}
