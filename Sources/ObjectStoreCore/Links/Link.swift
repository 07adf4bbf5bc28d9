internal import Storage
public import Values

/// A link to one object: the value of a property `var owner: Link<Person>?`.
///
/// ```swift
/// @Model struct Task { var name = ""; var owner: Link<Person>? }
///
/// try store.write { tx in try tx.add(Task(name: "paint", owner: Link(Person(name: "Alex")))) }
/// let owner = try store.objects(Task.self).first?.owner?.object()
/// ```
///
/// A link stores the identity of an object, not its values: `object()` reads the object in the thread's current read or
/// write (`forEach`, `write`, `snapshot`), or in the newest version if there is none. It keeps neither a version nor
/// the store alive. A property for a link is always optional: when an object is deleted, the links to it become nil.
///
/// Links are equal if they lead to the same object. A link to a new object equals only its copies.
public struct Link<Target: Model>: Sendable {
  let end: LinkEnd<Target>
  /// The store it was read from.
  let origin: StoreReference?

  init(_ end: LinkEnd<Target>, _ origin: StoreReference?) {
    self.end = end
    self.origin = origin
  }

  /// Creates a link to an object: one that was read from a store, its identity, or a new one, which is added with the
  /// first object that links to it. Copies of the link lead to the same new object.
  public init(_ object: some Linkable<Target>) { self = object.asLink }

  /// The identity of the object; nil for a new one that has not been added.
  public var id: ObjectID<Target>? { end.number.map { ObjectID($0) } }

  /// The object in the thread's current read or write, or in the newest version if there is none; a new object as it
  /// was given.
  ///
  /// Takes about as long as a lookup by object ID. For many links, `List.objects()` and queries through links are
  /// faster.
  ///
  /// - Throws: `StoreError`: `unknownObject` if the object was deleted since the link was read, `closed` if the store
  ///   has been released, `unsupported` for a link made from an identity outside of any read or write.
  public func object() throws -> Target {
    if case .new(let object) = end, end.number == nil { return object.object }
    guard let number = end.number else { throw StoreError.finished }
    return try QuerySource.following(linkFrom: origin ?? end.origin).objects(of: Target.self) { reader in
      guard let object = try reader.item(number) else {
        throw StoreError.unknownObject(entity: Target.entityName, number)
      }
      return object
    }
  }
}

extension QuerySource {
  /// Runs `body` with a reader of a model's objects.
  func objects<Object: Model, R>(
    of model: Object.Type, _ body: (inout ModelReader<Object>) throws -> R
  ) throws -> R {
    try read { snapshot in
      let layout = try store.layout(Object.modelDefinition, in: snapshot.schema)
      var reader = ModelReader<Object>(layout, snapshot, store)
      return try body(&reader)
    }
  }
}

extension Link: Hashable {
  /// Whether both lead to the same object.
  public static func == (left: Link, right: Link) -> Bool { left.end == right.end }

  /// Hashes which object it leads to.
  public func hash(into hasher: inout Hasher) { hasher.combine(end) }
}

extension Link: CustomStringConvertible {
  /// The identity, `Person@7`, or `new Person`.
  public var description: String { id.map { "\($0)" } ?? "new \(Target.entityName)" }
}

extension Link: PresentValue {
  /// A link to the model's entity.
  public static var propertyShape: PropertyShape {
    PropertyShape(type: .link(Target.entityName), linked: Target.self)
  }
  /// False.
  @inlinable public static var isStruct: Bool { false }
  /// 1.
  @inlinable public static var columnCount: Int { 1 }
  /// None: a link is nil by default.
  public var schemaDefault: Value? { nil }
  /// Appends the ID of the object.
  public func encode(into row: inout RowEncoder) { row.append(end) }
  /// Appends nil.
  @inlinable public static func encodeAbsence(into row: inout RowEncoder) { row.append(.null) }
  /// Reads the ID of the object.
  ///
  /// - Throws: `StoreError`: `missingValue` for nil, `wrongType` for a column without links, `corrupted` for damaged
  ///   bytes.
  public static func decode(from row: inout RowDecoder) throws -> Link {
    Link(.existing(try row.link()), row.origin?.store)
  }
}
