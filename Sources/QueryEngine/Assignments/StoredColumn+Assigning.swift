package import PredicateLanguage
internal import Schema
package import Storage
package import Values

extension StoredColumn {
  /// A value as written in a statement or in JSON, as the column keeps it; nil when it can't be that.
  ///
  /// Text is read as a date, UUID, base64 data or `nan`, `inf`, `-inf` where the column wants one of those.
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

  /// What a text says to a type that has no literals of its own in JSON; a whole Double as an integer.
  private static func converted(_ value: Value, _ type: ScalarType) -> Value? {
    switch (type, value) {
    case (.date, .string(let text)): return ISO8601.instant(text).map { .date($0) }
    case (.uuid, .string(let text)): return UUIDBytes(text).map { .uuid($0) }
    case (.data, .string(let text)): return Base64.bytes(text).map { .data($0) }
    case (.double, .string(let text)): return special[text].map { .double($0) }
    case (.float, .string(let text)): return special[text].map { .float(Float($0)) }
    default: return assigned(value, type)
    }
  }

  /// The first element of a list, or the first value of a dictionary, that a collection can't keep; nil where it is not
  /// for one of them that it can't keep the whole.
  package func misfit(in value: Value) -> JSONPath.Step? {
    switch (collectionKind, value) {
    case (.array?, .list(let elements)), (.set?, .list(let elements)):
      elements.firstIndex { converted(.list([$0])) == nil }.map { .element($0) }
    case (.dictionary?, .embedded(let fields)):
      fields.first { converted(.embedded([$0])) == nil }.map { .property($0.name) }
    default: nil
    }
  }

  /// A value that was computed, as the column keeps it; nil when it can't be that: nothing where a value is needed, a
  /// number that is not whole or does not fit. A Double is rounded to a Float as long as it stays a number.
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
    default: return type.kept(value)
    }
  }

  /// Whether some value of a type may be kept: by the column, or as an element of its collections.
  func mayKeep(_ type: ExpressionType, asElement: Bool = false) -> Bool {
    if type == .null { return !asElement && column.isOptional }
    guard collectionKind == nil || asElement else { return false }
    let own = ExpressionType(scalarType)
    return own == type || own.isNumeric && type.isNumeric
  }

  /// Numbers that JSON has no literals for.
  private static let special: [String: Double] = ["nan": .nan, "inf": .infinity, "-inf": -.infinity]
}
