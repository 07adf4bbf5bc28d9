package import PredicateLanguage
package import Values

/// A question about one column whose answer depends on nothing else: what an index, a kernel or a cluster's least and
/// greatest value can answer. Its constants are of the column's own kind.
///
/// Unchanging, and one object: see ``BoundComparison``.
package final class SargablePredicate: Hashable, Sendable {
  /// What is asked.
  package enum Question: Hashable, Sendable {
    /// Whether it is nil.
    case isNil
    /// Whether it lies in an interval.
    case interval(ValueInterval)
    /// Whether it is one of several values, ascending and without repetition, none of them nil or NaN.
    case oneOf([Value])
    /// What a text operator asks.
    case text(TextTest)
  }

  /// The column's position in the entity.
  package let column: Int
  /// What is asked.
  package let question: Question
  /// How the language prints it.
  package let syntax: PredicateSyntax

  package init(column: Int, question: Question, syntax: PredicateSyntax) {
    self.column = column
    self.question = question
    self.syntax = syntax
  }

  package static func == (a: SargablePredicate, b: SargablePredicate) -> Bool {
    a === b || a.column == b.column && a.question == b.question && a.syntax == b.syntax
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(column)
    hasher.combine(question)
    hasher.combine(syntax)
  }
}
