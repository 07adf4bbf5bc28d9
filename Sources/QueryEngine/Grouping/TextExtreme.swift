internal import Storage
internal import Values

/// The least or greatest of texts that are offered one by one, by their bytes, which is their order.
struct TextExtreme {
  private var bytes: [UInt8] = []
  private var isAny = false

  /// Whether a text of a column is its value, in the order of values.
  static func fits(_ expression: BoundExpression) -> Bool {
    if case .column(_, let type) = expression { type == .string } else { false }
  }

  mutating func offer(_ text: UnsafeRawBufferPointer, _ aggregate: Aggregate) {
    if isAny {
      let order = bytes.withUnsafeBytes { Bytes.compare(text, $0) }
      guard aggregate == .minimum ? order < 0 : order > 0 else { return }
    }
    isAny = true
    bytes = Array(text)
  }

  /// The text; nil where there was none.
  var value: Value { isAny ? .string(String(decoding: bytes, as: UTF8.self)) : .null }
}

/// The least or greatest text of each group.
final class TextTotals: GroupTotals {
  private let column: Int
  private let aggregate: Aggregate
  private var totals: [TextExtreme] = []

  init(column: Int, _ aggregate: Aggregate) {
    self.column = column
    self.aggregate = aggregate
  }

  func grow(to count: Int) {
    if totals.count < count { totals.append(contentsOf: repeatElement(TextExtreme(), count: count - totals.count)) }
  }

  func add(_ place: ClusterPlace, _ mask: Mask, _ groups: ClusterParts, _ scratch: Scratch) throws {
    groups.useSlots()
    let view = try place.view().column(column)
    try mask.andNot(view.nulls).forEach { slot in
      totals[Int(groups.slots[slot])].offer(try view.text(at: slot), aggregate)
    }
  }

  func value(_ group: Int) -> Value { totals[group].value }
}
