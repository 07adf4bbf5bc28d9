/// A value that a link can be made from: an object, its identity, or another link.
///
/// An object that was read from a store is linked by its identity. An object without one is new: it is added to the
/// store with the first object that links to it.
public protocol Linkable<LinkedModel> {
  /// The model of the object.
  associatedtype LinkedModel: Model
  /// The link.
  var asLink: Link<LinkedModel> { get }
}

extension Model {
  /// A link to the object it was read from; for a new value, a link that adds it.
  public var asLink: Link<Self> { objectID?.asLink ?? Link(.new(NewObject(self)), nil) }

  /// The entity's name: the type's.
  public static var entityName: String { String(describing: Self.self) }
}

extension ObjectID: Linkable where Object: Model {
  /// A link to the object.
  public var asLink: Link<Object> { Link(.existing(number), nil) }
}

extension Link: Linkable {
  /// The value itself.
  public var asLink: Link<Target> { self }
}
