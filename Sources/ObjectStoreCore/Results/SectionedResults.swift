internal import Diagnostics
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
  private let sectionKey: SortKeySyntax
  private let source: String
  private let order: SortOrder?
  private let decode: @Sendable (StoredValue) throws -> Key

  init(
    _ results: Results<Object>, by sectionKey: SortKeySyntax, source: String, order: SortOrder?,
    _ decode: @escaping @Sendable (StoredValue) throws -> Key
  ) {
    self.results = results
    self.sectionKey = sectionKey
    self.source = source
    self.order = order
    self.decode = decode
  }

  /// The sections with the identities of their objects, all from one version of the store.
  ///
  /// ```swift
  /// for section in try quakes.sectioned(by: \.net).sections() { print(section.key, section.count) }
  /// ```
  ///
  /// Finds all objects and reads the section keys.
  ///
  /// - Throws: `QueryError` for an invalid query or section key, `QueryCancelled`, `StoreError`: `limitExceeded` (time,
  ///   memory, rows), `unreadableValue` for a key that its type cannot represent, or an error of reading.
  /// - Complexity: Linear in the number of objects, beside finding them in the order of the results.
  public func sections() throws -> [ResultsSection<Object, Key>] {
    let source = results.selection.source
    let found = try source.read { snapshot in
      try results.selection.sections(by: sectionKey, source: self.source, isAscending: isAscending, in: snapshot)
    }
    return try found.map { try section($0.key, [$0.objects], in: source) }
  }

  /// A section that was found, with its key decoded.
  func section(
    _ key: StoredValue, _ parts: [[ObjectNumber]], in source: QuerySource
  ) throws -> ResultsSection<Object, Key> {
    ResultsSection(key: try decode(key), parts: parts, in: source)
  }

  /// Follows the sections from version to version.
  var tracker: SectionTracker { SectionTracker(by: sectionKey, source: source, isAscending: isAscending) }

  private var isAscending: Bool? { order.map { $0 == .forward } }
}

/// Some objects of results that share a value.
public struct ResultsSection<Object: Model, Key: Sendable>: Sendable {
  /// The shared value.
  public let key: Key
  /// The objects, in order. In parts, so that those of a live section share what has not changed.
  private var parts: [[ObjectNumber]]
  private let source: QuerySource
  /// The number of objects.
  public private(set) var count: Int

  init(key: Key, parts: [[ObjectNumber]], in source: QuerySource) {
    self.key = key
    self.source = source
    self.parts = parts
    count = parts.reduce(0) { $0 + $1.count }
  }

  /// The section with other objects.
  mutating func replace(_ parts: [[ObjectNumber]]) {
    self.parts = parts
    count = parts.reduce(0) { $0 + $1.count }
  }

  private var numbers: [ObjectNumber] { parts.count == 1 ? parts[0] : Array(parts.joined()) }

  /// Their identities, in order.
  ///
  /// They are those of the version in which the sections were found.
  public var ids: [ObjectID<Object>] { ObjectID.all(numbers) }

  /// The identity of the object at a valid position.
  func id(at position: Int) -> ObjectID<Object> {
    var (part, offset) = (0, position)
    while offset >= parts[part].count {
      offset -= parts[part].count
      part += 1
    }
    return ObjectID(parts[part][offset])
  }

  /// The objects, in order, with their current values; objects deleted since then are left out.
  ///
  /// - Throws: `StoreError.finished` for a section of a snapshot, a write or an observation that has ended; otherwise
  ///   as `Results.objects()`.
  public var objects: [Object] { get throws { try results.objects() } }

  /// The objects as results, to be filtered, sorted and counted further.
  ///
  /// ```swift
  /// for section in try quakes.sectioned(by: \.net).sections() {
  ///   print(section.key, try section.results.average(of: \.magnitude) ?? 0)
  /// }
  /// ```
  public var results: Results<Object> { Results(linked: .these(numbers), in: source) }
}

