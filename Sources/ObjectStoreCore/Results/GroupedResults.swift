public import FoundationEssentials
internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// Results in groups: the objects that share a value, or several, counted and reduced.
///
/// ```swift
/// let nets = try quakes.grouped(by: \.net)
///   .having { $0.count > 10 }
///   .sorted(by: { $0.count }, order: .reverse)
///   .select { ($0.key, $0.count, $0.average(of: \.magnitude)) }
/// for (net, count, mean) in nets { print(net, count, mean ?? 0) }
/// ```
///
/// Groups come in the order of their first objects, unless they are sorted.
public struct GroupedResults<Object: Model, each Key: PropertyValue>: Sendable {
  let selection: Selection
  let grouping: Grouping
  private var failure: QueryError?

  init(_ selection: Selection, by keys: [ExpressionSyntax]) {
    self.selection = selection
    grouping = Grouping(keys: keys)
  }

  private init(_ selection: Selection, _ grouping: Grouping, _ failure: QueryError?) {
    self.selection = selection
    self.grouping = grouping
    self.failure = failure
  }

  /// Only the groups for which a condition holds. A condition that can't be expressed throws when groups are read.
  ///
  /// ```swift
  /// let busy = try quakes.grouped(by: \.net).having { $0.count > 10 }.counts()
  /// ```
  ///
  /// - Parameter build: Makes a condition of a group's key, its count and other aggregates.
  public func having(_ build: (GroupExpression<Object, repeat each Key>) -> QueryExpression<Bool>) -> GroupedResults {
    let term = build(GroupExpression(keys: grouping.keys)).term
    var grouping = grouping
    grouping.having = .conjunction([grouping.having, term.predicate].compactMap(\.self))
    return GroupedResults(selection, grouping, failure ?? term.failure)
  }

  /// The groups in the order of a key or an aggregate. Sorting is stable: of two sorts the later one is the primary.
  ///
  /// ```swift
  /// let largest = try quakes.grouped(by: \.net).sorted(by: { $0.count }, order: .reverse).limit(3).counts()
  /// ```
  ///
  /// Groups are sorted before they are limited: sorting after a limit throws when groups are read.
  ///
  /// - Parameters:
  ///   - build: Makes the value to sort by, of a group's key, its count and other aggregates.
  ///   - order: Forward is ascending, nil first.
  public func sorted<Value>(
    by build: (GroupExpression<Object, repeat each Key>) -> QueryExpression<Value>, order: SortOrder = .forward
  ) -> GroupedResults {
    let term = build(GroupExpression(keys: grouping.keys)).term
    // A limit is of the groups in the order before.
    var failure = failure ?? term.failure
    if grouping.limit != nil {
      failure =
        failure
        ?? QueryError(
          source: "",
          Diagnostic(code: .unsupported, message: "groups are sorted before they are limited: call 'limit' last"))
    }
    var grouping = grouping
    grouping.order.insert(SortKeySyntax(term.expression, ascending: order == .forward), at: 0)
    return GroupedResults(selection, grouping, failure)
  }

  /// At most the first `count` groups; a negative number is taken as 0. Every `having` applies before the limit, in either
  /// order of the calls.
  ///
  /// ```swift
  /// let some = try quakes.grouped(by: \.net).limit(3).counts()
  /// ```
  public func limit(_ count: Int) -> GroupedResults {
    var grouping = grouping
    grouping.limit = Swift.min(grouping.limit ?? .max, Swift.max(0, count))
    return GroupedResults(selection, grouping, failure)
  }

