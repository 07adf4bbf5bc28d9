// Links in models that are `Codable`: the IDs of the objects, which are valid in the same store only. Identities and
// inverses are left out, as in `==`.

extension Link: Codable {
  /// Reads the ID of the object.
  ///
  /// - Throws: `DecodingError` if there is no ID, which is an unsigned integer.
  public init(from decoder: any Decoder) throws { self.init(try ObjectID<Target>(from: decoder)) }

  /// Writes the ID of the object.
  ///
  /// - Throws: `EncodingError.invalidValue` for a link to a new object, which has no ID before it is added.
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
  /// Reads the IDs of the objects, in order.
  ///
  /// - Throws: `DecodingError` for anything but an array of IDs, which are unsigned integers.
  public init(from decoder: any Decoder) throws { self.init(try [Link<Target>](from: decoder)) }

  /// Writes the IDs of the objects, in order.
  ///
  /// - Throws: `EncodingError.invalidValue` for a link to a new object, which has no ID before it is added.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension LinkingObjects: Codable {
  /// Reads nothing: the inverse of a decoded value is empty.
  ///
  /// - Throws: Nothing.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Writes nil.
  ///
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

extension ObjectIdentity: Codable {
  /// Reads nothing: a decoded value is not in a store.
  ///
  /// - Throws: Nothing.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Writes nil.
  ///
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// The methods that the compiler's `encode(to:)` of a model calls.
extension KeyedEncodingContainer {
  /// Leaves the identity out.
  ///
  /// - Throws: Nothing.
  public mutating func encode<Object>(_ value: ObjectIdentity<Object>, forKey key: Key) throws {}

  /// Leaves inverses out.
  ///
  /// - Throws: Nothing.
  public mutating func encode<Source>(_ value: LinkingObjects<Source>, forKey key: Key) throws {}
}

/// The methods that the compiler's `init(from:)` of a model calls.
extension KeyedDecodingContainer {
  /// No identity: a decoded value is in no store.
  ///
  /// - Throws: Nothing.
  public func decode<Object>(_ type: ObjectIdentity<Object>.Type, forKey key: Key) throws -> ObjectIdentity<Object> {
    ObjectIdentity()
  }

  /// The inverse of a value that is not in a store.
  ///
  /// - Throws: Nothing.
  public func decode<Source>(_ type: LinkingObjects<Source>.Type, forKey key: Key) throws -> LinkingObjects<Source> {
    LinkingObjects()
  }
}
