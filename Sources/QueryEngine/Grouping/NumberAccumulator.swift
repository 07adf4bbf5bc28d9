internal import CPlatform
internal import Schema
internal import Storage
internal import Values

/// What numbers come to while they are taken in: their sum, or the least or greatest of them. NaN is skipped.
///
/// Sums are exact, of whole numbers and of Doubles: the order of the numbers does not matter, and two totals of different
/// objects can be merged. It does not know which objects the numbers are of.
struct NumberAccumulator {
  /// How many numbers.
  private(set) var count = 0
  /// The sum of the Doubles.
  private var sum = ExactSum()
  /// The sum of the whole numbers.
  private var whole: Int128 = 0
  /// The least or greatest so far, once there is one.
  private var edge = 0.0
  private var wholeEdge: Int64 = 0

  /// A kernel has a price of its own: fewer numbers than this are taken one by one.
  fileprivate static let few = 12

  /// Takes the numbers of some slots in.
  mutating func add(_ aggregate: Aggregate, _ vector: Vector, _ mask: Mask) {
    let mask = mask.andNot(vector.nulls)
    if mask.count < Self.few {
      if vector.isInteger {
        mask.forEach { add(aggregate, vector.integers[$0]) }
      } else {
        mask.forEach { add(aggregate, vector.doubles[$0]) }
      }
    } else if vector.isInteger {
      add(aggregate, vector.integers, Mask.slotCount, mask)
    } else {
      add(aggregate, vector.doubles, Mask.slotCount, mask)
    }
  }

