public import Values

/// What kind of collection a property is. It does not know of what.
public enum CollectionKind: String, Hashable, Sendable, CaseIterable {
  /// `[T]`: in the order given, repetitions included.
  case array
  /// `Set<T>`: each once.
  case set
  /// `[String: T]`: each key once.
  case dictionary
}

extension CollectionKind {
  /// The collection without elements.
  public var empty: Value { self == .dictionary ? .embedded([]) : .list([]) }

  /// The collection as it is kept and compared: an array as it is, a set ascending and each element once, a dictionary
  /// ascending by the bytes of its keys (of a key given twice the last counts). What is no such collection stays as
  /// it is.
  public func canonical(_ value: Value) -> Value {
    switch (self, value) {
    case (.set, .list(let elements)): .list(Value.ascending(elements))
    case (.dictionary, .embedded(let fields)): .embedded(Value.ascending(fields))
    default: value
    }
  }

  /// The name of such a collection of elements, as it is declared.
  public func name(of element: ScalarType) -> String {
    switch self {
    case .array: "[\(element.rawValue)]"
    case .set: "Set<\(element.rawValue)>"
    case .dictionary: "[String: \(element.rawValue)]"
    }
  }
}
