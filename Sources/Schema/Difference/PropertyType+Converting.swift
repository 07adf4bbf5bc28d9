// Which types of values become which by themselves, when a store is opened with a model that declares another type.

extension ScalarType {
  /// Whether values become ones of the other type by themselves: whole numbers as wider, floating-point or decimal ones,
  /// `Float` as `Double`, decimal numbers as whole ones, booleans as 0 and 1. A single value may still have no
  /// counterpart: not every `Int` is a `Double`.
  public func converts(to other: ScalarType) -> Bool {
    switch self {
    case .bool: other.isInteger
    case .int8, .int16, .int32, .int: widens(to: other) || other == .float || other == .double || other == .decimal
    case .float: other == .double
    case .decimal: other.isInteger
    case .double, .string, .date, .uuid, .data: false
    }
  }
}

extension PropertyType {
  /// Whether values of the other type convert to this type automatically: by their scalar types, a single value to an
  /// array with one element, and a link to a list of links.
  public func converts(from other: PropertyType) -> Bool {
    switch (other, self) {
    case (.scalar(let old), .scalar(let new)), (.array(let old), .array(let new)), (.set(let old), .set(let new)),
      (.dictionary(let old), .dictionary(let new)):
      old.converts(to: new)
    case (.scalar(let old), .array(let new)): old == new || old.converts(to: new)
    case (.link(let old), .list(let new)): old == new
    // The name of a struct does not matter, only its leaves.
    case (.embedded, .embeddedList): true
    default: false
    }
  }
}