  /// Takes the numbers of some slots of a column in, to sum them up, by raw memory; false where that does not say enough.
  mutating func add(_ column: RawColumn, _ type: ScalarType, _ mask: Mask) -> Bool {
    let mask = mask.andNot(column.nulls)
    let slotCount = Int(column.slotCount)
    switch column.layout {
    case _ where type == .float: return false
    case .offsets8, .offsets16, .offsets32:
      guard let offsets = column.offsets else { return false }
      let added = mask.count
      whole &+= offsets.total(mask, added, slotCount)
      count += added
    case .scaled:
      guard let numbers = column.offsets, slotCount <= Mask.slotCount else { return false }
      if mask.count < Self.few {
        mask.forEach { add(.sum, numbers[$0]) }
      } else {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: Mask.slotCount) { memory in
          guard let start = memory.baseAddress else { return }
          numbers.copy(slotCount, to: start)
          add(.sum, start, slotCount, mask)
        }
      }
    case .int64: add(.sum, column.values.assumingMemoryBound(to: Int64.self), slotCount, mask)
    case .float64: add(.sum, column.values.assumingMemoryBound(to: Double.self), slotCount, mask)
    case .same:
      let added = mask.count
      if type.isInteger {
        whole += Int128(Int64(bitPattern: column.minimum)) * Int128(added)
      } else {
        sum.add(Double(bitPattern: column.minimum), times: added)
      }
      count += added
    case .float32, .codes, .texts, .unchecked, .other: return false
    }
    return true
  }

  /// Takes some of `slotCount` Doubles in.
  mutating func add(_ aggregate: Aggregate, _ numbers: UnsafePointer<Double>, _ slotCount: Int, _ mask: Mask) {
    mask.withWords { words in
      switch aggregate {
      case .sum, .average:
        count += sum.add(numbers, slotCount, mask)
      case .minimum, .maximum:
        var least = 0.0
        var greatest = 0.0
        guard os_extremes_f64(numbers, slotCount, words, &least, &greatest) else { return }
        add(aggregate, aggregate == .minimum ? least : greatest)
      }
    }
  }

  /// Takes some of `slotCount` whole numbers in.
  mutating func add(_ aggregate: Aggregate, _ numbers: UnsafePointer<Int64>, _ slotCount: Int, _ mask: Mask) {
    mask.withWords { words in
      switch aggregate {
      case .sum, .average:
        var high: Int64 = 0
        var low: Int64 = 0
        os_sum_i64(numbers, slotCount, words, &high, &low)
        whole &+= Int128(high) &<< 32 &+ Int128(low)
        count += mask.count
      case .minimum, .maximum:
        var least: Int64 = 0
        var greatest: Int64 = 0
        guard os_extremes_i64(numbers, slotCount, words, &least, &greatest) else { return }
        add(aggregate, aggregate == .minimum ? least : greatest)
      }
    }
  }

  /// Takes a number in.
  @inline(__always)
  mutating func add(_ aggregate: Aggregate, _ number: Double) {
    if number.isNaN { return }
    switch aggregate {
    case .sum, .average: sum.add(number)
    case .minimum: if count == 0 || number < edge { edge = number }
    case .maximum: if count == 0 || number > edge { edge = number }
    }
    count &+= 1
  }

  /// Takes a whole number in.
  @inline(__always)
  mutating func add(_ aggregate: Aggregate, _ number: Int64) {
    switch aggregate {
    case .sum, .average: whole &+= Int128(number)
    case .minimum: if count == 0 || number < wholeEdge { wholeEdge = number }
    case .maximum: if count == 0 || number > wholeEdge { wholeEdge = number }
    }
    count &+= 1
  }

  /// Whether a number would be a better least or greatest one than the best so far.
  @inline(__always)
  func wouldTake(_ aggregate: Aggregate, _ number: Double) -> Bool {
    count == 0 || (aggregate == .minimum ? number < edge : number > edge)
  }

  /// Whether a whole number would be a better least or greatest one than the best so far.
  @inline(__always)
  func wouldTake(_ aggregate: Aggregate, _ number: Int64) -> Bool {
    count == 0 || (aggregate == .minimum ? number < wholeEdge : number > wholeEdge)
  }

  /// Takes in what another took in.
  mutating func merge(_ aggregate: Aggregate, _ other: NumberAccumulator) {
    if other.count == 0 { return }
    switch aggregate {
    case .sum, .average:
      sum.add(other.sum)
      whole &+= other.whole
    case .minimum:
      if count == 0 || other.edge < edge { edge = other.edge }
      if count == 0 || other.wholeEdge < wholeEdge { wholeEdge = other.wholeEdge }
    case .maximum:
      if count == 0 || other.edge > edge { edge = other.edge }
      if count == 0 || other.wholeEdge > wholeEdge { wholeEdge = other.wholeEdge }
    }
    count += other.count
  }

  /// What numbers of a type come to; nil when a sum of whole numbers does not fit.
  func value(_ aggregate: Aggregate, of type: ExpressionType) -> Value {
    let isWhole = type == .int
    switch aggregate {
    case .sum: return isWhole ? Int64(exactly: whole).map(Value.int) ?? .null : .double(real)
    case .average: return count == 0 ? .null : .double(real / Double(count))
    case .minimum, .maximum:
      if count == 0 { return .null }
      switch type {
      case .int: return .int(wholeEdge)
      case .float: return .float(Float(edge))
      case .date: return .date(Instant(seconds: edge))
      default: return .double(edge)
      }
    }
  }

  /// What numbers come to of which each is a whole one or a Double.
  func mixed(_ aggregate: Aggregate, hasReal: Bool) -> Value {
    if aggregate == .average { return count == 0 ? .null : .double(real / Double(count)) }
    return hasReal ? .double(real) : Int64(exactly: whole).map(Value.int) ?? .null
  }

  /// The sum of all.
  private var real: Double {
    if whole == 0 { return sum.value }
    var sum = sum
    sum.add(whole)
    return sum.value
  }
}

extension ScaledNumbers {
  /// The sum of the whole numbers of some slots, which are so many.
  @inline(__always)
  fileprivate func total(_ slots: Mask, _ count: Int, _ slotCount: Int) -> Int128 {
    // A kernel has a price of its own.
    if count < NumberAccumulator.few {
      var sum: Int64 = 0
      slots.forEach { sum &+= Int64(truncatingIfNeeded: offset($0)) }
      return Int128(base) * Int128(count) + Int128(sum)
    }
    return Int128(base) * Int128(count) + Int128(sum(slots, slotCount: slotCount))
  }
}