  /// Transforms each group, in order, in one version of the store.
  ///
  /// ```swift
  /// let means = try quakes.grouped(by: \.net).select { ($0.key, $0.average(of: \.magnitude)) }
  /// ```
  ///
  /// - Parameter transform: Makes a value of a group. Each aggregate that it reads is computed once, for all groups.
  /// - Throws: `QueryError` for an invalid query, key or condition, or an aggregate of other than stored numbers; what
  ///   `transform` throws; `QueryCancelled`; `StoreError`: `limitExceeded` (time, memory, and rows, a group being one),
  ///   `unreadableValue`, or an error of reading.
  /// - Complexity: Linear in the number of objects for each key and for each aggregate that `transform` reads, beside
  ///   finding them.
  public func select<Value>(
    _ transform: (ResultsGroup<Object, repeat each Key>) throws -> Value
  ) throws -> [Value] {
    if let failure { throw failure }
    return try selection.source.read { snapshot in
      let table = GroupValues(selection, grouping, in: snapshot)
      let columns = try grouping.keys.map { try table.values(of: $0) }
      // In a write, `transform` may change the store, which ends every view of it.
      defer { table.end() }
      return try (columns.first ?? []).indices.map { place in
        var column = 0
        func next<Part: PropertyValue>(_: Part.Type) throws -> Part {
          defer { column += 1 }
          return try Part.decode(
            found: columns[column][place], of: Object.self, path: grouping.keys[column].predicateFormat,
            in: table.store)
        }
        let key = (repeat try next((each Key).self))
        let group = ResultsGroup<Object, repeat each Key>(key: (repeat each key), place: place, table: table)
        let value = try transform(group)
        if let failure = table.failure { throw failure }
        return value
      }
    }
  }

  /// The keys of the groups with the number of their objects.
  ///
  /// ```swift
  /// for (net, count) in try quakes.grouped(by: \.net).counts() { print(net, count) }
  /// ```
  ///
  /// - Throws: As `select(_:)`.
  public func counts() throws -> [(key: (repeat each Key), count: Int)] { try select { ($0.key, $0.count) } }
}

/// How objects are grouped, and which groups are read in what order.
struct Grouping: Sendable {
  let keys: [ExpressionSyntax]
  var having: PredicateSyntax?
  /// The most significant first.
  var order: [SortKeySyntax] = []
  var limit: Int?
}

/// A group while its values are read, within ``GroupedResults/select(_:)``.
///
/// An aggregate that cannot be computed is nil, or 0 for the count; `select(_:)` then throws its error once the closure
/// has returned.
public struct ResultsGroup<Object: Model, each Key> {
  /// What the objects share: a value, or a tuple of several.
  public let key: (repeat each Key)
  fileprivate let place: Int
  fileprivate let table: GroupValues

  /// The number of objects.
  public var count: Int {
    if case .int(let count) = value("count", nil) { Int(clamping: count) } else { 0 }
  }

  /// The mean of a numeric property; nil without values. nil and NaN are skipped.
  public func average<Value>(of keyPath: KeyPath<Object, Value>) -> Double?
  where Value: QueryOperand, Value.QueryBase: QueryNumber { value("avg", keyPath).number }

  /// The mean of decimal numbers, rounded to 38 digits; nil of nothing. nil and NaN are left out.
  public func average(of keyPath: KeyPath<Object, Decimal>) -> Decimal? { decoded("avg", keyPath) }

  /// The mean of decimal numbers, rounded to 38 digits; nil of nothing. nil and NaN are left out.
  public func average(of keyPath: KeyPath<Object, Decimal?>) -> Decimal? { decoded("avg", keyPath) }

  /// The sum of integers of any width; nil when it overflows an `Int`. nil is left out.
  public func sum<Value>(of keyPath: KeyPath<Object, Value>) -> Int?
  where Value: QueryOperand, Value.QueryBase: QueryNumber & BinaryInteger {
    if case .int(let sum) = value("sum", keyPath) { Int(exactly: sum) } else { nil }
  }

  /// The exact sum of numbers, rounded once, whatever their order. nil and NaN are left out.
  public func sum<Value>(of keyPath: KeyPath<Object, Value>) -> Double?
  where Value: QueryOperand, Value.QueryBase: QueryNumber & BinaryFloatingPoint { value("sum", keyPath).number }

  /// The exact sum of decimal numbers; nil when it has more than 38 digits. NaN is left out.
  public func sum(of keyPath: KeyPath<Object, Decimal>) -> Decimal? { decoded("sum", keyPath) }

