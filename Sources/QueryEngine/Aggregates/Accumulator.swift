internal import Storage
internal import Values

/// An aggregate while values are added to it. It does not know where they come from. nil and NaN are skipped, except by
/// the count and the list.
///
/// Only `add(_: Value)` and `value` must be written. An accumulator of numbers also says how a number is added; one with
/// a kernel replaces the addition of many.
protocol Accumulator {
  /// Whether it takes values as they are, not as the numbers or strings that vectors hold.
  static var takesValues: Bool { get }
  /// The type of the columns that it may add in their stored form.
  static var storedType: ExpressionType? { get }

  /// Whether the minimum or maximum of a cluster tells all that it adds. `wouldTake` tells whether a value changes the
  /// result.
  static var hasEdges: Bool { get }
  func wouldTake(_ number: Int64) -> Bool
  func wouldTake(_ number: Double) -> Bool
  func wouldTake(_ value: Value) -> Bool

  mutating func add(_ value: Value)
  mutating func add(_ number: Int64)
  mutating func add(_ number: Double)
  mutating func add(_ text: UnsafeRawBufferPointer)
  /// Adds some of `slotCount` numbers.
  mutating func add(_ numbers: UnsafePointer<Int64>, _ slotCount: Int, _ mask: Mask)
  mutating func add(_ numbers: UnsafePointer<Double>, _ slotCount: Int, _ mask: Mask)
  /// Adds some slots of a column in its stored form. Returns false if the column must be decoded.
  mutating func add(_ column: RawColumn, _ mask: Mask) -> Bool
  /// Adds the values of another accumulator, which come after its own.
  mutating func merge(_ other: Self)
  /// The result for values of a type.
  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value
}

/// What is done with an accumulator of a type that is known only when an aggregate is chosen.
protocol AccumulatorUse {
  associatedtype Result
  func callAsFunction<Total: Accumulator>(_ empty: Total) throws -> Result
}

extension Accumulator {
  static var takesValues: Bool { false }
  static var storedType: ExpressionType? { nil }
  static var hasEdges: Bool { false }

  func wouldTake(_ number: Int64) -> Bool { true }
  func wouldTake(_ number: Double) -> Bool { true }
  func wouldTake(_ value: Value) -> Bool { true }

  @inline(__always)
  mutating func add(_ number: Int64) { add(Value.int(number)) }

  @inline(__always)
  mutating func add(_ number: Double) { add(Value.double(number)) }

  mutating func add(_ text: UnsafeRawBufferPointer) { add(Value.string(String(decoding: text, as: UTF8.self))) }

  mutating func add(_ numbers: UnsafePointer<Int64>, _ slotCount: Int, _ mask: Mask) {
    mask.forEach { add(numbers[$0]) }
  }

  mutating func add(_ numbers: UnsafePointer<Double>, _ slotCount: Int, _ mask: Mask) {
    mask.forEach { add(numbers[$0]) }
  }

  mutating func add(_ column: RawColumn, _ mask: Mask) -> Bool { false }
}

extension AggregateFunction {
  /// The result for some values of a type.
  func value(of values: [Value], type: ExpressionType) throws -> Value {
    try accumulate(type, SomeValues(function: self, values: values, type: type))
  }

  private struct SomeValues: AccumulatorUse {
    let function: AggregateFunction
    let values: [Value]
    let type: ExpressionType

    func callAsFunction<Total: Accumulator>(_ empty: Total) -> Value {
      var total = empty
      for value in values { total.add(value) }
      return total.value(function, of: type)
    }
  }
}
