internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// A filter of a known shape with arguments that are not bound: an index may find its objects without binding. The filter
/// is bound when more is needed.
struct UnboundFilter: Sendable {
  let prepared: PreparedQuery
  let schema: StoredSchema
  private let shape: QueryCache.Shape
  private let arguments: Arguments

  init(_ prepared: PreparedQuery, _ shape: QueryCache.Shape, _ arguments: Arguments, for schema: StoredSchema) {
    self.prepared = prepared
    self.shape = shape
    self.arguments = arguments
    self.schema = schema
  }

  /// The key of the filter.
  var key: QueryKey? { shape.key.addingArguments(arguments) }

  /// The filter bound, for the schema that the shape is of.
  var compiled: (query: CompiledQuery, schema: StoredSchema)? { query(for: schema).map { ($0, schema) } }

  /// The bound filter; nil for another schema, or if it must be bound from its text.
  func query(for schema: StoredSchema) -> CompiledQuery? {
    guard schema === self.schema else { return nil }
    return shape.query.refilled(shape.syntax, from: shape.arguments, to: arguments, sharing: shape.memory)
  }
}
