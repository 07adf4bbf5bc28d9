/// An aggregate of a column of values. nil and NaN are skipped.
package enum Aggregate: String, Hashable, Sendable, CaseIterable {
  /// The minimum; nil without values.
  case minimum = "min"
  /// The maximum; nil without values.
  case maximum = "max"
  /// 0 without values; nil if a sum of integers overflows.
  case sum
  /// nil without values.
  case average
}
