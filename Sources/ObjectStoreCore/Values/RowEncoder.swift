/// What a model writes itself into: the values of one object, one for each of the model's columns in order.
///
/// One encoder serves many objects; its memory is used again. It does not know the columns' names or types.
public struct RowEncoder {
  @usableFromInline var values: [Value] = []

  /// An empty row.
  public init() {}

  /// The values written so far.
  public var row: [Value] { values }

  /// Appends the value of the next column.
  @inlinable public mutating func append(_ value: Value) { values.append(value) }

  /// Appends nil for each of the next `count` columns.
  @inlinable public mutating func appendNulls(_ count: Int) {
    for _ in 0..<Swift.max(0, count) { values.append(.null) }
  }

  /// Forgets the values, keeps the memory.
  @inlinable mutating func reset() { values.removeAll(keepingCapacity: true) }
}
