/// The error of asking results for an object at a position where there is none.
public struct IndexOutOfRange: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position asked for, from 0.
  public var index: Int
  /// How many objects there were.
  public var count: Int

  /// The error of asking for `index` among `count`.
  public init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// What happened.
  public var description: String {
    "there is no object at position \(index): the results have \(count), counted from 0"
  }
}
