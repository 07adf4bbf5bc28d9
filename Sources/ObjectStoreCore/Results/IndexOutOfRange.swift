/// The error of reading results at a position without an object.
public struct IndexOutOfRange: Error, Hashable, Sendable, CustomStringConvertible {
  /// The requested position, from 0.
  public var index: Int
  /// The number of objects.
  public var count: Int

  /// Creates the error for position `index` of `count`.
  public init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// A description of the error.
  public var description: String {
    "there is no object at position \(index): the results have \(count), counted from 0"
  }
}
