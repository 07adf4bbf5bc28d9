public import Values

extension Model {
  /// The identity of the object. A value that is not in a store equals no object.
  public var queryValue: Value { asLink.queryValue }
}

extension ObjectID: QueryArgument where Object: Model {
  /// The object.
  public var queryValue: Value { .object(ObjectReference(entity: Object.entityName, number: number)) }
}

extension Link: QueryArgument {
  /// The target object. A new one that has not been added equals no object.
  public var queryValue: Value { (id ?? ObjectID(ObjectNumber(0))).queryValue }
}

extension List: QueryArgument {
  /// The target objects, for IN, without new ones that have not been added.
  public var queryValue: Value { .list(ids.map(\.queryValue)) }
}

extension ObjectReference: QueryArgument {
  /// The object.
  public var queryValue: Value { .object(self) }
}

extension DynamicObject: QueryArgument {
  /// The object.
  public var queryValue: Value { .object(ObjectReference(entity: entity, number: id)) }
}
