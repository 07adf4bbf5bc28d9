public import Values

/// The kind of collection of a property, regardless of the element type.
public enum CollectionKind: String, Hashable, Sendable, CaseIterable {
  /// `[T]`: in the given order, with duplicates.
  case array
  /// `Set<T>`: each once.
  case set
  /// `[String: T]`: each key once.
  case dictionary
}

extension CollectionKind {
  /// The collection without elements.
  public var empty: Value { self == .dictionary ? .embedded([]) : .list([]) }

  /// The collection in the form in which it is stored and compared: an array unchanged; a set ascending and without
  /// duplicates; a dictionary ascending by the bytes of its keys (the last value counts for a repeated key). Other
  /// values are returned unchanged.
  public func canonical(_ value: Value) -> Value {
    switch (self, value) {
    case (.set, .list(let elements)): .list(Value.ascending(elements))
    case (.dictionary, .embedded(let fields)): .embedded(Value.ascending(fields))
    default: value
    }
  }

  /// The name of such a collection of elements, as written in a declaration.
  public func name(of element: ScalarType) -> String {
    switch self {
    case .array: "[\(element.rawValue)]"
    case .set: "Set<\(element.rawValue)>"
    case .dictionary: "[String: \(element.rawValue)]"
    }
  }
}
