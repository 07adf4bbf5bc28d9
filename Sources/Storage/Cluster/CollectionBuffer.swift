import Glibc
import Schema
import Values

/// The collections of one column of a cluster that is being changed: joined elements, and the range of each slot.
///
/// A replaced collection remains as waste until the cluster is encoded, or until there is more waste than used space.
/// Large collections are overflow values, each stored as a single value: a collection is always read and written as a
/// whole, so splitting it would save no write.
final class CollectionBuffer {
  /// Collections that take more memory than this are measured by their encoded size.
  private static let longestUnmeasured = ClusterFormat.longestInlineText
  /// Collections that take more memory than this, or have more elements, are overflow values regardless of their
  /// encoded size.
  private static let largestInline = 16384
  private static let mostInline = 1024
  /// The most elements of a shared collection that each slot gets for itself without being measured.
  private static let mostShared = 64
  /// The maximum memory size of a collection.
  private static let largest = 1 << 30

  let kind: CollectionKind
  let type: ScalarType
  /// Whether elements may be nil.
  private let mayHoldNil: Bool
  private(set) var elements: ElementBuffer
  private(set) var keys: ElementBuffer?
  private var starts = [Int](repeating: 0, count: Mask.slotCount)
  private var counts = [Int](repeating: 0, count: Mask.slotCount)
  /// The number of elements in use.
  private var live = 0
  var long = OverflowValues()

  init(kind: CollectionKind, type: ScalarType, mayHoldNil: Bool = false) {
    self.kind = kind
    self.mayHoldNil = mayHoldNil
    self.type = type
    elements = ElementBuffer(type)
    keys = kind == .dictionary ? ElementBuffer(.string) : nil
  }

  /// The range of a slot's elements; empty for an overflow value.
  func range(_ slot: Int) -> Range<Int> { starts[slot]..<starts[slot] + counts[slot] }

  // MARK: Checking

