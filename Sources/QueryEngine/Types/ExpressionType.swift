package import Schema
package import Storage
package import Values

/// The type of a bound expression, regardless of whether it may be nil.
package enum ExpressionType: Hashable, Sendable {
  /// Only nil.
  case null
  case bool
  /// Integers.
  case int
  /// The values of a `Float` column. Anything computed from them is `double`.
  case float
  case double
  case decimal
  /// Numbers of several types, such as integers in some rows and Doubles in others: `TERNARY(p, 1, 2.5)`.
  case number
  case string
  case date
  case uuid
  case data
  /// Several values.
  case list
  /// An embedded struct, or the object itself.
  case structure
  /// An object of the named entity, by its ID: the target of a link.
  case object(String)

  package init(_ type: ScalarType) {
    self =
      switch type {
      case .bool: .bool
      case .int8, .int16, .int32, .int: .int
      case .float: .float
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      }
  }

  /// The type of a column's values.
  package init(_ column: StoredColumn) { self = column.collectionKind == nil ? column.elementType : .list }

  package init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      case .list: .list
      case .embedded: .structure
      case .object(let reference): .object(reference.entity)
      }
  }

  /// The entity of the objects, or nil for other types.
  package var objectEntity: String? {
    if case .object(let entity) = self { entity } else { nil }
  }

  /// A note for errors where an object or a struct stands in the place of a value.
  var propertyAdvice: [String] {
    switch self {
    case .object(let entity): ["write a property of \(entity) after a dot"]
    case .structure: ["write one of its properties after a dot"]
    default: []
    }
  }

  /// Whether the values have an order, for SORT and aggregates.
  var hasOrder: Bool {
    switch self {
    case .list, .structure, .object: false
    default: true
    }
  }

  /// Whether values are numbers.
  package var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal, .number: true
    case .null, .bool, .string, .date, .uuid, .data, .list, .structure, .object: false
    }
  }

  /// The type of the negated value. Callers read the operand's type once: reading it twice at each of many nested signs
  /// would take exponential time.
  var negated: ExpressionType { self == .float ? .double : self }

  /// The name of the type in errors.
  package var name: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .number: "a number"
    case .string: "String"
    case .date: "Date"
    case .uuid: "UUID"
    case .data: "Data"
    case .list: "a list"
    case .structure: "a struct"
    case .object(let entity): entity
    }
  }
}

extension ScalarType {
  /// The number that a column of Doubles, Floats or dates stores as `bits`.
  @inline(__always)
  func number(ofBits bits: UInt64) -> Double {
    self == .float ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }
}
