internal import Values

extension Value {
  /// What a message calls a value of this kind.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int(let number): "Int \(number)"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .date: "Date"
    case .uuid: "UUID"
    case .data: "Data"
    case .list: "a list"
    case .embedded: "a struct"
    }
  }
}
