package import PredicateLanguage
package import Values

/// A predicate that depends on one column only, so that an index, a kernel or a cluster's zone map can evaluate it. Its
/// constants have the column's type.
///
/// It is immutable and a class for the same reason as ``BoundComparison``.
package final class SargablePredicate: Hashable, Sendable {
  /// The kinds of predicates.
  package enum Question: Hashable, Sendable {
    /// The value is nil.
    case isNil
    /// The value lies in an interval.
    case interval(ValueInterval)
    /// The value is one of several: ascending, distinct, without nil and NaN.
    case oneOf([Value])
    /// The string satisfies a string operator.
    case text(TextTest)
  }

  /// The column's position in the entity.
  package let column: Int
  /// The predicate on the column's value.
  package let question: Question
  /// The predicate as query text.
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
