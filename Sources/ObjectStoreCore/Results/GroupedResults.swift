internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// Results in groups of objects that share a value, with counts and other aggregates.
///
/// ```swift
/// let nets = try quakes.grouped(by: \.net)
///   .having { $0.count > 10 }
///   .select { ($0.key, $0.count, $0.average(of: \.magnitude)) }
/// for (net, count, mean) in nets { print(net, count, mean ?? 0) }
/// ```
///
/// Groups are in the order of their first objects.
public struct GroupedResults<Object: Model, Key: PropertyValue>: Sendable {
  let selection: Selection
  let key: ExpressionSyntax
  private var having: Result<PredicateSyntax?, QueryError> = .success(nil)

  init(_ selection: Selection, by key: ExpressionSyntax) {
    self.selection = selection
    self.key = key
  }

  /// Keeps the groups that satisfy a condition. An unsupported condition throws when groups are read.
  ///
  /// - Parameter build: Makes a condition on a group's key, its count and other aggregates.
  public func having(_ build: (GroupExpression<Object, Key>) -> QueryExpression<Bool>) -> GroupedResults {
    let term = build(GroupExpression(key: key)).term
    var result = self
    result.having = having.flatMap { before in
      if let failure = term.failure { return .failure(failure) }
      return .success(.conjunction([before, term.predicate].compactMap(\.self)))
    }
    return result
  }

  /// Transforms each group, in order, in one version of the store.
  ///
  /// - Parameter transform: Makes a value from a group. Each aggregate that it reads is computed once, for all groups.
  /// - Throws: `QueryError` for an aggregate of a property that is not stored as a number; the errors of `transform`.
  public func select<Value>(_ transform: (ResultsGroup<Object, Key>) throws -> Value) throws -> [Value] {
    let having = try having.get()
    return try selection.source.read { snapshot in
      let table = GroupValues(selection, key, having, in: snapshot)
      let keys = try table.values(of: key)
      // In a write, `transform` may change the store, which ends every view of it.
      defer { table.end() }
      return try keys.indices.map { place in
        var decoder = RowDecoder([keys[place]])
        let group = ResultsGroup<Object, Key>(key: try Key.decode(from: &decoder), place: place, table: table)
        let value = try transform(group)
        if let failure = table.failure { throw failure }
        return value
      }
    }
  }

  /// The keys of the groups with the number of their objects.
  public func counts() throws -> [(key: Key, count: Int)] { try select { ($0.key, $0.count) } }
}

/// A group while its values are read, within ``GroupedResults/select(_:)``.
public struct ResultsGroup<Object: Model, Key> {
  /// The shared value of the objects.
  public let key: Key
  fileprivate let place: Int
  fileprivate let table: GroupValues

  /// The number of objects.
  public var count: Int {
    if case .int(let count) = value("count", nil) { Int(clamping: count) } else { 0 }
  }

  /// The mean of a numeric property; nil without values. nil and NaN are skipped.
  public func average<Value>(of keyPath: KeyPath<Object, Value>) -> Double?
  where Value: QueryOperand, Value.QueryBase: QueryNumber { value("avg", keyPath).number }

  /// The sum of a numeric property; nil if a sum of integers overflows. nil and NaN are skipped.
  public func sum<Value>(of keyPath: KeyPath<Object, Value>) -> Value.QueryBase?
  where Value: QueryOperand, Value.QueryBase: QueryNumber & PropertyValue { decoded("sum", keyPath) }

  /// The smallest value; nil without values. nil and NaN are skipped.
  public func min<Value>(of keyPath: KeyPath<Object, Value>) -> Value.QueryBase?
  where Value: QueryOperand, Value.QueryBase: PropertyValue { decoded("min", keyPath) }

  /// The largest value; nil without values. nil and NaN are skipped.
  public func max<Value>(of keyPath: KeyPath<Object, Value>) -> Value.QueryBase?
  where Value: QueryOperand, Value.QueryBase: PropertyValue { decoded("max", keyPath) }

