internal import Storage

/// The identity of an object in a store, typed by its model.
///
/// Object IDs are assigned in insertion order and never reused. An identity does not know its store.
public struct ObjectID<Object>: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number within the entity.
  public var number: ObjectNumber

  /// The identity of a number.
  public init(_ number: ObjectNumber) { self.number = number }

  /// Whether `left` was inserted first.
  public static func < (left: ObjectID, right: ObjectID) -> Bool { left.number < right.number }

  /// The model's name and the number: `Quake@17`.
  public var description: String { "\(Object.self)@\(number.rawValue)" }
}

extension ObjectID {
  /// The identities of some object IDs. They have the same memory layout, so they are copied; generic code would
  /// otherwise convert them one by one through witness tables.
  static func all(_ numbers: [ObjectNumber]) -> [ObjectID] {
    guard MemoryLayout<ObjectID>.stride == MemoryLayout<ObjectNumber>.stride else {
      return numbers.map { ObjectID($0) }
    }
    return [ObjectID](unsafeUninitializedCapacity: numbers.count) { room, count in
      numbers.withUnsafeBytes { UnsafeMutableRawBufferPointer(room).copyMemory(from: $0) }
      count = numbers.count
    }
  }
}

extension ObjectID: Codable {
  /// Reads the bare number.
  ///
  /// - Throws: `DecodingError` for anything but an unsigned integer.
  public init(from decoder: any Decoder) throws {
    number = ObjectNumber(try decoder.singleValueContainer().decode(UInt64.self))
  }

  /// Writes the bare number.
  ///
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number.rawValue)
  }
}

/// The storage of a model's `objectID`. It is ignored by `==` and hashing, so that an object read from a store equals
/// the one that was added.
///
/// It also stores in one word when the object was read, by which `WriteTransaction.save` detects changes by others.
public struct ObjectIdentity<Object>: Hashable, Sendable {
  /// The object ID; 0, which is no object's ID, for none.
  private var number: UInt64 = 0
  /// The `ReadMoment` of the read; 0 if unknown.
  private var read: UInt64 = 0

  /// No identity yet.
  public init() {}

  /// The identity of an object that was read.
  @inline(__always)
  init(_ number: ObjectNumber, readAt moment: ReadMoment) {
    self.number = number.rawValue
    read = moment.rawValue
  }

  /// The identity; nil for an object that is not in a store. Setting it resets the moment of the read.
  public var id: ObjectID<Object>? {
    get { number == 0 ? nil : ObjectID(ObjectNumber(number)) }
    set {
      let new = newValue?.number.rawValue ?? 0
      if new != number { read = 0 }
      number = new
    }
  }

  /// The moment of the read; nil if unknown.
  var moment: ReadMoment? { read == 0 ? nil : ReadMoment(rawValue: read) }

  /// Always: identity does not count.
  public static func == (left: ObjectIdentity, right: ObjectIdentity) -> Bool { true }

  /// Does nothing.
  public func hash(into hasher: inout Hasher) {}
}
