internal import PredicateLanguage

/// One column of rows: its heading and what stands under it. Rows are flat, a value for each leaf in order; an optional
/// struct has one more before its own, which is nil when the struct is.
package struct RowColumn: Hashable, Sendable {
  /// What stands under a heading.
  package indirect enum Content: Hashable, Sendable {
    /// One value.
    case value(ExpressionType)
    /// An embedded struct.
    case structure(isOptional: Bool, [RowColumn])
  }

  /// The name after AS, else the expression as written; no two columns of a result have the same.
  package var heading: String
  /// What stands under it.
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
