import Values

/// One value in a comparison: with its type, which literals take from each other.
struct OracleItem {
  var value: Value
  var type: OracleType
  var isLiteral = false
  /// The struct in the object that a variable stands for; empty for the object itself.
  var path = ""
  /// Whether it comes from a distance, which is only true to some digits.
  var isMeasured = false

  /// The value, which if it is a literal is read as the other side's type.
  func adapted(to other: OracleType) -> Value {
    guard isLiteral else { return value }
    switch (other, value) {
    case (.float, .int(let number)): return .float(Float(number))
    case (.float, .double(let number)): return .float(Float(number))
    case (.float, .decimal(let number)): return .float(Float(number.double))
    case (.bool, .int(let number)): return .bool(number != 0)
    case (.date, .string(let text)): return OracleDates.instant(text).map(Value.date) ?? .null
    default: return value
    }
  }
}

/// A side of a comparison: one value, or the elements of a collection.
struct OracleSide {
  var items: [OracleItem]
  var isMany: Bool
  /// Whether it is a collection that is nil.
  var isNil = false
  /// Whether it is a collection that the object itself has, which is there or nil.
  var isOwn = false
  /// Whether it is a collection of an element that is nil.
  var isOfNothing = false
  /// Whether CONTAINS asks for one of its elements, and not for a part of each.
  var hasMembers = true

  /// Whether it is nothing: a written nil, or a collection that is not there.
  var isNilLiteral: Bool {
    if !isMany, let item = items.first { return item.isLiteral && item.value.isNull }
    return isNil
  }
}
