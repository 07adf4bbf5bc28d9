public import FoundationEssentials
internal import PredicateLanguage

extension Query {
  /// Creates the query that is equivalent to a predicate of Foundation.
  ///
  /// ```swift
  /// let query = try Query(#Predicate<Quake> { $0.magnitude > 5 && $0.location.name.localizedStandardContains("taiwan") })
  /// ```
  ///
  /// It may use values, optionals (`if let`, `?.`, `??`), structs in the model, arrays, sets and dictionaries with
  /// `.count`, `.isEmpty`, `contains` and `allSatisfy`, arithmetic, and string methods. The macro itself does not
  /// support links; write such queries with a closure or as a text.
  ///
  /// The `count` of a string is its number of Unicode scalars, as that of `length`. Foundation's `evaluate` counts
  /// characters, of which some are several scalars.
  ///
  /// - Throws: `QueryError` that names the part without a counterpart in the language.
  public init(_ predicate: Predicate<Object>) throws { self = try Self.translating(predicate) }

  /// Creates the query that is equivalent to a predicate of Foundation. Unsupported parts throw where the query is
  /// used.
  package init(deferring predicate: Predicate<Object>) {
    do throws(QueryError) {
      self = try Self.translating(predicate)
    } catch {
      self.init(failing: error)
    }
  }

  private static func translating(_ predicate: Predicate<Object>) throws(QueryError) -> Query {
    var translation = PredicateTranslation()
    translation.variables[predicate.variable.key] = QueryExpression<Object>.object.term
    return Query(try translation.term(predicate.expression).predicate)
  }
}

extension Results {
  /// Keeps the objects that satisfy a predicate of Foundation.
  ///
  /// ```swift
  /// let strong = try quakes.filter(#Predicate<Quake> { $0.magnitude > 5 })
  /// ```
  ///
  /// - Throws: `QueryError` for parts without a counterpart in the language, and for errors in names and types;
  ///   `StoreError` if the schema cannot be read.
  public func filter(_ predicate: Predicate<Object>) throws -> Results { try filter(Query(predicate)) }
}

/// The state of translating a predicate of Foundation to a tree.
struct PredicateTranslation {
  /// The meanings of the closures' variables: the object, elements of collections, unwrapped values.
  var variables: [PredicateExpressions.VariableID: QueryTerm] = [:]
  private var elementCount = 0

  /// Translates a node.
  ///
  /// - Throws: `QueryError` that names a node without a counterpart.
  mutating func term(_ node: any PredicateExpression) throws(QueryError) -> QueryTerm {
    guard let node = node as? any TranslatableNode else { throw Self.unsupported(node) }
    return try node.term(&self)
  }

  /// A name for the next element of a collection.
  mutating func nextElement() -> String {
    elementCount += 1
    return elementCount == 1 ? "t" : "t\(elementCount)"
  }

  /// The error for a node without counterpart.
  static func unsupported(_ node: Any, _ reason: String = "") -> QueryError {
    unsupported(named: String("\(type(of: node))".prefix { $0 != "<" }), reason)
  }

  /// The error for an unsupported node, by its name.
  static func unsupported(named name: String, _ reason: String) -> QueryError {
    QueryError(
      source: "",
      Diagnostic(
        code: .unsupported, message: "a #Predicate with \(name)\(reason) has no counterpart in the query language",
        notes: ["write it as a text, or with 'where'"]))
  }
}

/// A node of Foundation's predicates that has a counterpart in the language.
protocol TranslatableNode {
  /// Translates the node.
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm
}
