internal import Schema
internal import Storage
public import Values

/// The input for reading a model: the values of one object, one for each of the model's columns in order.
///
/// It reads directly from the columns of a cluster in mapped memory, without boxing values. It can't be copied, so that
/// nothing refers to it after the read.
public struct RowDecoder: ~Copyable {
  private let cluster: ClusterColumns?
  /// The cluster's columns, which live as long as the cluster.
  private let columns: UnsafePointer<OpenColumn>?
  private let columnCount: Int
  /// The object, for a row of a cluster.
  private let number: ObjectNumber
  /// The values and context of a row without a cluster. Rows of a cluster leave these empty, which avoids reference
  /// counting for each object read.
  private let values: [Value]
  private let valuesDefinition: ModelDefinition?
  private let valuesOrigin: RowOrigin?
  private var position = 0

  /// Reads the columns of an object of a cluster.
  init(_ cluster: consuming ClusterColumns, _ number: ObjectNumber) {
    columns = UnsafePointer(cluster.open.baseAddress)
    columnCount = cluster.open.count
    self.cluster = cluster
    self.number = number
    values = []
    valuesDefinition = nil
    valuesOrigin = nil
  }

  /// Reads values.
  init(_ values: [Value], definition: ModelDefinition? = nil, origin: RowOrigin? = nil) {
    self.values = values
    valuesDefinition = definition
    valuesOrigin = origin
    cluster = nil
    columns = nil
    columnCount = 0
    number = ObjectNumber(0)
  }

  @inline(__always) private var slot: Int { number.slot }

  /// The object's origin; nil when links and inverses are not needed.
  var origin: RowOrigin? {
    guard let cluster else { return valuesOrigin }
    return cluster.store.map { RowOrigin(store: $0, number: number) }
  }

  private var definition: ModelDefinition? { cluster?.definition ?? valuesDefinition }

  /// The next column, if it is in a cluster and not nil there. This does not advance.
  @inline(__always) private var open: UnsafePointer<OpenColumn>? {
    guard let columns, position >= 0, position < columnCount, !columns[position].isNull(slot) else { return nil }
    return columns + position
  }

  /// Reads the next property, of any type.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`.
  @inlinable public mutating func next<Property: PropertyValue>() throws -> Property {
    try Property.decode(from: &self)
  }

  /// Whether the next column is nil.
  public var isNextNull: Bool { isNull(position) }

  private func isNull(_ position: Int) -> Bool {
    guard position >= 0 else { return true }
    if let columns { return position < columnCount ? columns[position].isNull(slot) : true }
    return position < values.count ? values[position].isNull : true
  }

  /// Leaves out the next `count` columns.
  public mutating func skip(_ count: Int) { position += Swift.max(0, count) }

  /// The next column, of booleans.
  ///
  /// - Throws: `StoreError`: `missingValue` for nil, `wrongType` for a column of another type, `corrupted` for damaged
  ///   bytes.
  public mutating func bool() throws -> Bool {
    if let value = open?.pointee.bool(slot) {
      position += 1
      return value
    }
    guard case .bool(let value) = try nextValue() else { throw mismatch("Bool") }
    return value
  }

