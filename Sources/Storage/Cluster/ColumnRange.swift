package import Values

/// What a cluster's directory says about the values of a column, so that a scan may skip the cluster unread.
package struct ColumnRange: Hashable, Sendable {
  /// The least value, NaN and nil apart, as the column keeps it; nil when there is none. Zeros compare equal whatever
  /// their sign, so either may stand here.
  package let minimum: Value
  /// The greatest.
  package let maximum: Value
  /// How many objects of the cluster have nil.
  package let nullCount: Int
  /// Whether some value is NaN.
  package let hasNaN: Bool

  package init(minimum: Value, maximum: Value, nullCount: Int, hasNaN: Bool) {
    self.minimum = minimum
    self.maximum = maximum
    self.nullCount = nullCount
    self.hasNaN = hasNaN
  }
}
