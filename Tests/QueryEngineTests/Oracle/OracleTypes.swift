import Schema
import Values

/// What an expression is, as far as the language cares.
enum OracleType: Equatable {
  case null, bool, int, float, double, decimal, number, string, date, uuid, data, structure, point
  /// An object of the named entity.
  case object(String)

  init(_ type: ScalarType) {
    switch type {
    case .bool: self = .bool
    case .int8, .int16, .int32, .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .data
    }
  }

  init(_ value: Value) throws(OracleError) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .data
    case .object(let object): self = .object(object.entity)
    case .list, .embedded: throw OracleError("a list or struct is no single value")
    }
  }

  var isNumber: Bool { self == .int || self == .float || self == .double || self == .decimal || self == .number }
  var isNumberOrNull: Bool { isNumber || self == .null }
  /// Whether arithmetic with a Decimal is exact.
  var isExactOrNull: Bool { isIntOrNull || self == .decimal }
  var isIntOrNull: Bool { self == .int || self == .null }
  var isTextOrNull: Bool { self == .string || self == .null }
  var isPointOrNull: Bool { self == .point || self == .null }
  /// Whether it is an object that can be compared: not a struct of a list.
  var isObject: Bool { if case .object(let entity) = self { !OracleWorld.isStructEntity(entity) } else { false } }
  /// Whether it is neither struct nor point nor object.
  var isScalar: Bool {
    if case .object = self { return false }
    return self != .structure && self != .point
  }
}

/// Why a predicate is no query: an error when it is compiled.
struct OracleError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
