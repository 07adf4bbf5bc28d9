// Links in models that are `Codable`: the numbers of the objects, which mean something in the same store only. Identities
// and inverses are left out, as they are of `==`.

extension Link: Codable {
  /// Reads the number of the object.
  public init(from decoder: any Decoder) throws { self.init(try ObjectID<Target>(from: decoder)) }

  /// Writes the number of the object.
  ///
  /// - Throws: `EncodingError.invalidValue` for a link to a new object, which has no number before it is added.
  public func encode(to encoder: any Encoder) throws {
    guard let id else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "the link leads to a new \(Target.entityName): add it to a store first"))
    }
    try id.encode(to: encoder)
  }
}

extension List: Codable {
  /// Reads the numbers of the objects.
  public init(from decoder: any Decoder) throws { self.init(try [Link<Target>](from: decoder)) }

  /// Writes the numbers of the objects, in order.
  ///
  /// - Throws: `EncodingError.invalidValue` where a link leads to a new object, which has no number before it is added.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension LinkingObjects: Codable {
  /// Reads nothing: nothing links to a value that was not read from a store.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Writes nil.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

extension ObjectIdentity: Codable {
  /// Reads nothing: a decoded value is in no store.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Writes nil.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// What the `encode(to:)` that Swift writes for a model calls.
extension KeyedEncodingContainer {
  /// Leaves the identity out.
  public mutating func encode<Object>(_ value: ObjectIdentity<Object>, forKey key: Key) throws {}

  /// Leaves inverses out.
  public mutating func encode<Source>(_ value: LinkingObjects<Source>, forKey key: Key) throws {}
}

/// What the `init(from:)` that Swift writes for a model calls.
extension KeyedDecodingContainer {
  /// No identity: a decoded value is in no store.
  public func decode<Object>(_ type: ObjectIdentity<Object>.Type, forKey key: Key) throws -> ObjectIdentity<Object> {
    ObjectIdentity()
  }

  /// An inverse of a value that is in no store.
  public func decode<Source>(_ type: LinkingObjects<Source>.Type, forKey key: Key) throws -> LinkingObjects<Source> {
    LinkingObjects()
  }
}
