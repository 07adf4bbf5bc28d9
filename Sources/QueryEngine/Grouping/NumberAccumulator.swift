internal import CPlatform
internal import Schema
internal import Storage
internal import Values

/// An aggregate of numbers while they are added: their sum, minimum or maximum. NaN is skipped.
///
/// Sums are exact, for integers and for Doubles: the order of the numbers does not matter, and totals of different
/// objects can be merged.
struct NumberAccumulator {
  /// The number of added numbers.
  private(set) var count = 0
  /// The sum of the Doubles.
  private var sum = ExactSum()
  /// The sum of the integers.
  private var whole: Int128 = 0
  /// The minimum or maximum so far; valid if `count` is not 0.
  private var edge = 0.0
  private var wholeEdge: Int64 = 0

  /// Below this count numbers are added one by one, since calling a kernel has a fixed cost.
  fileprivate static let few = 12

  /// Adds the numbers of some slots.
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

  /// Adds the numbers of some slots of a column to a sum, from raw memory. Returns false if the column must be decoded.
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

  /// Adds some of `slotCount` Doubles.
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

  /// Adds some of `slotCount` integers.
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

  /// Adds a number.
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

  /// Adds an integer.
  @inline(__always)
  mutating func add(_ aggregate: Aggregate, _ number: Int64) {
    switch aggregate {
    case .sum, .average: whole &+= Int128(number)
    case .minimum: if count == 0 || number < wholeEdge { wholeEdge = number }
    case .maximum: if count == 0 || number > wholeEdge { wholeEdge = number }
    }
    count &+= 1
  }

  /// Whether a number would replace the minimum or maximum.
  @inline(__always)
  func wouldTake(_ aggregate: Aggregate, _ number: Double) -> Bool {
    count == 0 || (aggregate == .minimum ? number < edge : number > edge)
  }

  /// Whether an integer would replace the minimum or maximum.
  @inline(__always)
  func wouldTake(_ aggregate: Aggregate, _ number: Int64) -> Bool {
    count == 0 || (aggregate == .minimum ? number < wholeEdge : number > wholeEdge)
  }

  /// Adds another accumulator's numbers.
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

  /// The aggregate of numbers of a type; nil if a sum of integers overflows.
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

  /// The aggregate of numbers that are Int in some rows and Double in others.
  func mixed(_ aggregate: Aggregate, hasReal: Bool) -> Value {
    if aggregate == .average { return count == 0 ? .null : .double(real / Double(count)) }
    return hasReal ? .double(real) : Int64(exactly: whole).map(Value.int) ?? .null
  }

  /// The sum of integers and Doubles.
  private var real: Double {
    if whole == 0 { return sum.value }
    var sum = sum
    sum.add(whole)
    return sum.value
  }
}

extension ScaledNumbers {
  /// The sum of the integers in some slots; `count` is their number.
  @inline(__always)
  fileprivate func total(_ slots: Mask, _ count: Int, _ slotCount: Int) -> Int128 {
    // Calling a kernel has a fixed cost.
    if count < NumberAccumulator.few {
      var sum: Int64 = 0
      slots.forEach { sum &+= Int64(truncatingIfNeeded: offset($0)) }
      return Int128(base) * Int128(count) + Int128(sum)
    }
    return Int128(base) * Int128(count) + Int128(sum(slots, slotCount: slotCount))
  }
}
