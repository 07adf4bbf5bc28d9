public import FoundationEssentials
internal import QueryEngine

extension Results {
  /// The smallest value of a property; nil without values. nil and NaN are skipped.
  ///
  /// ```swift
  /// let weakest = try quakes.min(of: \.magnitude)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property,
  ///   `StoreError.unreadableValue` for a value that the type of the property cannot represent; otherwise as `count`.
  /// - Complexity: At most linear in the number of objects, beside finding them; an index on the property may have the
  ///   answer.
  public func min<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Value.QueryBase?
  where Value.QueryBase: ScalarValue { try reduced(.minimum, keyPath) }

  /// The largest value of a property; nil without values. nil and NaN are skipped.
  ///
  /// ```swift
  /// let strongest = try quakes.max(of: \.magnitude)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property,
  ///   `StoreError.unreadableValue` for a value that the type of the property cannot represent; otherwise as `count`.
  /// - Complexity: As `min(of:)`.
  public func max<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Value.QueryBase?
  where Value.QueryBase: ScalarValue { try reduced(.maximum, keyPath) }

  /// The sum of integers: 0 without values, nil if it overflows. nil is skipped.
  ///
  /// ```swift
  /// let reports = try quakes.sum(of: \.felt)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func sum<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Int?
  where Value.QueryBase: ScalarValue & BinaryInteger { try aggregate(.sum, keyPath).integer }

  /// The exact sum of numbers, rounded once, whatever their order: 0 without values. nil and NaN are skipped.
  ///
  /// ```swift
  /// let total = try quakes.sum(of: \.magnitude)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func sum<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Double
  where Value.QueryBase: ScalarValue & BinaryFloatingPoint { try aggregate(.sum, keyPath).number ?? 0 }

  /// The mean of numbers; nil without values. nil and NaN are skipped.
  ///
  /// ```swift
  /// let mean = try quakes.average(of: \.magnitude)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func average<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Double?
  where Value.QueryBase: ScalarValue & Numeric { try aggregate(.average, keyPath).number }

  /// The exact sum of decimal numbers: 0 of nothing, nil when it has more than 38 digits. NaN is left out.
  ///
  /// ```swift
  /// let total = try orders.sum(of: \.price)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func sum(of keyPath: KeyPath<Object, Decimal>) throws -> Decimal? {
    try aggregate(.sum, keyPath).decimal
  }

  /// The exact sum of decimal numbers: 0 of nothing, nil when it has more than 38 digits. nil and NaN are left out.
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func sum(of keyPath: KeyPath<Object, Decimal?>) throws -> Decimal? {
    try aggregate(.sum, keyPath).decimal
  }

  /// The mean of decimal numbers, rounded to 38 digits; nil of nothing. NaN is left out.
  ///
  /// ```swift
  /// let mean: Decimal? = try orders.average(of: \.price)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func average(of keyPath: KeyPath<Object, Decimal>) throws -> Decimal? {
    try aggregate(.average, keyPath).decimal
  }

  /// The mean of decimal numbers, rounded to 38 digits; nil of nothing. nil and NaN are left out.
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of objects, beside finding them.
  public func average(of keyPath: KeyPath<Object, Decimal?>) throws -> Decimal? {
    try aggregate(.average, keyPath).decimal
  }

  func reduced<Result: ScalarValue>(_ function: AggregateFunction, _ keyPath: AnyKeyPath) throws -> Result? {
    let value = try aggregate(function, keyPath)
    if value.isNull { return nil }
    return try Result.decode(
      found: value, of: Object.self, path: Object.modelDefinition.path(of: keyPath) ?? "",
      in: selection.source.store.reference)
  }

  func aggregate(_ function: AggregateFunction, _ keyPath: AnyKeyPath) throws -> Value {
    guard let path = Object.modelDefinition.path(of: keyPath) else { throw Object.noPath(keyPath) }
    return try selection.aggregate(function, of: path)
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