  /// Reads the next column as an integer that fits `type`.
  ///
  /// - Throws: As `int64()`; `StoreError.unreadableValue` for a value that does not fit `type`.
  @inlinable public mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let value = try int64()
    guard let integer = Integer(exactly: value) else { throw unreadable(.int(value), as: "\(type)") }
    return integer
  }

  /// Reads the next column as an integer.
  ///
  /// - Throws: As `bool()`.
  public mutating func int64() throws -> Int64 {
    if let value = open?.pointee.integer(slot) {
      position += 1
      return value
    }
    guard case .int(let value) = try nextValue() else { throw mismatch("Int") }
    return value
  }

  /// The next column, of single-precision numbers.
  ///
  /// - Throws: As `bool()`.
  public mutating func float() throws -> Float {
    if let value = open?.pointee.float(slot) {
      position += 1
      return value
    }
    guard case .float(let value) = try nextValue() else { throw mismatch("Float") }
    return value
  }

  /// The next column, of double-precision numbers or of dates as seconds since 2001.
  ///
  /// - Throws: As `bool()`.
  public mutating func double() throws -> Double {
    if let value = open?.pointee.double(slot) {
      position += 1
      return value
    }
    switch try nextValue() {
    case .double(let value): return value
    case .date(let value): return value.seconds
    default: throw mismatch("Double")
    }
  }

  /// Reads the next column as text.
  ///
  /// - Throws: As `bool()`.
  public mutating func string() throws -> String {
    if let bytes = open?.pointee.text(slot) {
      position += 1
      return String(decoding: bytes, as: UTF8.self)
    }
    guard case .string(let value) = try nextValue() else { throw mismatch("String") }
    return value
  }

  /// The next column, of UUIDs.
  ///
  /// - Throws: As `bool()`.
  public mutating func uuid() throws -> UUIDBytes {
    if let value = open?.pointee.uuid(slot) {
      position += 1
      return value
    }
    guard case .uuid(let value) = try nextValue() else { throw mismatch("UUID") }
    return value
  }

  /// The next column, of bytes.
  ///
  /// - Throws: As `bool()`.
  public mutating func data() throws -> [UInt8] {
    guard case .data(let value) = try nextValue() else { throw mismatch("Data") }
    return value
  }

  /// The next column, of decimal numbers.
  ///
  /// - Throws: As `bool()`.
  public mutating func decimal() throws -> DecimalValue {
    guard case .decimal(let value) = try nextValue() else { throw mismatch("Decimal") }
    return value
  }

  /// The next column, of arrays or sets.
  mutating func elements<Element: ScalarValue>() throws -> [Element] {
    guard case .list(let values) = try nextValue() else { throw mismatch("a collection") }
    return try elements(values)
  }

  /// Reads the next columns as a list of structs: the number of elements, then each leaf for all of them.
  mutating func structs<Element: Model>() throws -> [Element] {
    guard case .int(let number) = try nextValue(), let count = Int(exactly: number), count >= 0 else {
      throw mismatch("a list of structs")
    }
    var columns: [[Value]] = []
    for _ in 0..<Element.columnCount {
      guard case .list(let values) = try nextValue(), values.count == count else {
        throw mismatch("a value for each struct")
      }
      columns.append(values)
    }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    let first = position - Element.columnCount
    for place in 0..<(columns.isEmpty ? 0 : count) {
      var row = RowDecoder(columns.map { $0[place] }, definition: Element.modelDefinition)
      do {
        elements.append(try Element.decode(from: &row))
      } catch let error as StoreError {
        throw located(error, at: first + row.position - 1)
      }
    }
    return elements
  }

  /// The next column, of a link: the number of the object. A column has the number, and what a query reads the object.
  mutating func link() throws -> ObjectNumber {
    if let value = open?.pointee.integer(slot) {
      position += 1
      return ObjectNumber(UInt64(bitPattern: value))
    }
    switch try nextValue() {
    case .int(let number): return ObjectNumber(UInt64(bitPattern: number))
    case .object(let object): return object.number
    default: throw mismatch("a link")
    }
  }

  /// The next column, of links: the numbers of the objects.
  mutating func links() throws -> [ObjectNumber] {
    guard case .list(let values) = try nextValue() else { throw mismatch("links") }
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(values.count)
    for value in values {
      guard case .int(let number) = value else { throw mismatch("links") }
      numbers.append(ObjectNumber(UInt64(bitPattern: number)))
    }
    return numbers
  }

  /// Reads the next column as a dictionary: keys and values in the same order.
  mutating func entries<Element: ScalarValue>() throws -> ([String], [Element]) {
    guard case .embedded(let fields) = try nextValue() else { throw mismatch("a dictionary") }
    return (fields.map(\.name), try elements(fields.map(\.value)))
  }

  /// Converts the values of the column just read.
  private func elements<Element: ScalarValue>(_ values: [Value]) throws -> [Element] {
    var row = RowDecoder(values)
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    do {
      for _ in values { elements.append(try Element.decode(from: &row)) }
    } catch let error as StoreError {
      throw located(error, at: position - 1)
    }
    return elements
  }

  private mutating func nextValue() throws -> Value {
    defer { position += 1 }
    if let cluster {
      return position < columnCount ? try cluster.value(position, slot: slot) : .null
    }
    return position < values.count ? values[position] : .null
  }

  /// The error for a column whose value does not match the property; the column is the one just read.
  @usableFromInline func mismatch(_ expected: String) -> any Error {
    let read = position - 1
    let error: StoreError =
      if isNull(read) {
        .missingValue(entity: "", path: "")
      } else {
        .wrongType(entity: "", path: "", expected: expected, got: "another type")
      }
    return located(error, at: read)
  }

  /// The error for a value that its Swift type can't represent; the column is the one just read.
  @usableFromInline func unreadable(_ value: Value, as type: String) -> any Error {
    located(.unreadableValue(entity: "", path: "", object: nil, type: type, value: value), at: position - 1)
  }

  /// The error with the column of this row added, since a reader of part of a column does not know which column that
  /// is.
  private func located(_ error: StoreError, at position: Int) -> any Error {
    let place = (cluster?.firstColumn ?? 0) + position
    let column = definition.flatMap { $0.columns.indices.contains(place) ? $0.columns[place] : nil }
    return error.located(
      entity: definition?.entity.name ?? "the object", path: column?.path ?? "column \(place + 1)",
      object: cluster == nil ? valuesOrigin?.number : number)
  }
}

/// Which object a row has the values of.
struct RowOrigin: Sendable {
  let store: StoreReference
  let number: ObjectNumber
}

extension StoreError {
  /// The same error for the given property if it concerns a stored value; other errors unchanged.
  func located(entity: String, path: String, object: ObjectNumber?) -> StoreError {
    switch self {
    case .missingValue: .missingValue(entity: entity, path: path)
    case .wrongType(_, _, let expected, let got):
      .wrongType(entity: entity, path: path, expected: expected, got: got)
    case .unreadableValue(_, _, _, let type, let value):
      .unreadableValue(entity: entity, path: path, object: object, type: type, value: value)
    default: self
    }
  }
}
