/// One value of a property, a literal or an argument, as stored and compared.
///
/// `==` and `hash` here mean "the same value in the same representation" (so `.int(1)` is not `.double(1)`, NaN is not
/// equal to itself, and texts are compared byte for byte). The meaning of `==` in a *query* is defined only by the
/// query engine. A value does not know which property it belongs to.
public enum Value: Hashable, Sendable {
  /// nil: the property has no value.
  case null
  /// TRUE or FALSE.
  case bool(Bool)
  /// A signed integer of any width up to 64 bits.
  case int(Int64)
  /// A single-precision number, used only for `Float` properties. Literals and arguments are `.double`.
  case float(Float)
  /// A double-precision number.
  case double(Double)
  /// A decimal number, exactly. In a box, so that copying a value of any kind counts one reference at most.
  indirect case decimal(DecimalValue)
  /// Text, compared by its UTF-8 bytes.
  case string(String)
  /// A moment, to the precision of Foundation's `Date`.
  case date(Instant)
  /// A UUID, ordered by its bytes.
  case uuid(UUIDBytes)
  /// Bytes, ordered as unsigned.
  case data([UInt8])
  /// Several values: a list literal or argument, or a collection property (a set in ascending order).
  case list([Value])
  /// An embedded struct: its property names and values, in declaration order.
  case embedded([EmbeddedField])
  /// An object, as a literal or argument that links are compared with. A link is stored as its target's number.
  case object(ObjectReference)

  /// Whether this is nil.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }
}

/// One property of an embedded struct, with its value.
public struct EmbeddedField: Hashable, Sendable {
  /// The property's name within the struct.
  public var name: String
  /// Its value.
  public var value: Value

  /// Pairs a name with its value.
  public init(name: String, value: Value) {
    self.name = name
    self.value = value
  }

  /// Whether both have the same value and names of the same bytes: the name may be a key of a dictionary.
  public static func == (left: EmbeddedField, right: EmbeddedField) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8) && left.value == right.value
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    Value.string(name).hash(into: &hasher)
    hasher.combine(value)
  }
}
