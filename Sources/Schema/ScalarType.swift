/// The type of a single value, without optionality.
public enum ScalarType: String, Hashable, Sendable, CaseIterable {
  /// `Bool`
  case bool = "Bool"
  /// `Int8`
  case int8 = "Int8"
  /// `Int16`
  case int16 = "Int16"
  /// `Int32`
  case int32 = "Int32"
  /// `Int` and `Int64`, printed `Int`
  case int = "Int"
  /// `Float`
  case float = "Float"
  /// `Double`
  case double = "Double"
  /// `Decimal`
  case decimal = "Decimal"
  /// `String`
  case string = "String"
  /// `Date`
  case date = "Date"
  /// `UUID`
  case uuid = "UUID"
  /// `Data`
  case data = "Data"

  /// Whether values are integers.
  public var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int: true
    default: false
    }
  }

  /// Whether values are numbers.
  public var isNumeric: Bool { isInteger || self == .float || self == .double || self == .decimal }
}

extension ScalarType {
  /// Whether it is an integer type whose values all fit in the other type.
  public func widens(to other: ScalarType) -> Bool {
    let widths: [ScalarType] = [.int8, .int16, .int32, .int]
    guard let own = widths.firstIndex(of: self), let wider = widths.firstIndex(of: other) else { return false }
    return own < wider
  }
}
