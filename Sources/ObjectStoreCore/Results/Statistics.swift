internal import Diagnostics
public import FoundationEssentials
internal import PredicateLanguage
internal import QueryEngine

// The median, percentiles, the mode and the standard deviation: of collections, of groups and of all results.

extension QueryExpression where Value: QueryCollection & QueryOperand {
  /// The most frequent element, the smallest of several; nil without elements.
  public var mode: QueryExpression<Value.QueryBase?> { QueryExpression<Value.QueryBase?>(term.reduced("mode")) }
}

extension QueryExpression where Value: QueryCollection & QueryOperand, Value.QueryBase: QueryNumber {
  /// The element in the middle, or the mean of the two there; nil without elements.
  public var median: QueryExpression<Double?> { QueryExpression<Double?>(term.reduced("median")) }

  /// The value below which a share of the elements lies, interpolated between two elements; nil without elements.
  ///
  /// ```swift
  /// let loud = stations.where { $0.peaks.percentile(0.9) > 5 }
  /// ```
  ///
  /// - Parameter share: From 0, the least, to 1, the greatest; the query throws for any other.
  public func percentile(_ share: Double) -> QueryExpression<Double?> {
    guard let percentile = Percentile(share) else {
      return QueryExpression<Double?>(QueryTerm(failing: Percentile.refusal))
    }
    return QueryExpression<Double?>(term.reduced(percentile.operation))
  }

  /// The standard deviation of the elements as a population; nil without elements.
  public var standardDeviation: QueryExpression<Double?> { QueryExpression<Double?>(term.reduced("stddev")) }
}

extension GroupExpression {
  /// The number in the middle, or the mean of the two there.
  public func median<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Double?>
  where Value.QueryBase: QueryNumber { term("median", keyPath) }

  /// The decimal number in the middle, or the mean of the two there.
  public func median(of keyPath: KeyPath<Object, Decimal>) -> QueryExpression<Decimal?> { term("median", keyPath) }

  /// The decimal number in the middle, or the mean of the two there.
  public func median(of keyPath: KeyPath<Object, Decimal?>) -> QueryExpression<Decimal?> { term("median", keyPath) }

  /// The most frequent value, the smallest of several.
  public func mode<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Value.QueryBase?> {
    term("mode", keyPath)
  }

  /// The number below which a share of the group's numbers lies, interpolated between two.
  ///
  /// - Parameters:
  ///   - share: From 0, the least, to 1, the greatest; the query throws for any other.
  ///   - keyPath: The property with the numbers.
  public func percentile<Value: QueryOperand>(
    _ share: Double, of keyPath: KeyPath<Object, Value>
  ) -> QueryExpression<Double?> where Value.QueryBase: QueryNumber {
    guard let percentile = Percentile(share) else {
      return QueryExpression<Double?>(QueryTerm(failing: Percentile.refusal))
    }
    return term(percentile.operation, keyPath)
  }

  /// The standard deviation of numbers as a population.
  public func standardDeviation<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Double?>
  where Value.QueryBase: QueryNumber { term("stddev", keyPath) }
}

extension ResultsGroup {
  /// The number in the middle, or the mean of the two there; nil without values. nil and NaN are skipped.
  public func median<Value>(of keyPath: KeyPath<Object, Value>) -> Double?
  where Value: QueryOperand, Value.QueryBase: QueryNumber { value("median", keyPath).number }

  /// The decimal number in the middle, or the mean of the two there; nil without values. nil and NaN are skipped.
  public func median(of keyPath: KeyPath<Object, Decimal>) -> Decimal? { decoded("median", keyPath) }

  /// The decimal number in the middle, or the mean of the two there; nil without values. nil and NaN are skipped.
  public func median(of keyPath: KeyPath<Object, Decimal?>) -> Decimal? { decoded("median", keyPath) }

  /// The most frequent value, the smallest of several; nil without values. nil and NaN are skipped.
  public func mode<Value>(of keyPath: KeyPath<Object, Value>) -> Value.QueryBase?
  where Value: QueryOperand, Value.QueryBase: PropertyValue { decoded("mode", keyPath) }

  /// The standard deviation of numbers as a population; nil without values. nil and NaN are skipped.
  public func standardDeviation<Value>(of keyPath: KeyPath<Object, Value>) -> Double?
  where Value: QueryOperand, Value.QueryBase: QueryNumber { value("stddev", keyPath).number }
}