  /// The exact sum of decimal numbers; nil when it has more than 38 digits. nil and NaN are left out.
  public func sum(of keyPath: KeyPath<Object, Decimal?>) -> Decimal? { decoded("sum", keyPath) }

  /// The smallest value; nil without values. nil and NaN are skipped.
  public func min<Value>(of keyPath: KeyPath<Object, Value>) -> Value.QueryBase?
  where Value: QueryOperand, Value.QueryBase: PropertyValue { decoded("min", keyPath) }

  /// The largest value; nil without values. nil and NaN are skipped.
  public func max<Value>(of keyPath: KeyPath<Object, Value>) -> Value.QueryBase?
  where Value: QueryOperand, Value.QueryBase: PropertyValue { decoded("max", keyPath) }

  func decoded<Base: PropertyValue>(_ operation: String, _ keyPath: AnyKeyPath) -> Base? {
    let value = value(operation, keyPath)
    if value.isNull { return nil }
    do {
      return try Base.decode(
        found: value, of: Object.self, path: Object.modelDefinition.path(of: keyPath) ?? "", in: table.store)
    } catch {
      table.fail(error)
      return nil
    }
  }

  func value(_ operation: String, _ keyPath: AnyKeyPath?) -> StoredValue {
    do {
      return try table.value(of: GroupAggregateSyntax.of(Object.self, operation, keyPath), at: place)
    } catch {
      table.fail(error)
      return .null
    }
  }
}

/// What stands in for a group where a condition about groups is written.
///
/// An aggregate of a key path that leads to no stored property throws when groups are read.
public struct GroupExpression<Object: Model, each Key>: Sendable {
  fileprivate let keys: [ExpressionSyntax]

  /// What the objects share: a value, or a tuple of several.
  public var key: (repeat QueryExpression<each Key>) {
    var rest = keys[...]
    func next<Value>(_: Value.Type) -> QueryExpression<Value> {
      QueryExpression<Value>(QueryTerm(rest.popFirst() ?? ExpressionSyntax(.literal(.null))))
    }
    return (repeat next((each Key).self))
  }

  /// The number of objects.
  public var count: QueryExpression<Int> { term("count", nil) }

  /// The mean of numbers.
  public func average<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Double?>
  where Value.QueryBase: QueryNumber { term("avg", keyPath) }

  /// The mean of decimal numbers, rounded to 38 digits.
  public func average(of keyPath: KeyPath<Object, Decimal>) -> QueryExpression<Decimal?> { term("avg", keyPath) }

  /// The mean of decimal numbers, rounded to 38 digits.
  public func average(of keyPath: KeyPath<Object, Decimal?>) -> QueryExpression<Decimal?> { term("avg", keyPath) }

  /// The sum of integers of any width.
  public func sum<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Int>
  where Value.QueryBase: QueryNumber & BinaryInteger { term("sum", keyPath) }

  /// The sum of numbers.
  public func sum<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Double>
  where Value.QueryBase: QueryNumber & BinaryFloatingPoint { term("sum", keyPath) }

  /// The sum of decimal numbers.
  public func sum(of keyPath: KeyPath<Object, Decimal>) -> QueryExpression<Decimal> { term("sum", keyPath) }

  /// The sum of decimal numbers.
  public func sum(of keyPath: KeyPath<Object, Decimal?>) -> QueryExpression<Decimal> { term("sum", keyPath) }

  /// The smallest value.
  public func min<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Value.QueryBase?> {
    term("min", keyPath)
  }

  /// The largest value.
  public func max<Value: QueryOperand>(of keyPath: KeyPath<Object, Value>) -> QueryExpression<Value.QueryBase?> {
    term("max", keyPath)
  }

  func term<Value>(_ operation: String, _ keyPath: AnyKeyPath?) -> QueryExpression<Value> {
    do throws(QueryError) {
      return QueryExpression<Value>(QueryTerm(try GroupAggregateSyntax.of(Object.self, operation, keyPath)))
    } catch {
      var term = QueryTerm(.null)
      term.failure = error
      return QueryExpression<Value>(term)
    }
  }
}

