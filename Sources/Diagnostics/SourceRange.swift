/// A half-open range of UTF-8 offsets in a source text. An empty range is a place between two bytes.
public struct SourceRange: Hashable, Sendable {
  /// Offset of the first byte.
  public var lowerBound: Int
  /// Offset after the last byte.
  public var upperBound: Int

  /// The range from `lowerBound` up to `upperBound` (taken as at least `lowerBound`).
  public init(_ lowerBound: Int, _ upperBound: Int) {
    self.lowerBound = lowerBound
    self.upperBound = max(lowerBound, upperBound)
  }

  /// The smallest range that covers both.
  public func union(_ other: SourceRange) -> SourceRange {
    SourceRange(min(lowerBound, other.lowerBound), max(upperBound, other.upperBound))
  }
}
