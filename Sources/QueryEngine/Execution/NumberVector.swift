internal import Glibc
internal import PredicateLanguage
internal import Storage
internal import Values

/// The values of a numeric expression for every slot of a cluster, whole numbers or Doubles (dates by their seconds).
final class NumberVector {
  /// The values when `isInteger`.
  let integers: UnsafeMutablePointer<Int64>
  /// The values otherwise.
  let doubles: UnsafeMutablePointer<Double>
  /// Which of the two it holds.
  var isInteger = true
  /// The slots that are nil.
  var nulls = Mask.none

  init() {
    integers = .allocate(capacity: Mask.slotCount)
    integers.initialize(repeating: 0, count: Mask.slotCount)
    doubles = .allocate(capacity: Mask.slotCount)
    doubles.initialize(repeating: 0, count: Mask.slotCount)
  }

  deinit {
    integers.deallocate()
    doubles.deallocate()
  }

  /// Fills every slot with one value; nil for anything that is no number or date.
  func fill(_ value: Value) {
    nulls = .none
    isInteger = false
    switch value {
    case .int(let number):
      isInteger = true
      integers.update(repeating: number, count: Mask.slotCount)
    case .date(let instant): doubles.update(repeating: instant.seconds, count: Mask.slotCount)
    default:
      if let number = Arithmetic.number(value) {
        doubles.update(repeating: number, count: Mask.slotCount)
      } else {
        doubles.update(repeating: 0, count: Mask.slotCount)
        nulls = .all
      }
    }
  }

  /// Reads a column.
  func load(_ view: ColumnView) {
    let count = min(view.slotCount, Mask.slotCount)
    isInteger = true
    switch view.values {
    case .same(let value): fill(value)
    case .int8(let base, let offsets): for slot in 0..<count { integers[slot] = base &+ Int64(offsets[slot]) }
    case .int16(let base, let offsets): for slot in 0..<count { integers[slot] = base &+ Int64(offsets[slot]) }
    case .int32(let base, let offsets): for slot in 0..<count { integers[slot] = base &+ Int64(offsets[slot]) }
    case .int64(let values): integers.update(from: values, count: count)
    case .float64(let values):
      isInteger = false
      doubles.update(from: values, count: count)
    case .float32(let values):
      isInteger = false
      for slot in 0..<count { doubles[slot] = Double(values[slot]) }
    case .scaled(let numbers):
      isInteger = false
      numbers.copy(count, to: doubles)
    case .bits, .uuid, .dictionary, .text, .collection: fill(.null)
    }
    nulls |= view.nulls
    if case .same = view.values { return }
    nulls = view.nulls
  }

  /// Reads how many elements each collection of a column has, without looking at them; none where it is nil.
  func loadCounts(_ view: ColumnView) {
    isInteger = true
    nulls = .none
    for slot in 0..<Mask.slotCount { integers[slot] = 0 }
    let count = min(view.slotCount, Mask.slotCount)
    guard case .collection(let values) = view.values, !values.isShared else {
      for slot in 0..<count { integers[slot] = Int64(view.elementCount(at: slot)) }
      return
    }
    // From one beginning to the next; of nil and of what is elsewhere nothing lies there.
    let offsets = values.offsets
    for slot in 0..<count { integers[slot] = Int64(offsets[slot &+ 1] &- offsets[slot]) }
    (view.nulls | view.outOfLine).forEach { integers[$0] = Int64(view.elementCount(at: $0)) }
  }

  /// Puts 0 in the place of nil, among whole numbers. Where all are nil, nothing says that they are whole.
  func replaceNils() {
    guard isInteger else { return fill(.int(0)) }
    nulls.forEach { integers[$0] = 0 }
    nulls = .none
  }

  /// Takes the numbers of the objects themselves.
  func loadNumbers(of cluster: ClusterView) {
    isInteger = true
    nulls = .none
    let base = Int64(bitPattern: cluster.number << 8)
    for slot in 0..<Mask.slotCount { integers[slot] = base &+ Int64(slot) }
  }

  /// Makes whole numbers Doubles.
  func convertToDoubles() {
    guard isInteger else { return }
    isInteger = false
    for slot in 0..<Mask.slotCount { doubles[slot] = Double(integers[slot]) }
  }

  func negate() {
    guard isInteger else {
      for slot in 0..<Mask.slotCount { doubles[slot] = -doubles[slot] }
      return
    }
    for slot in 0..<Mask.slotCount {
      if integers[slot] == .min { nulls[slot] = true }
      integers[slot] = 0 &- integers[slot]
    }
  }

  func complement() {
    guard isInteger else { return }
    for slot in 0..<Mask.slotCount { integers[slot] = ~integers[slot] }
  }

  /// Applies an operator with another vector on the right, slot by slot.
  func apply(_ operation: BinaryOperator, _ right: NumberVector) {
    nulls |= right.nulls
    if isInteger && right.isInteger {
      applyIntegers(operation, right.integers)
      return
    }
    convertToDoubles()
    right.convertToDoubles()
    let other = right.doubles
    switch operation {
    case .add: for slot in 0..<Mask.slotCount { doubles[slot] += other[slot] }
    case .subtract: for slot in 0..<Mask.slotCount { doubles[slot] -= other[slot] }
    case .multiply: for slot in 0..<Mask.slotCount { doubles[slot] *= other[slot] }
    case .divide: for slot in 0..<Mask.slotCount { doubles[slot] /= other[slot] }
    case .power: for slot in 0..<Mask.slotCount { doubles[slot] = pow(doubles[slot], other[slot]) }
    case .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor: nulls = .all
    }
  }

  /// Applies an operator with a number on the right; false when that takes a vector.
  func apply(_ operation: BinaryOperator, constant: Value) -> Bool {
    if isInteger, case .int = constant { return false }
    guard let number = Arithmetic.number(constant) else { return false }
    switch operation {
    case .add:
      convertToDoubles()
      for slot in 0..<Mask.slotCount { doubles[slot] += number }
    case .subtract:
      convertToDoubles()
      for slot in 0..<Mask.slotCount { doubles[slot] -= number }
    case .multiply:
      convertToDoubles()
      for slot in 0..<Mask.slotCount { doubles[slot] *= number }
    case .divide:
      convertToDoubles()
      for slot in 0..<Mask.slotCount { doubles[slot] /= number }
    case .power, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor: return false
    }
    return true
  }

  private func applyIntegers(_ operation: BinaryOperator, _ other: UnsafeMutablePointer<Int64>) {
    switch operation {
    case .bitAnd: for slot in 0..<Mask.slotCount { integers[slot] &= other[slot] }
    case .bitOr: for slot in 0..<Mask.slotCount { integers[slot] |= other[slot] }
    case .bitXor: for slot in 0..<Mask.slotCount { integers[slot] ^= other[slot] }
    case .add: checked { $0.addingReportingOverflow(other[$1]) }
    case .subtract: checked { $0.subtractingReportingOverflow(other[$1]) }
    case .multiply: checked { $0.multipliedReportingOverflow(by: other[$1]) }
    case .divide: checked { $0.dividedReportingOverflow(by: other[$1]) }
    case .power, .shiftLeft, .shiftRight:
      checked { left, slot in
        let result = Arithmetic.integer(operation, left, other[slot])
        return (result ?? 0, result == nil)
      }
    }
  }

  @inline(__always)
  private func checked(_ operation: (Int64, Int) -> (partialValue: Int64, overflow: Bool)) {
    for slot in 0..<Mask.slotCount {
      let result = operation(integers[slot], slot)
      integers[slot] = result.partialValue
      if result.overflow { nulls[slot] = true }
    }
  }
}
