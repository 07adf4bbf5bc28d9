public import FoundationEssentials
internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// Results in sections of objects that share a value, in the order of the results.
///
/// ```swift
/// for section in try quakes.sorted(by: \.time, order: .reverse).sectioned(by: \.net).sections() {
///   print(section.key, section.count, try section.objects.map(\.magnitude))
/// }
/// ```
///
/// Sections are in the order of their first objects, so the order of the results determines it, unless an order of the
/// keys is given.
public struct SectionedResults<Object: Model, Key: Sendable>: Sendable {
  /// The results without sections.
  public let results: Results<Object>
  private let expression: ExpressionSyntax
  private let source: String
  private let order: SortOrder?
  private let decode: @Sendable (StoredValue) throws -> Key

  init(
    _ results: Results<Object>, by expression: ExpressionSyntax, source: String, order: SortOrder?,
    _ decode: @escaping @Sendable (StoredValue) throws -> Key
  ) {
    self.results = results
    self.expression = expression
    self.source = source
    self.order = order
    self.decode = decode
  }

  /// The sections with the identities of their objects, all from one version of the store.
  ///
  /// Finds all objects and reads the section keys.
  public func sections() throws -> [ResultsSection<Object, Key>] {
    var found = try results.selection.sections(by: expression, source: source)
    if let order {
      found.sort { order == .forward ? $0.key.sortsBefore($1.key) : $1.key.sortsBefore($0.key) }
    }
    return try found.map { section in
      ResultsSection(key: try decode(section.key), numbers: section.objects, in: results.selection.source)
    }
  }
}

/// Some objects of results that share a value.
public struct ResultsSection<Object: Model, Key: Sendable>: Sendable {
  /// The shared value.
  public let key: Key
  private let numbers: [ObjectNumber]
  private let source: QuerySource

  init(key: Key, numbers: [ObjectNumber], in source: QuerySource) {
    self.key = key
    self.numbers = numbers
    self.source = source
  }

  /// The number of objects.
  public var count: Int { numbers.count }

  /// Their identities, in order.
  public var ids: [ObjectID<Object>] { ObjectID.all(numbers) }

  /// The objects, in order, with their current values; objects deleted since then are left out.
  public var objects: [Object] { get throws { try results.objects() } }

  /// The objects as results, to be filtered, sorted and counted further.
  public var results: Results<Object> { Results(linked: .these(numbers), in: source) }
}

extension ResultsSection: Identifiable where Key: Hashable {
  /// The shared value.
  public var id: Key { key }
}

extension Results {
  /// Divides the results into sections of equal values of a property.
  ///
  /// - Parameters:
  ///   - keyPath: A property with single values.
  ///   - order: The order of the sections by their keys; nil for that of their first objects.
  public func sectioned<Value: PropertyValue>(
    by keyPath: KeyPath<Object, Value>, order: SortOrder? = nil
  ) -> SectionedResults<Object, Value> {
    let path = Value.columnCount == 1 ? Object.path(of: keyPath) : nil
    let results = path == nil ? Results(selection.failing(Object.noPath(keyPath))) : self
    let expression = path ?? ExpressionSyntax(.literal(.null))
    return SectionedResults(results, by: expression, source: "", order: order) { value in
      var decoder = RowDecoder([value])
      return try Value.decode(from: &decoder)
    }
  }

  /// Divides the results into sections of equal values of an expression: `sectioned(by: "year(time)")`.
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - order: The order of the sections by their keys; nil for that of their first objects.
  /// - Throws: `QueryError` with the errors in the expression.
  public func sectioned(by text: String, order: SortOrder? = nil) throws -> SectionedResults<Object, StoredValue> {
    let source = "DISTINCT(\(text))"
    let syntax = try PredicateParser.filter(source)
    guard syntax.predicate == nil, syntax.tails.count == 1, case .distinct(let values) = syntax.tails[0],
      values.count == 1
    else {
      throw QueryError(
        source: source, Diagnostic(code: .unexpectedClause, message: "expected one expression to section by"))
    }
    let sectioned = SectionedResults(self, by: values[0], source: source, order: order) { $0 }
    try selection.checkSections(by: values[0], source: source)
    return sectioned
  }
}
