internal import Glibc
internal import PredicateLanguage
internal import Storage
internal import Values

/// The representation of a vector's values.
enum VectorForm: Hashable, Sendable {
  /// `Int64`: Int, object IDs, ranks.
  case integers
  /// `Double`: Float, Double, and dates by their seconds.
  case doubles
  /// One bit for each slot: Bool.
  case flags
  /// UTF-8: String.
  case strings
  /// Integers over a power of ten: Decimals of clusters in which they fit. Their expressions have the form `values`.
  case decimals
  /// Boxed values: types without a form of their own, and numbers that are Int in some rows and Double in others.
  case values

  /// The form for values of a type.
  init(_ type: ExpressionType) {
    self =
      switch type {
      case .null, .int, .object: .integers
      case .float, .double, .date: .doubles
      case .bool: .flags
      case .string: .strings
      case .decimal, .number, .uuid, .data, .list, .structure: .values
      }
  }

  /// Whether the values are numbers or dates.
  var isNumeric: Bool { self == .integers || self == .doubles }
}

/// The values of an expression for the slots of a cluster, in one form for all of them.
///
/// Its memory is reused from cluster to cluster. A vector does not know its expression or the exact type of its values.
final class Vector {
  /// The representation of the values.
  var form = VectorForm.integers
  /// The slots that are nil.
  var nulls = Mask.none
  /// The values in the form `integers`; in the form `decimals` what is divided by `10^places`.
  let integers: UnsafeMutablePointer<Int64>
  /// The number of decimal places, 0 to 18, in the form `decimals`.
  var places = 0
  /// The values in the form `doubles`.
  let doubles: UnsafeMutablePointer<Double>
  /// The slots that are true, in the form `flags`.
  var flags = Mask.none
  /// The values in the form `strings`.
  var strings = StringVector()
  /// The values in the form `values`, one for each slot.
  var values: [Value] = []
  /// The buffer of strings that the vector computed, and a spare one for the next.
  lazy var buffer = StringBuffer()
  lazy var spare = StringBuffer()

  /// Whether the values are integers; if not, Doubles.
  var isInteger: Bool {
    get { form == .integers }
    set { form = newValue ? .integers : .doubles }
  }

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

  /// Fills every slot with one value.
  func fill(_ value: Value) {
    nulls = .none
    switch value {
    case .null:
      form = .integers
      nulls = .all
    case .bool(let flag):
      form = .flags
      flags = flag ? .all : .none
    case .int(let number):
      form = .integers
      integers.update(repeating: number, count: Mask.slotCount)
    case .float(let number): fill(Double(number))
    case .double(let number): fill(number)
    case .date(let instant): fill(instant.seconds)
    case .string(var text):
      form = .strings
      let bytes = text.withUTF8 { bytes in buffer.single { buffer.append(UnsafeRawBufferPointer(bytes)) } }
      strings = StringVector(layout: .same(bytes))
    case .decimal(let number): fill(number)
    case .uuid, .data, .list, .embedded, .object:
      form = .values
      values = [Value](repeating: value, count: Mask.slotCount)
    }
  }

  private func fill(_ number: Double) {
    form = .doubles
    doubles.update(repeating: number, count: Mask.slotCount)
  }

  /// Reads a column of numbers, dates or Bools.
  func load(_ view: ColumnView) throws(StoreError) {
    let count = min(view.slotCount, Mask.slotCount)
    switch view.values {
    case .same(let value):
      fill(value)
      nulls |= view.nulls
      return
    case .numbers(let numbers):
      switch numbers.kind {
      case .integers:
        form = .integers
        numbers.copyIntegers(0..<count, to: integers)
      case .decimals:
        form = .decimals
        places = numbers.exponent
        numbers.copyIntegers(0..<count, to: integers)
      case .doubles, .floats:
        form = .doubles
        numbers.copy(count, to: doubles)
      }
    case .bits(let words):
      form = .flags
      flags = Mask(loading: words)
    case .uuid, .dictionary, .text, .collection:
      throw StoreError.corrupted(location: "a column of numbers or Bools that holds something else")
    }
    nulls = view.nulls
  }

  /// Reads the number of elements of each collection in a column, without reading the elements; 0 if the collection is
  /// nil.
  func loadCounts(_ view: ColumnView) {
    isInteger = true
    nulls = .none
    for slot in 0..<Mask.slotCount { integers[slot] = 0 }
    let count = min(view.slotCount, Mask.slotCount)
    guard case .collection(let values) = view.values, !values.isShared else {
      for slot in 0..<count { integers[slot] = Int64(view.elementCount(at: slot)) }
      return
    }
    // The difference of offsets. It is 0 for nil and for overflow values, which are counted separately.
    let offsets = values.offsets
    for slot in 0..<count { integers[slot] = Int64(offsets[slot &+ 1] &- offsets[slot]) }
    (view.nulls | view.outOfLine).forEach { integers[$0] = Int64(view.elementCount(at: $0)) }
  }

  /// Replaces nil by 0 among integers. A vector of nils becomes one of integers.
  func replaceNils() {
    guard isInteger else { return fill(.int(0)) }
    nulls.forEach { integers[$0] = 0 }
    nulls = .none
  }

  /// Fills the vector with the IDs of the objects.
  func loadObjectIDs(of cluster: ClusterView) {
    isInteger = true
    nulls = .none
    let base = Int64(bitPattern: cluster.number << 8)
    for slot in 0..<Mask.slotCount { integers[slot] = base &+ Int64(slot) }
  }

  /// Converts integers to Doubles.
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
  func apply(_ operation: BinaryOperator, _ right: Vector) throws(StoreError) {
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
    case .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor:
      // A vector of nils may have any form.
      if nulls != .all { throw .unsupported("an operator of bits on numbers that are not integers") }
    }
  }

  /// Applies an operator with a constant number on the right. Returns false if a vector is needed instead.
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
    case .add: wrapped(other, { $0 &+ $1 }, back: { $0 &- $1 }) { ($0 ^ $2) & ($1 ^ $2) }
    case .subtract: wrapped(other, { $0 &- $1 }, back: { $0 &+ $1 }) { ($0 ^ $1) & ($0 ^ $2) }
    case .multiply: checked { $0.multipliedReportingOverflow(by: other[$1]) }
    case .divide: checked { $0.dividedReportingOverflow(by: other[$1]) }
    case .power, .shiftLeft, .shiftRight:
      checked { left, slot in
        let result = Arithmetic.integer(operation, left, other[slot])
        return (result ?? 0, result == nil)
      }
    }
  }

  /// Applies an operation that wraps around. `sign` is negative where it did, for both operands and the result; `back`
  /// makes the first operand of the result and the second. The loop has no branch, so that several slots are computed at
  /// once; only where one wrapped around are they looked at again.
  @inline(__always)
  private func wrapped(
    _ other: UnsafeMutablePointer<Int64>, _ operation: (Int64, Int64) -> Int64, back: (Int64, Int64) -> Int64,
    sign: (Int64, Int64, Int64) -> Int64
  ) {
    var signs: Int64 = 0
    for slot in 0..<Mask.slotCount {
      let result = operation(integers[slot], other[slot])
      signs |= sign(integers[slot], other[slot], result)
      integers[slot] = result
    }
    if signs >= 0 { return }
    for slot in 0..<Mask.slotCount {
      let result = integers[slot]
      if sign(back(result, other[slot]), other[slot], result) < 0 { nulls[slot] = true }
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