extension ResultsSection: Identifiable where Key: Hashable {
  /// The shared value.
  public var id: Key { key }
}

extension Results {
  /// Divides the results into sections of equal values of a property.
  ///
  /// ```swift
  /// let sections = try quakes.sectioned(by: \.net, options: .caseInsensitive).sections()
  /// ```
  ///
  /// A key path that leads to no single stored value throws when the sections are read.
  ///
  /// - Parameters:
  ///   - keyPath: A property with single values.
  ///   - order: The order of the sections by their keys; nil for that of their first objects.
  ///   - options: Which texts are equal; a section's key is then the text as folded, in capitals where letter case does
  ///     not count. `numeric` is about order alone: results are sorted by it.
  public func sectioned<Value: PropertyValue>(
    by keyPath: KeyPath<Object, Value>, order: SortOrder? = nil, options: SortOptions = []
  ) -> SectionedResults<Object, Value> {
    sectioned(by: keyPath, order: order, options) { $0 }
  }

  /// In sections by the first letter of a text.
  ///
  /// ```swift
  /// let names = people.sorted(by: \.name, options: [.caseInsensitive, .diacriticInsensitive])
  /// for section in try names.sectioned(byFirstLetterOf: \.name).sections() { print(section.key, section.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The text; one that is empty is in the section of the key "".
  ///   - order: The order of the sections by their keys; nil for that of their first objects.
  ///   - options: Which letters are one; unless said otherwise `é`, `E` and `e` are in the section `E`.
  public func sectioned(
    byFirstLetterOf keyPath: KeyPath<Object, String>, order: SortOrder? = nil,
    options: SortOptions = [.caseInsensitive, .diacriticInsensitive]
  ) -> SectionedResults<Object, String> {
    sectioned(by: keyPath, order: order, options) { .initial(of: $0) }
  }

  /// In sections by the first letter of a text; a section of its own, whose key is nil, for those that have none.
  public func sectioned(
    byFirstLetterOf keyPath: KeyPath<Object, String?>, order: SortOrder? = nil,
    options: SortOptions = [.caseInsensitive, .diacriticInsensitive]
  ) -> SectionedResults<Object, String?> {
    sectioned(by: keyPath, order: order, options) { .initial(of: $0) }
  }

  private func sectioned<Value: PropertyValue>(
    by keyPath: KeyPath<Object, Value>, order: SortOrder?, _ options: SortOptions,
    _ expression: (ExpressionSyntax) -> ExpressionSyntax
  ) -> SectionedResults<Object, Value> {
    let path = Value.columnCount == 1 ? Object.path(of: keyPath) : nil
    let results = path == nil ? Results(selection.failing(Object.noPath(keyPath))) : self
    let key = SortKeySyntax(expression(path ?? ExpressionSyntax(.literal(.null))), options: options)
    let name = Object.modelDefinition.path(of: keyPath) ?? ""
    let store = selection.source.store.reference
    return SectionedResults(results, by: key, source: "", order: order) { value in
      try Value.decode(found: value, of: Object.self, path: name, in: store)
    }
  }

  /// In sections of equal values of an expression: `sectioned(by: "year(time)")`, with options behind it where texts are to
  /// be taken for one: `sectioned(by: "place[cd]")`.
  ///
  /// ```swift
  /// for section in try quakes.sectioned(by: "year(time)").sections() { print(section.key, section.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The expression.
  ///   - order: The order of the sections by their keys; nil for that of their first objects.
  /// - Throws: `QueryError` with the errors in the expression; `StoreError` if the schema cannot be read.
  public func sectioned(by text: String, order: SortOrder? = nil) throws -> SectionedResults<Object, StoredValue> {
    let key = try selection.parsing { interruption throws(DiagnosticError) in
      try PredicateParser.sectionKey(text, interruption: interruption)
    }
    let sectioned = SectionedResults(self, by: key, source: text, order: order) { $0 }
    try selection.checkSections(by: key, source: text)
    return sectioned
  }
}
