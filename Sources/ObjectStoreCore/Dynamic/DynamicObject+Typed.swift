internal import Storage
internal import Values

extension DynamicObject {
  /// The value at a dotted path as a Swift type: a scalar, a collection, an optional of these, or an embedded model
  /// with the stored properties.
  ///
  /// ```swift
  /// let name = try old.value(at: "first", as: String.self)
  /// ```
  ///
  /// - Throws: `StoreError`: `unknownProperty` if there is no such property, `wrongType` if it has another type, or if
  ///   it is nil and `type` is not optional.
  public func value<Property: PropertyValue>(at path: String, as type: Property.Type = Property.self) throws -> Property
  {
    _ = try value(at: path)
    let stored = columns(at: path)
    guard stored.count == Property.columnCount else {
      throw StoreError.wrongType(
        entity: entity, path: path, expected: stored.first?.typeName ?? "a struct", got: "\(Property.self)")
    }
    var row = RowDecoder(stored.map(\.value))
    do { return try Property.decode(from: &row) } catch let error as StoreError {
      switch error {
      case .missingValue:
        throw StoreError.wrongType(entity: entity, path: path, expected: "\(Property.self)", got: "nil")
      case .wrongType:
        throw StoreError.wrongType(
          entity: entity, path: path, expected: "\(Property.self)", got: stored.first?.typeName ?? "a struct")
      default: throw error.located(entity: entity, path: path, object: id)
      }
    }
  }
}