private enum GroupAggregateSyntax {
  /// `@count`, `@avg.magnitude`.
  static func of<Object: Model>(
    _ model: Object.Type, _ operation: String, _ keyPath: AnyKeyPath?
  ) throws(QueryError) -> ExpressionSyntax {
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
  ///
  /// ```swift
  /// let counts = try quakes.grouped(by: \.net).counts()
  /// ```
  ///
  /// A key path that leads to no single stored value throws when groups are read.
  public func grouped<Key: PropertyValue>(by keyPath: KeyPath<Object, Key>) -> GroupedResults<Object, Key> {
    var keys = GroupKeys(selection)
    keys.add(keyPath)
    return GroupedResults(keys.selection, by: keys.expressions)
  }

  // Each number of keys is declared by itself: in a chain of calls the compiler infers no closure over a pack of keys.

  /// In groups of equal values of two properties, each a single value. A group's key is a tuple.
  ///
  /// ```swift
  /// for (key, count) in try quakes.grouped(by: \.net, \.type).counts() { print(key.0, key.1, count) }
  /// ```
  ///
  /// A key path that leads to no single stored value throws when groups are read.
  public func grouped<First: PropertyValue, Second: PropertyValue>(
    by first: KeyPath<Object, First>, _ second: KeyPath<Object, Second>
  ) -> GroupedResults<Object, First, Second> {
    var keys = GroupKeys(selection)
    keys.add(first)
    keys.add(second)
    return GroupedResults(keys.selection, by: keys.expressions)
  }

  /// In groups of equal values of three properties. See ``grouped(by:_:)``.
  public func grouped<First: PropertyValue, Second: PropertyValue, Third: PropertyValue>(
    by first: KeyPath<Object, First>, _ second: KeyPath<Object, Second>, _ third: KeyPath<Object, Third>
  ) -> GroupedResults<Object, First, Second, Third> {
    var keys = GroupKeys(selection)
    keys.add(first)
    keys.add(second)
    keys.add(third)
    return GroupedResults(keys.selection, by: keys.expressions)
  }

  /// In groups of equal values of four properties. See ``grouped(by:_:)``. More keys are said in a statement.
  public func grouped<First: PropertyValue, Second: PropertyValue, Third: PropertyValue, Fourth: PropertyValue>(
    by first: KeyPath<Object, First>, _ second: KeyPath<Object, Second>, _ third: KeyPath<Object, Third>,
    _ fourth: KeyPath<Object, Fourth>
  ) -> GroupedResults<Object, First, Second, Third, Fourth> {
    var keys = GroupKeys(selection)
    keys.add(first)
    keys.add(second)
    keys.add(third)
    keys.add(fourth)
    return GroupedResults(keys.selection, by: keys.expressions)
  }
}

/// The keys that results are grouped by, from key paths.
private struct GroupKeys {
  var selection: Selection
  var expressions: [ExpressionSyntax] = []

  init(_ selection: Selection) { self.selection = selection }

  /// Adds a key; a key path that leads to no single stored value makes the selection throw.
  mutating func add<Object: Model, Value: PropertyValue>(_ keyPath: KeyPath<Object, Value>) {
    let path = Value.columnCount == 1 ? Object.path(of: keyPath) : nil
    if path == nil { selection = selection.failing(Object.noPath(keyPath)) }
    expressions.append(path ?? ExpressionSyntax(.literal(.null)))
  }
}

/// The values of groups in one snapshot; each aggregate is computed for all groups when first used. It is used by one
/// thread, and not after its snapshot has ended.
final class GroupValues {
  private let selection: Selection
  private let grouping: Grouping
  private var snapshot: Snapshot?
  private var known: [ExpressionSyntax: [StoredValue]] = [:]
  private(set) var failure: (any Error)?

  init(_ selection: Selection, _ grouping: Grouping, in snapshot: Snapshot) {
    self.selection = selection
    self.grouping = grouping
    self.snapshot = snapshot
  }

  /// The store, in which links among the values are followed.
  var store: StoreReference { selection.source.store.reference }

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
    let values = try selection.groupValues(of: expression, in: grouping, snapshot)
    known[expression] = values
    return values
  }
}
