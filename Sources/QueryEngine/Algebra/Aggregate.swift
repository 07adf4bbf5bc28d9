/// What a column of values is reduced to. nil and NaN are skipped.
package enum Aggregate: String, Hashable, Sendable, CaseIterable {
  /// The least value; nil of nothing.
  case minimum = "min"
  /// The greatest value; nil of nothing.
  case maximum = "max"
  /// 0 of nothing; nil when a sum of integers does not fit.
  case sum
  /// nil of nothing.
  case average
}
