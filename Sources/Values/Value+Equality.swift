extension Value {
  /// Whether both are the same value in the same representation.
  ///
  /// A synthesised comparison would treat strings as equal that spell the same text with different Unicode scalars,
  /// such as `é`: a change from one to the other would be ignored, and an index would keep the key of the first.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.float(let a), .float(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.date(let a), .date(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.embedded(let a), .embedded(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// Whether both are identical bit for bit, so that replacing one by the other need not be written. Unlike `==` it
  /// distinguishes -0.0 from 0.0, and NaN equals itself.
  public func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.decimal(let a), .decimal(let b)): a == b || a.isNaN && b.isNaN
    case (.date(let a), .date(let b)): a.seconds.bitPattern == b.seconds.bitPattern
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.embedded(let a), .embedded(let b)):
      a.count == b.count
        && zip(a, b).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.isIdentical(to: $1.value) }
    default: self == other
    }
  }

  /// Hashes the kind and the value; texts by their bytes, as `==` compares them.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): Self.combine(1, value, into: &hasher)
    case .int(let value): Self.combine(2, value, into: &hasher)
    case .float(let value): Self.combine(3, value, into: &hasher)
    case .double(let value): Self.combine(4, value, into: &hasher)
    case .string(var value):
      hasher.combine(5)
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(0xFF as UInt8)
    case .date(let value): Self.combine(6, value, into: &hasher)
    case .uuid(let value): Self.combine(7, value, into: &hasher)
    case .data(let value): Self.combine(8, value, into: &hasher)
    case .list(let value): Self.combine(9, value, into: &hasher)
    case .embedded(let value): Self.combine(10, value, into: &hasher)
    case .object(let value): Self.combine(11, value, into: &hasher)
    case .decimal(let value): Self.combine(12, value, into: &hasher)
    }
  }

  private static func combine(_ kind: Int, _ value: some Hashable, into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(value)
  }
}