  /// Whether it holds such collections.
  func accepts(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .list(let elements):
      kind != .dictionary && elements.allSatisfy { (mayHoldNil || !$0.isNull) && type.accepts($0) }
        && !isTooLarge(value)
    case .embedded(let fields):
      kind == .dictionary && fields.allSatisfy { !$0.value.isNull && type.accepts($0.value) } && !isTooLarge(value)
    default: false
    }
  }

  /// Whether a value exceeds the maximum size of a collection.
  func isTooLarge(_ value: Value) -> Bool { Self.size(of: value, limit: Self.largest) > Self.largest }

  /// The approximate memory size of a collection; counting stops at the limit.
  private static func size(of value: Value, limit: Int) -> Int {
    switch value {
    case .list(let elements):
      var size = 0
      for element in elements where size <= limit { size += element.elementSize }
      return size
    case .embedded(let fields):
      var size = 0
      for field in fields where size <= limit { size += field.name.utf8.count + 5 + field.value.elementSize }
      return size
    default: return 0
    }
  }

  // MARK: Changing

  /// Replaces the collection of a slot by a valid one.
  func set(_ slot: Int, _ value: Value) {
    clear(slot)
    let value = kind.canonical(value)
    let size = Self.size(of: value, limit: Self.largestInline)
    if size > Self.longestUnmeasured {
      let (elements, keys) = joined(value)
      let isLarge = size > Self.largestInline || elements.count > Self.mostInline
      let bytes = ElementWriter.bytes(elements, keys)
      if isLarge || bytes.count > ClusterFormat.longestInlineText {
        long.put(slot, bytes, size: UInt64(bytes.count) | UInt64(elements.count) << 32)
        return
      }
    }
    if elements.count > 2 * live + 4096 { compact() }
    starts[slot] = elements.count
    Self.append(value, &elements, &keys)
    counts[slot] = elements.count - starts[slot]
    live += counts[slot]
  }

  /// The elements and keys of a valid collection, separate from those of the slots.
  func joined(_ value: Value) -> (elements: ElementBuffer, keys: ElementBuffer?) {
    var elements = ElementBuffer(type)
    var keys = kind == .dictionary ? ElementBuffer(.string) : nil
    Self.append(value, &elements, &keys)
    return (elements, keys)
  }

  private static func append(_ value: Value, _ elements: inout ElementBuffer, _ keys: inout ElementBuffer?) {
    switch value {
    case .list(let values): for value in values { elements.append(value) }
    case .embedded(let fields):
      for field in fields {
        keys?.append(text: field.name)
        elements.append(field.value)
      }
    default: break
    }
  }

  /// Removes the collection of a slot.
  func clear(_ slot: Int) {
    long.clear(slot)
    live -= counts[slot]
    counts[slot] = 0
  }

  /// Rearranges the elements in the order of their slots, without waste.
  func compact() {
    var next = 0
    for slot in 0..<Mask.slotCount where counts[slot] > 0 {
      if starts[slot] != next { return rebuild() }
      next += counts[slot]
    }
    if next != elements.count { rebuild() }
  }

  private func rebuild() {
    var ordered = ElementBuffer(type)
    var orderedKeys = keys.map { _ in ElementBuffer(.string) }
    for slot in 0..<Mask.slotCount {
      let range = range(slot)
      starts[slot] = ordered.count
      ordered.append(elements, range)
      if let keys { orderedKeys?.append(keys, range) }
    }
    elements = ordered
    keys = orderedKeys
  }

  // MARK: Reading

  /// The collection of a slot that is not nil; `long` provides the validated bytes of an overflow value.
  func value(_ slot: Int, long bytes: () throws(StoreError) -> [UInt8]) throws(StoreError) -> Value? {
    guard long.slots[slot] else { return value(range(slot)) }
    let found: [UInt8]
    if case .pending(let pending, _)? = long.parts[slot] { found = pending } else { found = try bytes() }
    return found.withUnsafeBytes {
      $0.aligned { try? CollectionElements(checking: $0, kind, type, writtenAs: type).value }
    }
  }

  /// Whether bytes out of line are a collection of the column.
  func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.aligned { (try? CollectionElements(checking: $0, kind, type, writtenAs: type)) != nil }
  }

  private func value(_ range: Range<Int>) -> Value {
    guard let keys else { return .list(range.map { elements.value($0) }) }
    return .embedded(range.map { EmbeddedField(name: keys.text($0), value: elements.value($0)) })
  }

  /// Loads the collections of a view.
  func load(_ view: ColumnView, slots: Mask) {
    long.load(view)
    guard case .collection(let values) = view.values else { return }
    let (joined, joinedNils, joinedKeys) = (values.elements, values.nils, values.keys)
    slots.andNot(view.outOfLine).forEach { slot in
      let range = values.range(at: slot)
      // The default of a column that was added later may be too large to repeat here.
      if values.isShared, range.count > Self.mostShared, let collection = try? view.value(at: slot) {
        return set(slot, collection)
      }
      starts[slot] = elements.count
      counts[slot] = range.count
      elements.append(joined, joinedNils, range)
      if let joinedKeys { keys?.append(joinedKeys, nil, range) }
      live += range.count
    }
  }

  /// Whether two slots have equal collections, neither of them an overflow value.
  func isSame(_ slot: Int, _ other: Int) -> Bool {
    let (left, right) = (range(slot), range(other))
    return elements.isEqual(left, right) && keys?.isEqual(left, right) ?? true
  }
}

extension Value {
  /// The approximate memory size of an element.
  fileprivate var elementSize: Int {
    switch self {
    case .null, .bool: 1
    case .int, .double, .date: 8
    case .float: 4
    case .uuid: 16
    case .string(let text): text.utf8.count + 5
    case .data(let bytes): bytes.count + 5
    case .decimal: DecimalValue.mostBytes + 5
    case .list, .embedded, .object: 0
    }
  }
}
