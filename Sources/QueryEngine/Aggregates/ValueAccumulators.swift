internal import Values

/// The minimum or maximum of strings, which are ordered by their bytes.
struct StringMinMax: Accumulator {
  private var bytes: [UInt8] = []
  private var isThere = false
  private let isLeast: Bool

  init(isLeast: Bool) { self.isLeast = isLeast }

  mutating func add(_ text: UnsafeRawBufferPointer) {
    if isThere {
      let order = bytes.withUnsafeBytes { Bytes.compare(text, $0) }
      guard isLeast ? order < 0 : order > 0 else { return }
    }
    isThere = true
    bytes = Array(text)
  }

  mutating func add(_ value: Value) {
    guard case .string(var text) = value else { return }
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  mutating func merge(_ other: StringMinMax) { if other.isThere { other.bytes.withUnsafeBytes { add($0) } } }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    isThere ? .string(String(decoding: bytes, as: UTF8.self)) : .null
  }
}

/// The minimum or maximum of values of other types: Bools, UUIDs, Decimals, and numbers that are Int in some rows and
/// Double in others.
struct ValueExtreme: Accumulator {
  private var best = Value.null
  private let isLeast: Bool

  init(isLeast: Bool) { self.isLeast = isLeast }

  static var takesValues: Bool { true }
  static var hasEdges: Bool { true }

  /// Whether a value would replace the best so far.
  func wouldTake(_ value: Value) -> Bool {
    if best.isNull { return ValueOrder.isComparable(value) }
    guard let order = ValueOrder.compare(value, best) else { return false }
    return isLeast ? order < 0 : order > 0
  }

  mutating func add(_ value: Value) { if wouldTake(value) { best = value } }

  mutating func merge(_ other: ValueExtreme) { add(other.best) }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value { best }
}

/// The distinct values in the order of their first occurrence, or their number. nil is skipped; NaN is a value.
struct DistinctValues: Accumulator {
  private var seen: Set<Value> = []
  private var values: [Value] = []

  static var takesValues: Bool { true }

  mutating func add(_ value: Value) {
    if !value.isNull, seen.insert(DistinctKey.of(value)).inserted { values.append(value) }
  }

  mutating func merge(_ other: DistinctValues) { other.values.forEach { add($0) } }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    function == .distinctCount ? .int(Int64(values.count)) : .list(values)
  }
}

/// The number of values, nil and NaN included.
struct ValueCount: Accumulator {
  private var count = 0

  static var takesValues: Bool { true }

  mutating func add(_ value: Value) { count += 1 }

  mutating func merge(_ other: ValueCount) { count += other.count }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value { .int(Int64(count)) }
}

/// All values, nil and NaN included: for the list, and aggregates that need all values at once.
struct KeptValues: Accumulator {
  private var values: [Value] = []

  static var takesValues: Bool { true }

  mutating func add(_ value: Value) { values.append(value) }

  mutating func merge(_ other: KeptValues) { values += other.values }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    function.value(ofAll: values)
  }
}
