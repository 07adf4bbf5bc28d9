public import Values

/// A default that is generated for each object. It is stored in the file, so that every program can generate it.
public enum GeneratedDefault: String, Hashable, Sendable, CaseIterable {
  /// `UUID()`: a random UUID.
  case uuid
  /// `Date()`: the time at which the object is created.
  case now

  /// The type of its values.
  public var type: ScalarType {
    switch self {
    case .uuid: .uuid
    case .now: .date
    }
  }

  /// The expression, as written in schema text.
  public var text: String {
    switch self {
    case .uuid: "UUID()"
    case .now: "Date()"
    }
  }

  /// A new value.
  public func make() -> Value {
    switch self {
    case .uuid:
      // Version 4 of RFC 9562: all bits are random, except the version and variant bits.
      let high = UInt64.random(in: 0...UInt64.max) & ~0xF000 | 0x4000
      let low = UInt64.random(in: 0...UInt64.max) & ~(0b11 << 62) | 0b10 << 62
      return .uuid(UUIDBytes(high: high, low: low))
    case .now: return .date(.now)
    }
  }
}
