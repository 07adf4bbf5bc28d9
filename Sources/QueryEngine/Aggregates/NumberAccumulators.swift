internal import CKernels
internal import Storage
internal import Values

/// An accumulator that takes numbers, and single values as numbers.
protocol NumberAccumulator: Accumulator {}

extension NumberAccumulator {
  /// Below this count numbers are added one by one, since calling a kernel has a fixed cost.
  static var few: Int { 12 }

  /// Dates are added by their seconds, as vectors hold them.
  mutating func add(_ value: Value) {
    switch value {
    case .int(let number): add(number)
    case .double(let number): add(number)
    case .float(let number): add(Double(number))
    case .decimal(let number): add(number.double)
    case .date(let instant): add(instant.seconds)
    case .null, .bool, .string, .uuid, .data, .list, .embedded, .object: break
    }
  }
}

/// The sum and the average of integers. Sums may exceed 64 bits on the way.
struct WholeSum: NumberAccumulator {
  private var sum: Int128 = 0
  private var count = 0

  static var storedType: ExpressionType? { .int }

  init() {}

  /// The sum of `count` numbers, added elsewhere.
  @inline(__always)
  init(_ sum: Int128, of count: Int) {
    self.sum = sum
    self.count = count
  }

  @inline(__always)
  mutating func add(_ number: Int64) {
    sum &+= Int128(number)
    count &+= 1
  }

  /// Values of type Int are never Doubles.
  mutating func add(_ number: Double) {}

  mutating func add(_ numbers: UnsafePointer<Int64>, _ slotCount: Int, _ mask: Mask) {
    let added = mask.count
    if added < Self.few { return mask.forEach { add(numbers[$0]) } }
    var high: Int64 = 0
    var low: Int64 = 0
    mask.withWords { os_sum_i64(numbers, slotCount, $0, &high, &low) }
    sum &+= Int128(high) &<< 32 &+ Int128(low)
    count &+= added
  }

  mutating func add(_ column: RawColumn, _ mask: Mask) -> Bool {
    let mask = mask.andNot(column.nulls)
    switch column.layout {
    case .numbers(_, .integers):
      guard let numbers = column.numbers else { return false }
      if let stored = numbers.storedIntegers {
        add(stored, Int(column.slotCount), mask)
        return true
      }
      let added = mask.count
      let total =
        added < Self.few
        ? mask.total { numbers.entry($0) } : numbers.sumOfOffsets(mask, slotCount: Int(column.slotCount))
      guard let total else { return false }
      sum &+= Int128(numbers.base) &* Int128(added) &+ Int128(total)
      count &+= added
    case .same:
      let added = mask.count
      sum &+= Int128(Int64(bitPattern: column.minimum)) &* Int128(added)
      count &+= added
    case .numbers, .codes, .texts, .unchecked, .other: return false
    }
    return true
  }

  mutating func merge(_ other: WholeSum) {
    sum &+= other.sum
    count &+= other.count
  }

  /// The sum; nil if it exceeds 64 bits.
  @inline(__always)
  var total: Int64? { Int64(exactly: sum) }

  /// The average: the Double nearest to the sum, divided by the count. nil without numbers.
  var average: Double? {
    if count == 0 { return nil }
    if let total { return Double(total) / Double(count) }
    var real = ExactSum()
    real.add(sum)
    return real.value / Double(count)
  }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    function == .sum ? total.map(Value.int) ?? .null : average.map(Value.double) ?? .null
  }
}

/// The sum and the average of Doubles, or of Doubles and integers: exact, so that the order of the numbers does not
/// matter, and rounded once.
struct RealSum: NumberAccumulator {
  private var sum = ExactSum()
  private var count = 0

  static var storedType: ExpressionType? { .double }

  mutating func add(_ number: Int64) {
    sum.add(Int128(number))
    count &+= 1
  }

  @inline(__always)
  mutating func add(_ number: Double) {
    if number.isNaN { return }
    sum.add(number)
    count &+= 1
  }

  mutating func add(_ numbers: UnsafePointer<Double>, _ slotCount: Int, _ mask: Mask) {
    if mask.count < Self.few { return mask.forEach { add(numbers[$0]) } }
    count &+= sum.add(numbers, slotCount, mask)
  }

