internal import Schema
internal import Values

/// A column in which objects that are there already lack values, and what they get.
struct SchemaFill {
  /// Which values are lacking.
  enum Scope {
    /// Those of objects that have nil.
    case nulls
    /// Elements that are nil.
    case elements
    /// Those of all objects, as far as the structs around the column are there.
    case present
    /// Those of objects where a struct around the column is not there: they have nil.
    case absent
    /// One for each struct of a list.
    case structs
  }

  /// What is put there.
  enum Content {
    case value(Value)
    /// The value of an expression, which is run for each object; that of the column so numbered of the property at
    /// `owner`.
    case made(MadeDefault, owner: String, column: Int)
    /// There is nothing to put there, so nothing must be lacking.
    case nothing
  }

  var entity: UInt32
  var path: String
  var scope: Scope
  var content: Content
  /// What a message calls it: the property that is new, which may be a struct of several columns.
  var title: String?

  /// The sentence for objects that lack a value which nothing gives.
  static func problem(_ title: String, _ count: Int) -> String {
    "\(title) must have a value and \(amount(count, "object")) \(count == 1 ? "has" : "have") none: give it a default, or "
      + "make it optional"
  }
}

/// Where the values of a column come from that is new in objects that are there already.
struct ColumnOrigin {
  /// The path of the property that is new: the column's own or that of a struct around it.
  let owner: String
  /// Whether it is new to the structs of a list.
  let isInList: Bool
  /// Whether it is new to a struct that may be missing.
  var isInOptional = false
  /// What objects have, where it is not what the column says itself.
  var value: Value?
  /// What has to be filled in; nil where objects can do with one value that is not written to them.
  var content: SchemaFill.Content?

  /// What objects have without being written, where it is not what the column says.
  var everywhere: Value? { isInList ? nil : value }

  /// What has to be written to objects.
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
  /// Whether it is a list of structs.
  var isStructList: Bool { if case .embeddedList = self { true } else { false } }
}
