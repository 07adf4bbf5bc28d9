internal import PredicateLanguage
internal import Storage
internal import Values

/// The source of column values when an expression is evaluated row by row.
protocol RowValues {
  /// The value of a column.
  func value(_ column: Int) throws -> Value
  /// The number of elements of the collection in a column; 0 if it is nil.
  func elementCount(_ column: Int) throws -> Int
  /// An element of the collection in a column by its position from 0; nil beyond the last.
  func element(_ column: Int, _ place: Int) throws -> Value
  /// A value computed earlier: a key or an aggregate of a group.
  func computed(_ position: Int) -> Value
  /// The ID of the object.
  var own: Value { get }
  /// Reads other objects; nil if only this row can be read.
  var linked: LinkedObjects? { get }
  /// Ends a cancelled query.
  var cancellation: CancellationCheck? { get }
}

extension RowValues {
  func elementCount(_ column: Int) throws -> Int {
    switch try value(column) {
    case .list(let elements): elements.count
    case .embedded(let fields): fields.count
    default: 0
    }
  }

  func element(_ column: Int, _ place: Int) throws -> Value {
    guard case .list(let elements) = try value(column), elements.indices.contains(place) else { return .null }
    return elements[place]
  }

  /// An object has no computed values.
  func computed(_ position: Int) -> Value { .null }

  /// A row that is not an object has no ID.
  var own: Value { .null }

  var linked: LinkedObjects? { nil }

  /// The reader of other objects; throws if there is none.
  func otherObjects() throws -> LinkedObjects {
    guard let linked else { throw NoOtherObjects() }
    return linked
  }

  /// Counts the evaluation of another element.
  @inline(__always)
  func step() throws {
    StepCounter.add()
    try cancellation?.step()
  }

  /// A quick evaluation is not cancelled.
  var cancellation: CancellationCheck? { nil }
}

/// Thrown if another object must be read, but only one cluster can be. A helper thread then leaves the row to the
/// caller's thread.
package struct NoOtherObjects: Error {}

/// A row without an object, for constants.
struct NoRow: RowValues {
  func value(_ column: Int) -> Value { .null }
}

extension BoundExpression {
  /// The expression's value in a row, with the elements in `scope`. `now()` must have been replaced before.
  func value(in row: some RowValues, _ scope: ElementScope = ElementScope()) throws -> Value {
    switch self {
    case .constant(let value): return value
    case .column(let column, _): return try row.value(column)
    case .computed(let position, _): return row.computed(position)
    case .now: throw StoreError.unsupported("now() in an expression that was not given a moment")
    case .negate(let operand): return Arithmetic.negate(try operand.value(in: row, scope))
    case .complement(let operand): return Arithmetic.complement(try operand.value(in: row, scope))
    case .arithmetic(let first, let steps):
      var result = try first.value(in: row, scope)
      for step in steps {
        try row.cancellation?.step()
        result = Arithmetic.apply(step.operation, result, try step.operand.value(in: row, scope))
      }
      return result
    case .call(.coalesce, let operands):
      for operand in operands {
        let value = try operand.value(in: row, scope)
        if !value.isNull { return value }
      }
      return .null
    case .call(let function, let operands): return try function.value(try operands.map { try $0.value(in: row, scope) })
    case .ternary(let condition, let yes, let no):
      return try condition.holds(for: row, scope) ? try yes.value(in: row, scope) : try no.value(in: row, scope)
    case .element(let level, _): return scope[level]
    case .own: return row.own
    case .assembled(let structure): return try structure.value { try $0.value(in: row, scope) }
    case .gathered(let gathering): return try gathering.value(in: row, scope)
    case .object(let reference): return .int(Int64(bitPattern: reference.number.rawValue))
    case .property(let object, let column, _):
      let number = try object.number.value(in: row, scope)
      return number.isNull ? .null : try row.otherObjects().value(number, of: object, column)
    case .reduced(.count, let collection): return .int(Int64(try collection.count(in: row, scope)))
    case .reduced(.list, let collection): return try collection.elements(in: row, scope).map { .list($0) } ?? .null
    case .reduced(let reduction, let collection):
      return try reduction.value(
        of: try collection.elements(in: row, scope) ?? [],
        type: collection.elementType(for: reduction) ?? .null)
    case .item(.property(let object, let column, _), .key(let key)):
      let number = try object.number.value(in: row, scope)
      if number.isNull { return .null }
      return try row.otherObjects().value(number, of: object, column).entry(try key.value(in: row, scope))
    case .item(.computed(let place, _), .key(let key)):
      return row.computed(place).entry(try key.value(in: row, scope))
    case .item(.column(let column, _), .index(let index)):
      guard case .int(let place) = try index.value(in: row, scope) else { return .null }
      return try row.element(column, Int(clamping: place))
    case .item(.property(let object, let column, _), .index(let index)):
      guard case .int(let place) = try index.value(in: row, scope) else { return .null }
      let number = try object.number.value(in: row, scope)
      return number.isNull
        ? .null : try row.otherObjects().element(number, of: object, column, Int(clamping: place))
    case .item(let collection, let place):
      return try place.element(of: collection.elements(in: row, scope) ?? [], in: row, scope)
    case .entry(let column, let key, _):
      return try row.value(column).entry(try key.value(in: row, scope))
    }
  }
}

