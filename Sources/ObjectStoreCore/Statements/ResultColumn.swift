internal import QueryEngine
internal import Values

/// A column of rows: its heading and what stands under it.
public struct ResultColumn: Hashable, Sendable {
  /// What stands under a heading.
  public indirect enum Content: Hashable, Sendable {
    /// Numbers.
    case number
    /// Text or data.
    case text
    /// Single values of any other type.
    case value
    /// A list, or a dictionary.
    case collection
    /// An embedded struct with its own columns, nil as a whole where it is optional.
    case structure(isOptional: Bool, [ResultColumn])
  }

  /// The name after AS, else the text of the expression as written. No two columns of a result have the same heading:
  /// one that was there before is followed by ` (2)`.
  public var heading: String
  /// What stands under it.
  public var content: Content

  /// A column.
  public init(heading: String, content: Content) {
    self.heading = heading
    self.content = content
  }

  init(_ column: RowColumn) {
    heading = column.heading
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
  /// One value for each column, of a row that has one for each leaf.
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
