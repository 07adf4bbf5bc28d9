internal import QueryEngine
internal import Values

/// A column of rows: its heading and its content.
public struct ResultColumn: Hashable, Sendable {
  /// The content of a column.
  public indirect enum Content: Hashable, Sendable {
    /// Numbers.
    case number
    /// A string or Data.
    case text
    /// Single values of any other type.
    case value
    /// A list, or a dictionary.
    case collection
    /// An embedded struct with its own columns; nil as a whole if it is optional.
    case structure(isOptional: Bool, [ResultColumn])
  }

  /// The name after AS, or the expression as written. Headings of a result are unique: a repeated one is followed by
  /// ` (2)`.
  public var heading: String
  /// The column's content.
  public var content: Content
  /// The name of the type of its values, such as `Double` or the entity of a link; nil if it is not known or a struct.
  public var typeName: String?

  /// A column.
  public init(heading: String, content: Content, typeName: String? = nil) {
    self.heading = heading
    self.content = content
    self.typeName = typeName
  }

  init(_ column: RowColumn) {
    heading = column.heading
    if case .value(let type) = column.content { typeName = type.plainName }
    switch column.content {
    case .structure(let isOptional, let columns):
      content = .structure(isOptional: isOptional, columns.map { ResultColumn($0) })
    case .value(let type):
      content =
        switch type {
        case .int, .float, .double, .decimal, .number: .number
        case .string, .data: .text
        case .list: .collection
        default: .value
        }
    }
  }
}

extension [ResultColumn] {
  /// The values of the columns, from a flat row with one value for each property.
  func values(of flat: [Value]) -> [Value] {
    var place = 0
    return map { $0.content.value(in: flat, at: &place) }
  }
}

extension ResultColumn.Content {
  fileprivate func value(in flat: [Value], at place: inout Int) -> Value {
    func next() -> Value {
      defer { place += 1 }
      return flat.indices.contains(place) ? flat[place] : .null
    }
    guard case .structure(let isOptional, let columns) = self else { return next() }
    let isThere = isOptional ? !next().isNull : true
    let fields = columns.map { EmbeddedField(name: $0.heading, value: $0.content.value(in: flat, at: &place)) }
    return isThere ? .embedded(fields) : .null
  }
}

extension ExpressionType {
  /// The name of the type without an article.
  fileprivate var plainName: String? {
    switch self {
    case .null, .structure: nil
    case .number: "Number"
    case .list: "List"
    case .bool, .int, .float, .double, .decimal, .string, .date, .uuid, .data, .object: name
    }
  }
}
