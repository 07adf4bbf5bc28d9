internal import Storage

/// The identity of an object in a store, by the model it is an object of.
///
/// Numbers are given in insertion order and never used again. An identity does not know its store.
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
  /// The identities of some numbers. Where the compiler does not know the model it would make them one by one through
  /// tables of functions; as an identity is its number and nothing else, they are copied.
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
  public init(from decoder: any Decoder) throws {
    number = ObjectNumber(try decoder.singleValueContainer().decode(UInt64.self))
  }

  /// Writes the bare number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number.rawValue)
  }
}

/// Where a model keeps its `objectID`: left out of `==` and of the hash, so that an object read from a store equals
/// the one that was put in.
///
/// It also keeps when the object was read, in one word: `WriteTransaction.save` finds out by it what others changed since.
public struct ObjectIdentity<Object>: Hashable, Sendable {
  /// The number of the object; 0, which no object has, for none.
  private var number: UInt64 = 0
  /// When it was read, as `ReadMoment` has it; 0 when that is not known.
  private var read: UInt64 = 0

  /// No identity yet.
  public init() {}

  /// The identity of an object that was read.
  @inline(__always)
  init(_ number: ObjectNumber, readAt moment: ReadMoment) {
    self.number = number.rawValue
    read = moment.rawValue
  }

  /// The identity; nil for an object that is in no store. One that is set was not read.
  public var id: ObjectID<Object>? {
    get { number == 0 ? nil : ObjectID(ObjectNumber(number)) }
    set {
      let new = newValue?.number.rawValue ?? 0
      if new != number { read = 0 }
      number = new
    }
  }

  /// When the object was read; nil when that is not known.
  var moment: ReadMoment? { read == 0 ? nil : ReadMoment(rawValue: read) }

  /// Always: identity does not count.
  public static func == (left: ObjectIdentity, right: ObjectIdentity) -> Bool { true }

  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
