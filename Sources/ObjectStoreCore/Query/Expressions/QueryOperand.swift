internal import FoundationEssentials

/// A type that queries can compare: values, optionals of them, and collections, whose elements are compared.
public protocol QueryOperand {
  /// The type of the value on the other side: `Int` for `Int`, `Int?`, `Set<Int>` and a list of these.
  associatedtype QueryBase: QueryArgument = Self
}

extension Optional: QueryOperand where Wrapped: QueryOperand {
  /// The type that the wrapped value is compared with.
  public typealias QueryBase = Wrapped.QueryBase
}

/// A single value or an optional of one, which all results can be aggregated by.
public protocol ScalarOperand: QueryOperand {}

extension Optional: ScalarOperand where Wrapped: ScalarValue {}

extension Array: QueryOperand where Element: QueryOperand {
  /// The type that an element is compared with.
  public typealias QueryBase = Element.QueryBase
}

extension Set: QueryOperand where Element: QueryOperand {
  /// The type that an element is compared with.
  public typealias QueryBase = Element.QueryBase
}

extension List: QueryOperand {
  /// A link to a target object.
  public typealias QueryBase = Link<Target>
}

extension LinkingObjects: QueryOperand {
  /// A link to a source object.
  public typealias QueryBase = Link<Source>
}

extension Link: QueryOperand {}

/// A number that queries compute with.
public protocol QueryNumber: QueryArgument {}

extension Int: QueryNumber {}
extension Int8: QueryNumber {}
extension Int16: QueryNumber {}
extension Int32: QueryNumber {}
extension Int64: QueryNumber {}
extension UInt: QueryNumber {}
extension UInt8: QueryNumber {}
extension UInt16: QueryNumber {}
extension UInt32: QueryNumber {}
extension UInt64: QueryNumber {}
extension Double: QueryNumber {}
extension Float: QueryNumber {}

/// The type of elements along a path through collections: `tasks.priority` is an `Int` of each task. It has no values.
public enum QueryElements<Element> {}

extension QueryElements: QueryOperand where Element: QueryOperand {
  /// The type that each element is compared with.
  public typealias QueryBase = Element.QueryBase
}

/// A property that leads to structs or objects, whose properties may follow.
public protocol QueryPath {
  /// The model there.
  associatedtype QueryTarget: Model
  /// The properties that may follow.
  associatedtype QueryTargetProperties: QueryProperties
}

/// A property that leads to at most one struct or object.
public protocol QueryReference: QueryPath where QueryTargetProperties == SingleProperties<QueryTarget> {}

/// A property that has several values.
public protocol QueryCollection {}

/// A property that leads to several structs or objects.
public protocol QueryObjects: QueryPath, QueryCollection where QueryTargetProperties == ElementProperties<QueryTarget> {
}

extension Link: QueryReference {
  /// The model of the object.
  public typealias QueryTarget = Target
}

extension Optional: QueryPath, QueryReference where Wrapped: QueryReference {
  /// The model there.
  public typealias QueryTarget = Wrapped.QueryTarget
}

extension Set: QueryCollection {}
extension Dictionary: QueryCollection {}
extension Array: QueryCollection {}

extension Array: QueryPath, QueryObjects where Element: Model {
  /// The model of the structs.
  public typealias QueryTarget = Element
}

extension List: QueryObjects {
  /// The model of the objects.
  public typealias QueryTarget = Target
}

extension LinkingObjects: QueryObjects {
  /// The model of the objects.
  public typealias QueryTarget = Source
}

extension QueryElements: QueryCollection {}

extension QueryElements: QueryPath, QueryObjects where Element: QueryPath {
  /// The model there.
  public typealias QueryTarget = Element.QueryTarget
}
