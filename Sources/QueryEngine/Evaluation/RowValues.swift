internal import PredicateLanguage
internal import Values

/// Where the columns of one object are read from when an expression is evaluated a row at a time.
protocol RowValues {
  /// The value of a column.
  func value(_ column: Int) throws -> Value
  /// A value worked out before: a key or an aggregate of a group.
  func computed(_ position: Int) -> Value
}

extension RowValues {
  /// An object has none.
  func computed(_ position: Int) -> Value { .null }
}

/// No object: for constants.
struct NoRow: RowValues {
  func value(_ column: Int) -> Value { .null }
}

extension BoundExpression {
  /// Its value in a row. `now` must have been put in before.
  func value(in row: some RowValues) throws -> Value {
    switch self {
    case .constant(let value): return value
    case .column(let column, _): return try row.value(column)
    case .computed(let position, _): return row.computed(position)
    case .now: return .null
    case .negate(let operand): return Arithmetic.negate(try operand.value(in: row))
    case .complement(let operand): return ScalarFunction.onesComplement.value([try operand.value(in: row)])
    case .arithmetic(let first, let steps):
      var result = try first.value(in: row)
      for step in steps { result = Arithmetic.apply(step.operation, result, try step.operand.value(in: row)) }
      return result
    case .call(let function, let operands): return function.value(try operands.map { try $0.value(in: row) })
    case .ternary(let condition, let yes, let no):
      return try condition.holds(for: row) ? try yes.value(in: row) : try no.value(in: row)
    }
  }
}

extension BoundPredicate {
  /// Whether it is true of a row.
  func holds(for row: some RowValues) throws -> Bool {
    switch self {
    case .constant(let value): return value
    case .and(let parts): return try parts.allSatisfy { try $0.holds(for: row) }
    case .or(let parts): return try parts.contains { try $0.holds(for: row) }
    case .not(let inner): return try !inner.holds(for: row)
    case .comparison(let comparison): return try comparison.holds(for: row)
    case .test(let test): return test.holds(for: try row.value(test.column))
    }
  }
}

extension BoundComparison {
  /// Whether it is true of a row.
  func holds(for row: some RowValues) throws -> Bool {
    let value = try left.value(in: row)
    if let test, case .string(var text) = value {
      var buffer: [UInt8] = []
      return text.withUTF8 { test.matches(UnsafeRawBufferPointer($0), buffer: &buffer) }
    }
    switch comparator {
    case .geoWithin:
      guard let longitude = Arithmetic.number(value), let operand = right.first,
        let latitude = Arithmetic.number(try operand.value(in: row)),
        let point = GeoPoint(longitude: longitude, latitude: latitude)
      else { return false }
      return shape?.contains(point) ?? false
    case .isIn:
      return try right.contains {
        Comparison.holds(.equal, value, try $0.value(in: row), folding: folding)
      }
    case .between:
      guard right.count == 2 else { return false }
      return Comparison.isBetween(
        value, try right[0].value(in: row), try right[1].value(in: row), folding: folding)
    default:
      guard let operand = right.first else { return false }
      return Comparison.holds(comparator, value, try operand.value(in: row), folding: folding)
    }
  }
}

extension ColumnTest {
  /// Whether a value of its column passes.
  func holds(for value: Value) -> Bool {
    switch question {
    case .isNil: return value.isNull
    case .interval(let interval): return interval.contains(value)
    case .oneOf(let values): return SortedValues.contains(value, in: values)
    case .text(let test):
      guard case .string(var text) = value else { return false }
      var buffer: [UInt8] = []
      return text.withUTF8 { test.matches(UnsafeRawBufferPointer($0), buffer: &buffer) }
    }
  }
}

/// Ascending arrays of comparable values of one kind.
enum SortedValues {
  /// Whether a value is among them.
  static func contains(_ value: Value, in values: [Value]) -> Bool {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      guard let order = ValueOrder.compare(values[middle], value) else { return false }
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }

  /// Ascending, each once; nil and NaN left out.
  static func sorted(_ values: [Value]) -> [Value] {
    var result: [Value] = []
    for value in values.filter(ValueOrder.isComparable).sorted(by: { SortOrder.compare($0, $1) < 0 }) {
      if let last = result.last, ValueOrder.areEqual(last, value) { continue }
      result.append(value)
    }
    return result
  }
}
