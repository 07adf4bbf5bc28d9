public import Values

/// The output for writing a model: the values of one object, one for each of the model's columns in order.
///
/// One encoder is reused for many objects, with its memory. It does not know the columns' names or types.
public struct RowEncoder {
  @usableFromInline var values: [Value] = []
  /// The new objects that links point to: their numbers are not known yet.
  private(set) var newObjects: [EncodedRow.NewObject] = []
  /// The reason the row can't be stored: the first value without a stored form.
  private(set) var refusal: Refusal?

  /// A value that can't be stored.
  struct Refusal {
    /// The position of its column.
    let column: Int
    let reason: String
  }

  /// An empty row.
  public init() {}

  /// The values written so far.
  public var row: [Value] { values }

  /// Appends the value of the next column.
  @inlinable public mutating func append(_ value: Value) { values.append(value) }

  /// Appends the columns of a property's value.
  ///
  /// The macro's members call this rather than the value's own `encode(into:)`: of a type that can't be stored, the
  /// compiler then says that it does not conform, and nothing of other methods of that name.
  @inlinable public mutating func encode<Property: PropertyValue>(_ value: Property) { value.encode(into: &self) }

  /// Appends nil for each of the next `count` columns.
  @inlinable public mutating func appendNulls(_ count: Int) {
    for _ in 0..<Swift.max(0, count) { values.append(.null) }
  }

  /// Appends nil in place of a value without a stored form. Writing the object throws.
  mutating func refuse(_ reason: String) {
    refusal = refusal ?? Refusal(column: values.count, reason: reason)
    values.append(.null)
  }

  /// Records that a part of the next columns, written separately, can't be stored.
  mutating func refuse(_ part: Refusal, after columns: Int) {
    refusal = refusal ?? Refusal(column: values.count + columns + part.column, reason: part.reason)
  }

  /// Throws if the row can't be stored.
  func requireStorable(_ definition: ModelDefinition) throws(StoreError) {
    guard let refusal else { return }
    let path = definition.columns.indices.contains(refusal.column) ? definition.columns[refusal.column].path : ""
    throw .unsupported("\(definition.entity.name).\(path) can't be stored: \(refusal.reason)")
  }

  /// Appends the number of the object that a link points to.
  mutating func append<Target>(_ end: LinkEnd<Target>) {
    if case .new(let object) = end { newObjects.append(.init(object: object, column: values.count, element: nil)) }
    values.append(end.columnValue)
  }

  /// Appends the numbers of the objects that links lead to.
  mutating func append<Target>(_ ends: [LinkEnd<Target>]) {
    for (element, end) in ends.enumerated() {
      if case .new(let object) = end {
        newObjects.append(.init(object: object, column: values.count, element: element))
      }
    }
    values.append(.list(ends.map(\.columnValue)))
  }

  /// Removes the values, keeping the memory.
  mutating func reset() {
    values.removeAll(keepingCapacity: true)
    newObjects.removeAll(keepingCapacity: true)
    refusal = nil
  }

  /// The values written, to be completed with the numbers of new objects.
  var encoded: EncodedRow { EncodedRow(values: values, newObjects: newObjects) }
}

/// The values of one object, without the numbers of the new objects it links to.
struct EncodedRow {
  /// A new object, and the column for its number.
  struct NewObject {
    let object: any AddableObject
    let column: Int
    /// The index in a list of links.
    let element: Int?
  }

  private(set) var values: [Value]
  let newObjects: [NewObject]

  /// Inserts the numbers of all new objects, in their order.
  mutating func complete(with numbers: [ObjectNumber]) {
    var place = 0
    while place < min(newObjects.count, numbers.count) {
      let column = newObjects[place].column
      guard case .list(var elements) = values[column] else {
        values[column] = Self.value(numbers[place])
        place += 1
        continue
      }
      // One copy for all new objects in a list.
      values[column] = .null
      while place < min(newObjects.count, numbers.count), newObjects[place].column == column {
        if let element = newObjects[place].element { elements[element] = Self.value(numbers[place]) }
        place += 1
      }
      values[column] = .list(elements)
    }
  }

  private static func value(_ number: ObjectNumber) -> Value { .int(Int64(bitPattern: number.rawValue)) }
}
