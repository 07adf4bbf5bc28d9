internal import PredicateLanguage

/// One column of rows: its heading and its content. Rows are flat, with one value for each leaf in order. An optional
/// struct has one more value before its leaves, which is nil if the struct is nil.
package struct RowColumn: Hashable, Sendable {
  /// The content of a column.
  package indirect enum Content: Hashable, Sendable {
    /// One value.
    case value(ExpressionType)
    /// An embedded struct.
    case structure(isOptional: Bool, [RowColumn])
  }

  /// The name after AS, else the expression as written; no two columns of a result have the same.
  package var heading: String
  /// The content.
  package var content: Content

  package init(heading: String, content: Content) {
    self.heading = heading
    self.content = content
  }
}

extension [RowColumn] {
  /// The same columns with a number after each heading that was there before: `mag`, `mag (2)`.
  func withDistinctHeadings() -> [RowColumn] {
    var taken: Set<String> = []
    let own = Set(map(\.heading))
    // The number that comes next for a heading: those before it are taken for good.
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
