internal import Storage

extension PropertyValue {
  /// A value that a query has found of several objects, such as the key of a group; an error names what it is a value of.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - model: The model of the objects.
  ///   - path: The property, or the expression.
  ///   - store: The store, in which a link is followed.
  static func decode(
    found value: StoredValue, of model: any Model.Type, path: @autoclosure () -> String, in store: StoreReference
  ) throws -> Self {
    // The value of no single object, so there is no number.
    var row = RowDecoder([value], origin: RowOrigin(store: store, number: ObjectNumber(0)))
    do {
      return try decode(from: &row)
    } catch let error as StoreError {
      throw error.located(entity: model.modelDefinition.entity.name, path: path(), object: nil)
    }
  }
}