extension Value {
  /// The value of a dictionary's key; nil if the key does not exist.
  fileprivate func entry(_ key: Value) -> Value {
    guard case .string(let name) = key, case .embedded(let fields) = self else { return .null }
    return fields.first { ValueOrder.compare($0.name, name) == 0 }?.value ?? .null
  }
}

extension BoundPredicate {
  /// Whether the predicate holds for a row.
  func holds(for row: some RowValues, _ scope: ElementScope = ElementScope()) throws -> Bool {
    switch self {
    case .constant(let value): return value
    case .and(let parts):
      return try parts.allSatisfy {
        try row.cancellation?.step()
        return try $0.holds(for: row, scope)
      }
    case .or(let parts):
      return try parts.contains {
        try row.cancellation?.step()
        return try $0.holds(for: row, scope)
      }
    case .not(let inner): return try !inner.holds(for: row, scope)
    case .comparison(let comparison): return try comparison.holds(for: row, scope)
    case .test(let test): return test.holds(for: try row.value(test.column))
    case .quantified(let quantified): return try quantified.holds(for: row, scope)
    case .lists(let lists): return try lists.holds(for: row, scope)
    case .remembered(let remembered): return try remembered.holds(for: row, scope)
    }
  }
}

extension BoundComparison {
  /// Whether the comparison holds for a row.
  func holds(for row: some RowValues, _ scope: ElementScope = ElementScope()) throws -> Bool {
    let value = try left.value(in: row, scope)
    if let test, !value.isNull { return test.matches(value) }
    switch comparator {
    case .geoWithin:
      guard let longitude = Arithmetic.number(value), let operand = right.first,
        let latitude = Arithmetic.number(try operand.value(in: row, scope)),
        let point = GeoPoint(longitude: longitude, latitude: latitude)
      else { return false }
      return shape?.contains(point) ?? false
    case .isIn where members != nil: return members?.contains(DistinctKey.of(value)) ?? false
    case .isIn:
      return try right.contains {
        Comparison.holds(.equal, value, try $0.value(in: row, scope), folding: folding)
      }
    case .between:
      guard right.count == 2 else { return false }
      return Comparison.isBetween(
        value, try right[0].value(in: row, scope), try right[1].value(in: row, scope), folding: folding)
    default:
      guard let operand = right.first else { return false }
      return Comparison.holds(comparator, value, try operand.value(in: row, scope), folding: folding)
    }
  }
}

extension BoundPlace {
  /// The element at this position; nil if there is none.
  func element(of elements: [Value], in row: some RowValues, _ scope: ElementScope) throws -> Value {
    switch self {
    case .first: return elements.first ?? .null
    case .last: return elements.last ?? .null
    case .index(let expression):
      guard case .int(let number) = try expression.value(in: row, scope), let place = Int(exactly: number),
        elements.indices.contains(place)
      else { return .null }
      return elements[place]
    case .key: return .null
    }
  }
}

extension SargablePredicate {
  /// Whether a value of the column satisfies the predicate.
  func holds(for value: Value) -> Bool {
    switch question {
    case .isNil: return value.isNull
    case .interval(let interval): return interval.contains(value)
    case .oneOf(let values): return SortedValues.contains(value, in: values)
    case .text(let test): return test.matches(value)
    }
  }
}

/// Sorted arrays of comparable values of one type.
enum SortedValues {
  /// Whether a sorted array contains a value.
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

  /// The values in ascending order without duplicates, nil and NaN.
  static func sorted(_ values: [Value]) -> [Value] {
    var result: [Value] = []
    var steps = 0
    let sorted = try? values.filter(ValueOrder.isComparable).sorted { left, right in
      steps &+= 1
      // A list may have a million values. Who planned an abandoned query discards the plan.
      if steps & 0x3FFF == 0, LongText.isAbandoned { throw QueryCancelled() }
      return SortOrder.compare(left, right) < 0
    }
    for value in sorted ?? [] {
      if let last = result.last, ValueOrder.areEqual(last, value) { continue }
      result.append(value)
    }
    return result
  }
}
