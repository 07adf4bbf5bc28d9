internal import Schema
internal import Values

/// A column in which existing objects lack values, and the values they get.
struct SchemaFill {
  /// Which values are lacking.
  enum Scope {
    /// The gaps of objects that have nil.
    case nulls
    /// Elements that are nil.
    case elements
    /// The gaps of all objects in which the structs around the column exist.
    case present
    /// The gaps of objects in which a struct around the column does not exist; they get nil.
    case absent
    /// The gaps of each struct in a list.
    case structs
  }

  /// The content that fills gaps.
  enum Content {
    case value(Value)
    /// The value of an expression, which is run for each object; that of the column so numbered of the property at
    /// `owner`.
    case made(MadeDefault, owner: String, column: Int)
    /// There is no content, so there must be no gaps.
    case nothing
  }

  var entity: UInt32
  var path: String
  var scope: Scope
  var content: Content
  /// The name in messages: that of the new property, which may be a struct of several columns.
  var title: String?

  /// The sentence about objects without a value for which there is no content.
  static func problem(_ title: String, _ count: Int) -> String {
    "\(title) must have a value and \(amount(count, "object")) \(count == 1 ? "has" : "have") none: give it a default, or "
      + "make it optional"
  }
}

/// The source of a new column's values in existing objects.
struct ColumnOrigin {
  /// The path of the new property: the column's own, or that of a struct around it.
  let owner: String
  /// Whether it is new in the structs of a list.
  let isInList: Bool
  /// Whether it is new in an optional struct.
  var isInOptional = false
  /// The value of existing objects, if it is not the column's default.
  var value: Value?
  /// The content to write; nil if existing objects share a value that need not be written.
  var content: SchemaFill.Content?

  /// The value of existing objects that need not be written, if it is not the column's default.
  var everywhere: Value? { isInList ? nil : value }

  /// The gaps to fill in objects.
  func fills(_ column: Column, _ entity: UInt32) -> [SchemaFill] {
    func fill(_ scope: SchemaFill.Scope, _ content: SchemaFill.Content) -> SchemaFill {
      SchemaFill(entity: entity, path: column.path, scope: scope, content: content, title: owner)
    }
    if isInList {
      return column.kind.isPart ? [fill(.structs, content ?? .value(value ?? column.olderPart))] : []
    }
    var fills: [SchemaFill] = []
    if let content { fills.append(fill(.present, content)) }
    if isInOptional, !column.isFreeOfValue(value) { fills.append(fill(.absent, .value(.null))) }
    return fills
  }
}

extension Column {
  /// Whether objects that get this value, or the column's own default, have nil.
  fileprivate func isFreeOfValue(_ value: Value?) -> Bool { (value ?? defaultValue).isNull }
}

extension PropertyType {
  /// Whether the type is a list of structs.
  var isStructList: Bool { if case .embeddedList = self { true } else { false } }
}