  mutating func add(_ column: RawColumn, _ mask: Mask) -> Bool {
    let mask = mask.andNot(column.nulls)
    let slotCount = Int(column.slotCount)
    switch column.layout {
    case .numbers(_, .doubles):
      guard let numbers = column.numbers, slotCount <= Mask.slotCount else { return false }
      if let stored = numbers.storedDoubles {
        add(stored, slotCount, mask)
      } else if mask.count < Self.few {
        mask.forEach { add(numbers[$0]) }
      } else {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: Mask.slotCount) { memory in
          guard let start = memory.baseAddress else { return }
          numbers.copy(slotCount, to: start)
          add(start, slotCount, mask)
        }
      }
    case .same:
      let added = mask.count
      sum.add(Double(bitPattern: column.minimum), times: added)
      count &+= added
    case .numbers, .codes, .texts, .unchecked, .other: return false
    }
    return true
  }

  mutating func merge(_ other: RealSum) {
    sum.add(other.sum)
    count &+= other.count
  }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    if function == .sum { return .double(sum.value) }
    return count == 0 ? .null : .double(sum.value / Double(count))
  }
}

/// The minimum or maximum of integers, or of Doubles, Floats or dates.
struct NumberExtreme: NumberAccumulator {
  private var whole: Int64 = 0
  private var real = 0.0
  private var isThere = false
  private let isLeast: Bool

  init(isLeast: Bool) { self.isLeast = isLeast }

  static var hasEdges: Bool { true }

  @inline(__always)
  func wouldTake(_ number: Int64) -> Bool { !isThere || (isLeast ? number < whole : number > whole) }

  @inline(__always)
  func wouldTake(_ number: Double) -> Bool {
    isThere ? isLeast ? number < real : number > real : !number.isNaN
  }

  @inline(__always)
  mutating func add(_ number: Int64) { if wouldTake(number) { (whole, isThere) = (number, true) } }

  @inline(__always)
  mutating func add(_ number: Double) { if wouldTake(number) { (real, isThere) = (number, true) } }

  mutating func add(_ numbers: UnsafePointer<Int64>, _ slotCount: Int, _ mask: Mask) {
    if mask.count < Self.few { return mask.forEach { add(numbers[$0]) } }
    var least: Int64 = 0
    var greatest: Int64 = 0
    guard mask.withWords({ os_extremes_i64(numbers, slotCount, $0, &least, &greatest) }) else { return }
    add(isLeast ? least : greatest)
  }

  mutating func add(_ numbers: UnsafePointer<Double>, _ slotCount: Int, _ mask: Mask) {
    if mask.count < Self.few { return mask.forEach { add(numbers[$0]) } }
    var least = 0.0
    var greatest = 0.0
    guard mask.withWords({ os_extremes_f64(numbers, slotCount, $0, &least, &greatest) }) else { return }
    add(isLeast ? least : greatest)
  }

  /// The other field is 0 in both.
  mutating func merge(_ other: NumberExtreme) {
    if !other.isThere { return }
    if wouldTake(other.whole) { whole = other.whole }
    if wouldTake(other.real) { real = other.real }
    isThere = true
  }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    if !isThere { return .null }
    if case .int = type { return .int(whole) }
    if case .float = type { return .float(Float(real)) }
    if case .date = type { return .date(Instant(seconds: real)) }
    return .double(real)
  }
}

/// The numbers of an aggregate that needs all of them at once.
struct KeptNumbers: NumberAccumulator {
  private var numbers: [Double] = []

  mutating func add(_ number: Int64) { numbers.append(Double(number)) }

  mutating func add(_ number: Double) { if !number.isNaN { numbers.append(number) } }

  mutating func merge(_ other: KeptNumbers) { numbers += other.numbers }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    numbers.isEmpty ? .null : .double(function.value(ofAll: numbers))
  }
}

extension Mask {
  /// The sum of a few offsets, which fits 64 bits.
  @inline(__always)
  fileprivate func total(_ offset: (Int) -> UInt64) -> UInt64 {
    var sum: UInt64 = 0
    forEach { sum &+= offset($0) }
    return sum
  }
}
