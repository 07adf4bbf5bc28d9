/// The number of an object within its entity: given in insertion order from 1, never reused.
///
/// 256 consecutive numbers share a cluster; the low eight bits are the slot in it.
public struct ObjectNumber: Hashable, Comparable, Sendable {
  /// The number itself.
  public var rawValue: UInt64

  /// An object number from its raw value.
  @inlinable public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The object in `slot` (0…255) of `cluster`.
  @inlinable public init(cluster: UInt64, slot: Int) {
    rawValue = cluster << 8 | UInt64(truncatingIfNeeded: slot) & 255
  }

  /// The cluster that holds the object.
  @inlinable public var cluster: UInt64 { rawValue >> 8 }

  /// The slot in the cluster, 0…255.
  @inlinable public var slot: Int { Int(truncatingIfNeeded: rawValue & 255) }

  /// Whether `left` was inserted before `right`.
  @inlinable public static func < (left: ObjectNumber, right: ObjectNumber) -> Bool { left.rawValue < right.rawValue }
}
