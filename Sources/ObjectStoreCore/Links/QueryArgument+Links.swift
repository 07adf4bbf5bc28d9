public import Values

extension Model {
  /// The object it was read from. A value that is in no store is no object: it equals none.
  public var queryValue: Value { asLink.queryValue }
}

extension ObjectID: QueryArgument where Object: Model {
  /// The object.
  public var queryValue: Value { .object(ObjectReference(entity: Object.entityName, number: number)) }
}

extension Link: QueryArgument {
  /// The object it leads to. A new one that was not added yet equals none.
  public var queryValue: Value { (id ?? ObjectID(ObjectNumber(0))).queryValue }
}

extension List: QueryArgument {
  /// The objects it leads to, for IN; new ones that were not added yet are left out.
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
