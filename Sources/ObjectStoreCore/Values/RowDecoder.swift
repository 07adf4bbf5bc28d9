/// What a model reads itself from: the values of one object, one for each of the model's columns in order.
///
/// It reads straight from the columns of a cluster, without a boxed value in between.
public struct RowDecoder {
  private let values: [Value]
  private let columns: [Column]
  private let entity: String
  private var position = 0

  init(values: [Value], columns: [Column], entity: String) {
    self.values = values
    self.columns = columns
    self.entity = entity
  }

  /// Whether the next column is nil.
  public var isNextNull: Bool { position < values.count ? values[position].isNull : true }

  /// The next property, of whatever type is wanted.
  @inlinable public mutating func next<Property: PropertyValue>() throws -> Property {
    try Property.decode(from: &self)
  }

  /// Leaves out the next `count` columns.
  public mutating func skip(_ count: Int) { position += count }

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
    guard position < values.count else { throw mismatch("another column") }
    defer { position += 1 }
    return values[position]
  }

  @usableFromInline func mismatch(_ expected: String) -> any Error { StoreError.unsupported("not yet") }
}
