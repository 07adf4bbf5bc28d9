internal import Schema
internal import Storage
public import Values

/// What a model reads itself from: the values of one object, one for each of the model's columns in order.
///
/// It reads straight from the columns of a cluster, without a boxed value in between.
public struct RowDecoder {
  private enum Source {
    case cluster(ClusterColumns, slot: Int)
    case values([Value])
  }

  private let source: Source
  private let definition: ModelDefinition?
  private var position: Int

  /// Reads the columns of an object of a cluster, from one of them on.
  init(_ columns: ClusterColumns, slot: Int, definition: ModelDefinition?, from position: Int = 0) {
    source = .cluster(columns, slot: slot)
    self.definition = definition
    self.position = position
  }

  /// Reads values.
  init(_ values: [Value], definition: ModelDefinition? = nil) {
    source = .values(values)
    self.definition = definition
    position = 0
  }

  /// The next property, of whatever type is wanted.
  @inlinable public mutating func next<Property: PropertyValue>() throws -> Property {
    try Property.decode(from: &self)
  }

  /// Whether the next column is nil.
  public var isNextNull: Bool {
    switch source {
    case .cluster(let columns, let slot):
      guard position < columns.views.count else { return true }
      guard let view = columns.views[position] else { return columns.substitutes[position].isNull }
      return view.nulls[slot]
    case .values(let values): return position < values.count ? values[position].isNull : true
    }
  }

  /// Leaves out the next `count` columns.
  public mutating func skip(_ count: Int) { position += Swift.max(0, count) }

  /// The next column, of booleans.
  public mutating func bool() throws -> Bool {
    guard case .bool(let value) = try nextValue() else { throw mismatch("Bool") }
    return value
  }

  /// The next column, of whole numbers that fit `type`.
  @inlinable public mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let value = try int64()
    guard let integer = Integer(exactly: value) else { throw mismatch("\(type)") }
    return integer
  }

  /// The next column, of whole numbers.
  public mutating func int64() throws -> Int64 {
    if case .cluster(let columns, let slot) = source, position < columns.views.count,
      let view = columns.views[position], !view.nulls[slot]
    {
      switch view.values {
      case .int8(let base, let offsets):
        position += 1
        return base &+ Int64(offsets[slot])
      case .int16(let base, let offsets):
        position += 1
        return base &+ Int64(offsets[slot])
      case .int32(let base, let offsets):
        position += 1
        return base &+ Int64(offsets[slot])
      case .int64(let values):
        position += 1
        return values[slot]
      default: break
      }
    }
    guard case .int(let value) = try nextValue() else { throw mismatch("Int") }
    return value
  }

  /// The next column, of single-precision numbers.
  public mutating func float() throws -> Float {
    guard case .float(let value) = try nextValue() else { throw mismatch("Float") }
    return value
  }

  /// The next column, of double-precision numbers or of dates as seconds since 2001.
  public mutating func double() throws -> Double {
    if case .cluster(let columns, let slot) = source, position < columns.views.count,
      let view = columns.views[position], !view.nulls[slot], case .float64(let values) = view.values
    {
      position += 1
      return values[slot]
    }
    switch try nextValue() {
    case .double(let value): return value
    case .date(let value): return value.seconds
    default: throw mismatch("Double")
    }
  }

  /// The next column, of text.
  public mutating func string() throws -> String {
    guard case .string(let value) = try nextValue() else { throw mismatch("String") }
    return value
  }

  /// The next column, of UUIDs.
  public mutating func uuid() throws -> UUIDBytes {
    guard case .uuid(let value) = try nextValue() else { throw mismatch("UUID") }
    return value
  }

  /// The next column, of bytes.
  public mutating func data() throws -> [UInt8] {
    guard case .data(let value) = try nextValue() else { throw mismatch("Data") }
    return value
  }

  private mutating func nextValue() throws -> Value {
    defer { position += 1 }
    switch source {
    case .cluster(let columns, let slot):
      return position < columns.views.count ? try columns.value(position, slot: slot) : .null
    case .values(let values):
      return position < values.count ? values[position] : .null
    }
  }

  /// The error of a column that does not hold what the property wants; the column is the one just read.
  @usableFromInline func mismatch(_ expected: String) -> any Error {
    let read = position - 1
    let column = definition.flatMap { $0.columns.indices.contains(read) ? $0.columns[read] : nil }
    let entity = definition?.entity.name ?? "the object"
    let path = column?.path ?? "column \(read + 1)"
    var before = self
    before.position = read
    if before.isNextNull { return StoreError.missingValue(entity: entity, path: path) }
    return StoreError.wrongType(entity: entity, path: path, expected: expected, got: "another type")
  }
}
