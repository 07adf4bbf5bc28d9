package import Values

/// The range of a column's values from a cluster's directory. It lets a scan skip the cluster unread.
package struct ColumnRange: Hashable, Sendable {
  /// The minimum in the column's stored form, without NaN and nil; nil if there is none. Zeros compare equal, so its
  /// sign is undefined for a zero.
  package let minimum: Value
  /// The maximum.
  package let maximum: Value
  /// The number of objects in the cluster that have nil.
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