extension Results {
  /// The number below which a share of the numbers lies, interpolated between two; nil without values. nil and NaN are
  /// skipped.
  ///
  /// ```swift
  /// let strong = try quakes.percentile(0.99, of: \.magnitude)
  /// ```
  ///
  /// - Parameters:
  ///   - share: From 0, the least, to 1, the greatest.
  ///   - keyPath: The property with the numbers.
  /// - Throws: `QueryError` for any other share, an invalid query, or a key path that leads to no stored property;
  ///   otherwise as `count`.
  /// - Complexity: As `median(of:)`.
  public func percentile<Value: ScalarOperand>(_ share: Double, of keyPath: KeyPath<Object, Value>) throws -> Double?
  where Value.QueryBase: ScalarValue & Numeric { try aggregate(try Percentile.function(share), keyPath).number }

  /// The number in the middle, or the mean of the two there; nil without values. nil and NaN are skipped.
  ///
  /// ```swift
  /// let middle = try quakes.median(of: \.magnitude)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: O(*n* log *n*) for *n* values, which are held in memory and sorted, beside finding the objects.
  public func median<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Double?
  where Value.QueryBase: ScalarValue & Numeric { try aggregate(.median, keyPath).number }

  /// The most frequent value, the smallest of several; nil without values. nil and NaN are skipped.
  ///
  /// ```swift
  /// let commonest = try quakes.mode(of: \.net)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property,
  ///   `StoreError.unreadableValue` for a value that the type of the property cannot represent; otherwise as `count`.
  /// - Complexity: O(*n* log *n*) for *n* values, which are held in memory and sorted, beside finding the objects.
  public func mode<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Value.QueryBase?
  where Value.QueryBase: ScalarValue { try reduced(.mode, keyPath) }

  /// The standard deviation of numbers as a population; nil without values. nil and NaN are skipped.
  ///
  /// ```swift
  /// let spread = try quakes.standardDeviation(of: \.magnitude)
  /// ```
  ///
  /// - Throws: `QueryError` for an invalid query or a key path that leads to no stored property; otherwise as `count`.
  /// - Complexity: Linear in the number of values, in time and memory, beside finding the objects.
  public func standardDeviation<Value: ScalarOperand>(of keyPath: KeyPath<Object, Value>) throws -> Double?
  where Value.QueryBase: ScalarValue & Numeric { try aggregate(.deviation, keyPath).number }
}

extension DynamicResults {
  /// The value in the middle of those at a path, or the mean of the two there, skipping nil and NaN; nil without values.
  ///
  /// ```swift
  /// let middle = try store.objects("Quake").median(of: "magnitude")
  /// ```
  ///
  /// - Parameter path: The dotted path of the property.
  /// - Throws: `StoreError`: `unknownProperty` for a path that leads to no stored value, such as a struct,
  ///   `unsupported` for one whose values are no numbers; otherwise as `count`.
  public func median(of path: String) throws -> Double? { try selection.aggregate(.median, of: path).number }

  /// The value below which a share of the values at a path lies, interpolated between two, skipping nil and NaN; nil
  /// without values.
  ///
  /// ```swift
  /// let strong = try store.objects("Quake").percentile(0.99, of: "magnitude")
  /// ```
  ///
  /// - Parameters:
  ///   - share: From 0, the least, to 1, the greatest.
  ///   - path: The dotted path of the property with the numbers.
  /// - Throws: `QueryError` for any other share; otherwise as `median(of:)`.
  public func percentile(_ share: Double, of path: String) throws -> Double? {
    try selection.aggregate(try Percentile.function(share), of: path).number
  }

  /// The most frequent of the values at a path, the smallest of several, skipping nil and NaN; `.null` without values.
  ///
  /// ```swift
  /// let commonest = try store.objects("Quake").mode(of: "net")
  /// ```
  ///
  /// - Parameter path: The dotted path of the property.
  /// - Throws: `StoreError`: `unknownProperty` for a path that leads to no stored value, such as a struct,
  ///   `unsupported` for one whose values have no order, such as a collection; otherwise as `count`.
  public func mode(of path: String) throws -> Value { try selection.aggregate(.mode, of: path) }

  /// The standard deviation of the values at a path as a population, skipping nil and NaN; nil without values.
  ///
  /// ```swift
  /// let spread = try store.objects("Quake").standardDeviation(of: "magnitude")
  /// ```
  ///
  /// - Parameter path: The dotted path of the property.
  /// - Throws: `StoreError`: `unknownProperty` for a path that leads to no stored value, such as a struct,
  ///   `unsupported` for one whose values are no numbers; otherwise as `count`.
  public func standardDeviation(of path: String) throws -> Double? {
    try selection.aggregate(.deviation, of: path).number
  }
}

extension Percentile {
  fileprivate static var refusal: String { "the share of a percentile is from 0 to 1" }

  /// The aggregate for a share.
  fileprivate static func function(_ share: Double) throws(QueryError) -> AggregateFunction {
    guard let percentile = Percentile(share) else {
      throw QueryError(source: "", Diagnostic(code: .unsupported, message: refusal))
    }
    return .percentile(percentile)
  }
}
