package import PredicateLanguage
internal import Schema
package import Storage
package import Values

extension StoredColumn {
  /// Converts a value from a statement or from JSON to the column's type; nil if it does not fit.
  ///
  /// Strings are parsed for columns of dates, UUIDs and Data; `nan`, `inf` and `-inf` for columns of Doubles and
  /// Floats.
  package func converted(_ value: Value) -> Value? {
    if let kept = assigned(value) { return kept }
    if let kind = collectionKind {
      switch value {
      // `{}` is the empty collection of every kind.
      case .list([]) where kind == .dictionary: return .embedded([])
      case .list(let elements): return column.kept(.list(elements.map { Self.converted($0, scalarType) ?? $0 }))
      case .embedded(let fields) where kind == .dictionary:
        return column.kept(
          .embedded(
            fields.map { EmbeddedField(name: $0.name, value: Self.converted($0.value, scalarType) ?? $0.value) }))
      default: return nil
      }
    }
    return Self.converted(value, scalarType)
  }

  /// Parses a string for a type without literals in JSON; a Double that is an integer becomes an Int.
  private static func converted(_ value: Value, _ type: ScalarType) -> Value? {
    switch (type, value) {
    case (.date, .string(let text)): return ISO8601.instant(text).map { .date($0) }
    case (.uuid, .string(let text)): return UUIDBytes(text).map { .uuid($0) }
    case (.data, .string(let text)): return Base64.bytes(text).map { .data($0) }
    case (.double, .string(let text)): return special[text].map { .double($0) }
    case (.decimal, .string(let text)): return DecimalValue(text).map { .decimal($0) }
    case (.float, .string(let text)): return special[text].map { .float(Float($0)) }
    default: return assigned(value, type)
    }
  }

  /// The first element of a list, or value of a dictionary, that does not fit the column. Returns nil if each of them
  /// fits, though the whole may not.
  package func misfit(in value: Value) -> JSONPath.Step? {
    switch (collectionKind, value) {
    case (.array?, .list(let elements)), (.set?, .list(let elements)):
      elements.firstIndex { converted(.list([$0])) == nil }.map { .element($0) }
    case (.dictionary?, .embedded(let fields)):
      fields.first { converted(.embedded([$0])) == nil }.map { .property($0.name) }
    default: nil
    }
  }

  /// Converts a computed value to the column's type; nil if it does not fit: a nil that is not allowed, a number out of
  /// range or with a fraction. A Double is rounded to a Float unless that overflows.
  func assigned(_ value: Value) -> Value? {
    if value.isNull { return column.isOptional ? .null : nil }
    guard collectionKind == nil else {
      guard case .list(let elements) = value else { return column.kept(value) }
      var kept: [Value] = []
      kept.reserveCapacity(elements.count)
      for element in elements {
        guard let element = Self.assigned(element, scalarType) else { return nil }
        kept.append(element)
      }
      return column.kept(.list(kept))
    }
    return Self.assigned(value, scalarType)
  }

  private static func assigned(_ value: Value, _ type: ScalarType) -> Value? {
    switch (type, value) {
    case (.float, .double(let number)):
      let rounded = Float(number)
      return number.isFinite && !rounded.isFinite ? nil : .float(rounded)
    case (.int8, .double(let number)), (.int16, .double(let number)), (.int32, .double(let number)),
      (.int, .double(let number)):
      return Int64(exactly: number).flatMap { type.kept(.int($0)) }
    case (.int8, .float(let number)), (.int16, .float(let number)), (.int32, .float(let number)),
      (.int, .float(let number)):
      return Int64(exactly: number).flatMap { type.kept(.int($0)) }
    case (.int8, .decimal(let number)), (.int16, .decimal(let number)), (.int32, .decimal(let number)),
      (.int, .decimal(let number)):
      return number.integer.flatMap { type.kept(.int($0)) }
    case (.double, .decimal(let number)): return .double(number.double)
    case (.float, .decimal(let number)):
      let rounded = Float(number.double)
      return !number.isNaN && !rounded.isFinite ? nil : .float(rounded)
    default: return type.kept(value)
    }
  }

  /// Whether some value of a type fits the column, or its collections as an element.
  func mayKeep(_ type: ExpressionType, asElement: Bool = false) -> Bool {
    if type == .null { return !asElement && column.isOptional }
    guard collectionKind == nil || asElement else { return false }
    let own = ExpressionType(scalarType)
    return own == type || own.isNumeric && type.isNumeric
  }

  /// Numbers without a literal in JSON.
  private static let special: [String: Double] = ["nan": .nan, "inf": .infinity, "-inf": -.infinity]
}
