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

  /// The range between two bounds.
  package init(lower: Bound, upper: Bound) {
    self.lower = lower
    self.upper = upper
  }

  /// Every key.
  package static let all = IndexKeyRange(lower: .unbounded, upper: .unbounded)
}
