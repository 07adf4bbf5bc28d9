internal import PredicateLanguage

/// A column of rows: its heading and its content. Rows are flat, with a value for each property in order; an optional
/// struct has another value before its properties, which is nil if the struct is nil.
package struct RowColumn: Hashable, Sendable {
  /// The content of a column.
  package indirect enum Content: Hashable, Sendable {
    /// One value.
    case value(ExpressionType)
    /// An embedded struct.
    case structure(isOptional: Bool, [RowColumn])
  }

  /// The name after AS, or the expression as written; headings of a result are unique.
  package var heading: String
  /// The column's content.
  package var content: Content

  package init(heading: String, content: Content) {
    self.heading = heading
    self.content = content
  }
}

extension [RowColumn] {
  /// The columns with a number after each repeated heading: `mag`, `mag (2)`.
  func withDistinctHeadings() -> [RowColumn] {
    var taken: Set<String> = []
    let own = Set(map(\.heading))
    // The next number for a heading; lower numbers are taken.
    var next: [String: Int] = [:]
    return map { column in
      var column = column
      let heading = column.heading
      var number = next[heading, default: 2]
      while taken.contains(column.heading) || (number > 2 && own.contains(column.heading)) {
        StepCounter.add()
        column.heading = "\(heading) (\(number))"
        number += 1
      }
      next[heading] = number
      taken.insert(column.heading)
      return column
    }
  }
}
