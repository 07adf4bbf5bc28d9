public import FoundationEssentials
internal import QueryEngine

extension Results {
  /// The smallest value of a property; nil without values. NaN is skipped.
  ///
  /// ```swift
  /// let weakest = try quakes.min(of: \.magnitude)
  /// ```
  public func min<Value: ScalarValue>(of keyPath: KeyPath<Object, Value>) throws -> Value? {
    try reduced(.minimum, keyPath)
  }

  /// The smallest value of a property; nil without values. nil and NaN are skipped.
  public func min<Value: ScalarValue>(of keyPath: KeyPath<Object, Value?>) throws -> Value? {
    try reduced(.minimum, keyPath)
  }

  /// The largest value of a property; nil without values. NaN is skipped.
  public func max<Value: ScalarValue>(of keyPath: KeyPath<Object, Value>) throws -> Value? {
    try reduced(.maximum, keyPath)
  }

  /// The largest value of a property; nil without values. nil and NaN are skipped.
  public func max<Value: ScalarValue>(of keyPath: KeyPath<Object, Value?>) throws -> Value? {
    try reduced(.maximum, keyPath)
  }

  /// The sum of integers: 0 without values, nil if it overflows. nil is skipped.
  public func sum<Value: ScalarValue & BinaryInteger>(of keyPath: KeyPath<Object, Value>) throws -> Int? {
    try aggregate(.sum, keyPath).integer
  }

  /// The sum of integers: 0 without values, nil if it overflows. nil is skipped.
  public func sum<Value: ScalarValue & BinaryInteger>(of keyPath: KeyPath<Object, Value?>) throws -> Int? {
    try aggregate(.sum, keyPath).integer
  }

  /// The sum of numbers: 0 without values. NaN is skipped.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(of keyPath: KeyPath<Object, Value>) throws -> Double {
    try aggregate(.sum, keyPath).number ?? 0
  }

  /// The sum of numbers: 0 without values. nil and NaN are skipped.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(of keyPath: KeyPath<Object, Value?>) throws -> Double {
    try aggregate(.sum, keyPath).number ?? 0
  }

  /// The mean of numbers; nil without values. NaN is skipped.
  public func average<Value: ScalarValue & Numeric>(of keyPath: KeyPath<Object, Value>) throws -> Double? {
    try aggregate(.average, keyPath).number
  }

  /// The mean of numbers; nil without values. nil and NaN are skipped.
  public func average<Value: ScalarValue & Numeric>(of keyPath: KeyPath<Object, Value?>) throws -> Double? {
    try aggregate(.average, keyPath).number
  }

  /// The exact sum of decimal numbers: 0 of nothing, nil when it has more than 38 digits. NaN is left out.
  ///
  /// ```swift
  /// let total = try orders.sum(of: \.price)
  /// ```
  public func sum(of keyPath: KeyPath<Object, Decimal>) throws -> Decimal? {
    try aggregate(.sum, keyPath).decimal
  }

  /// The exact sum of decimal numbers: 0 of nothing, nil when it has more than 38 digits. nil and NaN are left out.
  public func sum(of keyPath: KeyPath<Object, Decimal?>) throws -> Decimal? {
    try aggregate(.sum, keyPath).decimal
  }

  /// The mean of decimal numbers, rounded to 38 digits; nil of nothing. NaN is left out.
  public func average(of keyPath: KeyPath<Object, Decimal>) throws -> Decimal? {
    try aggregate(.average, keyPath).decimal
  }

  /// The mean of decimal numbers, rounded to 38 digits; nil of nothing. nil and NaN are left out.
  public func average(of keyPath: KeyPath<Object, Decimal?>) throws -> Decimal? {
    try aggregate(.average, keyPath).decimal
  }

  private func reduced<Result: ScalarValue>(_ aggregate: Aggregate, _ keyPath: AnyKeyPath) throws -> Result? {
    let value = try self.aggregate(aggregate, keyPath)
    if value.isNull { return nil }
    var decoder = RowDecoder([value])
    do {
      return try Result.decode(from: &decoder)
    } catch let error as StoreError {
      let definition = Object.modelDefinition
      throw error.located(entity: definition.entity.name, path: definition.path(of: keyPath) ?? "", object: nil)
    }
  }

  private func aggregate(_ aggregate: Aggregate, _ keyPath: AnyKeyPath) throws -> Value {
    guard let path = Object.modelDefinition.path(of: keyPath) else { throw Object.noPath(keyPath) }
    return try selection.aggregate(aggregate, of: path)
  }
}

extension Value {
  fileprivate var integer: Int? {
    if case .int(let number) = self { return Int(exactly: number) }
    return nil
  }

  /// The decimal number.
  fileprivate var decimal: Decimal? {
    if case .decimal(let number) = self { return Decimal(number) }
    return nil
  }

  /// The number as a double.
  var number: Double? {
    switch self {
    case .double(let number): number
    case .float(let number): Double(number)
    case .int(let number): Double(number)
    case .decimal(let number): number.double
    default: nil
    }
  }
}
