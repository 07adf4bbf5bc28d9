public import FoundationEssentials

extension Bool: QueryArgument {
  /// TRUE or FALSE.
  public var queryValue: Value { .bool(self) }
}

extension Int: QueryArgument {
  /// An integer.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int8: QueryArgument {
  /// An integer.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int16: QueryArgument {
  /// An integer.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int32: QueryArgument {
  /// An integer.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int64: QueryArgument {
  /// An integer.
  public var queryValue: Value { .int(self) }
}

extension Double: QueryArgument {
  /// A number.
  public var queryValue: Value { .double(self) }
}

extension Float: QueryArgument {
  /// A number.
  public var queryValue: Value { .double(Double(self)) }
}

extension String: QueryArgument {
  /// A string.
  public var queryValue: Value { .string(self) }
}

extension Substring: QueryArgument {
  /// A string.
  public var queryValue: Value { .string(String(self)) }
}

extension Date: QueryArgument {
  /// A moment.
  public var queryValue: Value { .date(Instant(self)) }
}

extension UUID: QueryArgument {
  /// A UUID.
  public var queryValue: Value { .uuid(UUIDBytes(self)) }
}

extension Data: QueryArgument {
  /// Bytes.
  public var queryValue: Value { .data([UInt8](self)) }
}

extension Value: QueryArgument {
  /// The value itself.
  public var queryValue: Value { self }
}

extension Optional: QueryArgument where Wrapped: QueryArgument {
  /// The wrapped value, or nil.
  public var queryValue: Value { self?.queryValue ?? .null }
}
