/// How expressions are evaluated.
package enum ExpressionAccess: Hashable, Sendable, CaseIterable {
  /// By the kernels of columns, by vectors or row by row, whichever the planner chooses.
  case cheapest
  /// Every expression row by row, for tests that compare the ways.
  case rows
  /// Every expression by vectors, also where a column has a kernel of its own, for tests that compare the ways.
  case vectors
}
