internal import CPlatform
internal import Storage
internal import Values

/// What numbers come to while they are taken in: their sum, or the least or greatest of them. NaN is skipped.
///
/// Doubles are added in no order of their own: eight sums side by side, cluster by cluster. Whole numbers are added
/// exactly. Two totals of different objects can be made one. It does not know which objects the numbers are of.
struct NumberTotal {
  /// How many numbers.
  private(set) var count = 0
  private var sum = 0.0
  private var whole: Int128 = 0
  /// The least or greatest so far, once there is one.
  private var edge = 0.0
  private var wholeEdge: Int64 = 0

  /// A kernel has a price of its own: fewer numbers than this are taken one by one.
  private static let few = 12

  /// Takes the numbers of some slots in.
  mutating func add(_ aggregate: Aggregate, _ vector: NumberVector, _ mask: Mask) {
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

  /// Takes some of `slotCount` Doubles in.
  mutating func add(_ aggregate: Aggregate, _ numbers: UnsafePointer<Double>, _ slotCount: Int, _ mask: Mask) {
    mask.withWords { words in
      switch aggregate {
      case .sum, .average:
        var added = 0
        sum += os_sum_f64(numbers, slotCount, words, &added)
        count += added
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
    case .sum, .average: sum += number
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
  mutating func merge(_ aggregate: Aggregate, _ other: NumberTotal) {
    if other.count == 0 { return }
    switch aggregate {
    case .sum, .average:
      sum += other.sum
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
    case .sum: return isWhole ? Int64(exactly: whole).map(Value.int) ?? .null : .double(sum)
    case .average: return count == 0 ? .null : .double((isWhole ? Double(whole) : sum) / Double(count))
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
    if aggregate == .average { return count == 0 ? .null : .double((sum + Double(whole)) / Double(count)) }
    return hasReal ? .double(sum + Double(whole)) : Int64(exactly: whole).map(Value.int) ?? .null
  }
}

extension Mask {
  /// Lends its four words to a kernel.
  @inline(__always)
  func withWords<R>(_ body: (UnsafePointer<UInt64>) -> R) -> R {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
      let base = words.baseAddress.unsafelyUnwrapped
      for index in 0..<4 { base[index] = word(index) }
      return body(UnsafePointer(base))
    }
  }
}
