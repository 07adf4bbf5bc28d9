package import Schema
package import Storage
package import Values

/// The type of a bound expression, apart from whether it may be nil.
package enum ExpressionType: Hashable, Sendable {
  /// nil and nothing else.
  case null
  case bool
  /// Whole numbers.
  case int
  /// What a `Float` column holds. Anything computed from one is `double`.
  case float
  case double
  /// Whole numbers in some rows, Doubles in others: `TERNARY(p, 1, 2.5)`.
  case number
  case string
  case date
  case uuid
  case data
  /// Several values.
  case list
  /// An embedded struct, or the object itself.
  case structure
  /// An object of the entity of that name, by its number: what a link leads to.
  case object(String)

  package init(_ type: ScalarType) {
    self =
      switch type {
      case .bool: .bool
      case .int8, .int16, .int32, .int: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      }
  }

  /// What a column holds.
  package init(_ column: StoredColumn) { self = column.collectionKind == nil ? column.elementType : .list }

  package init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      case .list: .list
      case .embedded: .structure
      case .object(let reference): .object(reference.entity)
      }
  }

  /// The entity of the objects, when it is a type of objects.
  package var objectEntity: String? {
    if case .object(let entity) = self { entity } else { nil }
  }

  /// What to write instead of an object or a struct where a value is needed.
  var propertyAdvice: [String] {
    switch self {
    case .object(let entity): ["write a property of \(entity) after a dot"]
    case .structure: ["write one of its properties after a dot"]
    default: []
    }
  }

  /// Whether values have an order that SORT and aggregates can go by.
  var hasOrder: Bool {
    switch self {
    case .list, .structure, .object: false
    default: true
    }
  }

  /// Whether values are numbers.
  package var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .number: true
    default: false
    }
  }

  /// The type of its opposite number. Asked of the operand once: twice at each of many signs is twice as often each time.
  var negated: ExpressionType { self == .float ? .double : self }

  /// As it is called in errors.
  package var name: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Float"
    case .double: "Double"
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
