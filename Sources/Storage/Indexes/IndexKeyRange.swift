/// A range of encoded index keys, by unsigned bytes. It does not know the values they stand for.
package struct IndexKeyRange: Hashable, Sendable {
  /// One end of a range.
  package enum Bound: Hashable, Sendable {
    /// Everything on that side.
    case unbounded
    /// Up to the key and with it.
    case included([UInt8])
    /// Up to the key and without it.
    case excluded([UInt8])
  }

  /// Where it begins.
  package var lower: Bound
  /// Where it ends.
  package var upper: Bound
  /// Whether it may hold keys of other values besides those asked for, because a bound was too long: the objects
  /// must be looked at again, as with an index that has long keys.
  package var isApproximate: Bool

  /// The range between two bounds.
  package init(lower: Bound, upper: Bound, isApproximate: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.isApproximate = isApproximate
  }

  /// Every key.
  package static let all = IndexKeyRange(lower: .unbounded, upper: .unbounded)

  /// The one key that it holds, where its ends are the same.
  package var onlyKey: [UInt8]? {
    guard case .included(let key) = lower, case .included(let other) = upper, key == other else { return nil }
    return key
  }

  /// Whether it has no end of its own, as what is greater than a value has not: it ends where all such values do.
  package var isOpenAbove: Bool {
    switch (lower, upper) {
    case (_, .unbounded): true
    case (.unbounded, _): false
    case (.included(let least), .included(let most)), (.included(let least), .excluded(let most)),
      (.excluded(let least), .included(let most)), (.excluded(let least), .excluded(let most)):
      most.count < least.count
    }
  }

  /// Whether every key that lies within another range lies within this one, as far as the bounds alone tell.
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

  /// Whether a key lies within.
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