  private func decoded<Base: PropertyValue>(_ operation: String, _ keyPath: AnyKeyPath) -> Base? {
    let value = value(operation, keyPath)
    if value.isNull { return nil }
    var decoder = RowDecoder([value])
    do {
      return try Base.decode(from: &decoder)
    } catch {
      table.fail(error)
      return nil
    }
  }

  private func value(_ operation: String, _ keyPath: AnyKeyPath?) -> StoredValue {
    do {
      return try table.value(of: GroupExpression<Object, Key>.aggregate(operation, keyPath), at: place)
    } catch {
      table.fail(error)
      return .null
    }
  }
}

/// A placeholder for a group in a condition on groups.
public struct GroupExpression<Object: Model, Key>: Sendable {
  fileprivate let expression: ExpressionSyntax

  fileprivate init(key: ExpressionSyntax) { expression = key }

  /// The shared value of the objects.
  public var key: QueryExpression<Key> { QueryExpression<Key>(QueryTerm(expression)) }

  /// The number of objects.
  public var count: QueryExpression<Int> { term("count", nil) }

  /// The mean of numbers.
  public func average<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Double?>
  where Value.QueryBase: QueryNumber { term("avg", keyPath) }

  /// The sum of numbers.
  public func sum<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Value.QueryBase>
  where Value.QueryBase: QueryNumber { term("sum", keyPath) }

  /// The smallest value.
  public func min<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Value.QueryBase?> {
    term("min", keyPath)
  }

  /// The largest value.
  public func max<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Value.QueryBase?> {
    term("max", keyPath)
  }

  private func term<Value>(_ operation: String, _ keyPath: AnyKeyPath?) -> QueryExpression<Value> {
    do throws(QueryError) {
      return QueryExpression<Value>(QueryTerm(try Self.aggregate(operation, keyPath)))
    } catch {
      var term = QueryTerm(.null)
      term.failure = error
      return QueryExpression<Value>(term)
    }
  }

  /// `@count`, `@avg.magnitude`.
  fileprivate static func aggregate(_ operation: String, _ keyPath: AnyKeyPath?) throws(QueryError) -> ExpressionSyntax
  {
    var steps = [PathSyntax.Step(.operation(operation))]
    if let keyPath {
      guard let path = Object.modelDefinition.path(of: keyPath) else { throw Object.noPath(keyPath) }
      steps += path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) }
    }
    return ExpressionSyntax(.path(PathSyntax(steps: steps)))
  }
}

extension Results {
  /// Groups the results by equal values of a property with single values.
  public func grouped<Key: PropertyValue>(by keyPath: KeyPath<Object, Key>) -> GroupedResults<Object, Key> {
    guard let path = Object.path(of: keyPath), Key.columnCount == 1 else {
      return GroupedResults(selection.failing(Object.noPath(keyPath)), by: ExpressionSyntax(.literal(.null)))
    }
    return GroupedResults(selection, by: path)
  }
}

/// The values of groups in one snapshot; each aggregate is computed for all groups when first used. It is used by one
/// thread, and not after its snapshot has ended.
final class GroupValues {
  private let selection: Selection
  private let key: ExpressionSyntax
  private let having: PredicateSyntax?
  private var snapshot: Snapshot?
  private var known: [ExpressionSyntax: [StoredValue]] = [:]
  private(set) var failure: (any Error)?

  init(_ selection: Selection, _ key: ExpressionSyntax, _ having: PredicateSyntax?, in snapshot: Snapshot) {
    self.selection = selection
    self.key = key
    self.having = having
    self.snapshot = snapshot
  }

  /// Records the first error.
  func fail(_ error: any Error) { failure = failure ?? error }

  /// Releases the snapshot.
  func end() { snapshot = nil }

  /// The value of an expression for a group.
  func value(of expression: ExpressionSyntax, at place: Int) throws -> StoredValue {
    let values = try values(of: expression)
    return values.indices.contains(place) ? values[place] : .null
  }

  /// The values of an expression, one for each group.
  func values(of expression: ExpressionSyntax) throws -> [StoredValue] {
    if let values = known[expression] { return values }
    guard let snapshot else { throw StoreError.finished }
    let values = try selection.groupValues(of: expression, by: key, having: having, in: snapshot)
    known[expression] = values
    return values
  }
}
