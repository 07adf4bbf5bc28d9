/// A range of encoded index keys, by unsigned bytes. It does not know the values of the keys.
package struct IndexKeyRange: Hashable, Sendable {
  /// A bound of a range.
  package enum Bound: Hashable, Sendable {
    /// Everything on that side.
    case unbounded
    /// The range includes the key.
    case included([UInt8])
    /// Up to the key and without it.
    case excluded([UInt8])
  }

  /// The lower bound.
  package var lower: Bound
  /// The upper bound.
  package var upper: Bound
  /// Whether the range may contain keys of other values, because a bound was truncated: objects must be checked, as in
  /// an index with truncated keys.
  package var isApproximate: Bool

  /// The range between two bounds.
  package init(lower: Bound, upper: Bound, isApproximate: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.isApproximate = isApproximate
  }

  /// Every key.
  package static let all = IndexKeyRange(lower: .unbounded, upper: .unbounded)

  /// The only key of the range, if both bounds are the same.
  package var onlyKey: [UInt8]? {
    guard case .included(let key) = lower, case .included(let other) = upper, key == other else { return nil }
    return key
  }

  /// Whether the range has no upper bound of its own but ends where all values of the type end.
  package var isOpenAbove: Bool {
    switch (lower, upper) {
    case (_, .unbounded): true
    case (.unbounded, _): false
    case (.included(let least), .included(let most)), (.included(let least), .excluded(let most)),
      (.excluded(let least), .included(let most)), (.excluded(let least), .excluded(let most)):
      most.count < least.count
    }
  }

  /// Whether the range contains every key of another range, decided by the bounds.
  package func covers(_ other: IndexKeyRange) -> Bool {
    let beginsBefore =
      switch (lower, other.lower) {
      case (.unbounded, _): true
      case (_, .unbounded): false
      case (.excluded(let bound), .included(let key)): bound.lexicographicallyPrecedes(key)
      case (.included(let bound), .included(let key)), (.included(let bound), .excluded(let key)),
        (.excluded(let bound), .excluded(let key)):
        !key.lexicographicallyPrecedes(bound)
      }
    guard beginsBefore else { return false }
    return switch (upper, other.upper) {
    case (.unbounded, _): true
    case (_, .unbounded): false
    case (.excluded(let bound), .included(let key)): key.lexicographicallyPrecedes(bound)
    case (.included(let bound), .included(let key)), (.included(let bound), .excluded(let key)),
      (.excluded(let bound), .excluded(let key)):
      !bound.lexicographicallyPrecedes(key)
    }
  }

  /// Whether the range contains a key.
  package func contains(_ key: [UInt8]) -> Bool {
    let isAfterLower =
      switch lower {
      case .unbounded: true
      case .included(let bound): !key.lexicographicallyPrecedes(bound)
      case .excluded(let bound): bound.lexicographicallyPrecedes(key)
      }
    let isBeforeUpper =
      switch upper {
      case .unbounded: true
      case .included(let bound): !bound.lexicographicallyPrecedes(key)
      case .excluded(let bound): key.lexicographicallyPrecedes(bound)
      }
    return isAfterLower && isBeforeUpper
  }
}
