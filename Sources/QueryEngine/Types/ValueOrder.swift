internal import Values

/// The exact order of single values: an Int and a Double compare as numbers without rounding, a Decimal and a Double by
/// the Double's shortest decimal text; strings by their bytes; false before true. nil, NaN and values of different types
/// have no order. The semantics of nil in queries is defined elsewhere.
enum ValueOrder {
  /// Negative, zero or positive; nil if the values have no order.
  static func compare(_ left: Value, _ right: Value) -> Int? {
    switch (left, right) {
    case (.int(let a), .int(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.int(let a), .double(let b)): compare(a, b)
    case (.double(let a), .int(let b)): compare(b, a).map { -$0 }
    case (.double(let a), .double(let b)): compare(a, b)
    case (.decimal(let a), .decimal(let b)): DecimalValue.compare(a, b)
    case (.decimal(let a), .int(let b)): DecimalValue.compare(a, b)
    case (.decimal(let a), .double(let b)): DecimalValue.compare(a, writtenAs: b)
    case (.decimal(let a), .float(let b)): DecimalValue.compare(a, writtenAs: b)
    case (.int, .decimal), (.double, .decimal), (.float, .decimal): compare(right, left).map { -$0 }
    case (.float(let a), _): compare(.double(Double(a)), right)
    case (_, .float(let b)): compare(left, .double(Double(b)))
    case (.bool(let a), .bool(let b)): (a ? 1 : 0) - (b ? 1 : 0)
    case (.string(let a), .string(let b)): compare(a, b)
    case (.date(let a), .date(let b)): compare(a.seconds, b.seconds)
    case (.uuid(let a), .uuid(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.data(let a), .data(let b)): a.withUnsafeBytes { a in b.withUnsafeBytes { Bytes.compare(a, $0) } }
    default: nil
    }
  }

  /// Whether two values are equal; NaN never is.
  static func areEqual(_ left: Value, _ right: Value) -> Bool { compare(left, right) == 0 }

  /// Whether a value has an order; nil, NaN, lists and structs do not.
  static func isComparable(_ value: Value) -> Bool { compare(value, value) != nil }

  /// Doubles; NaN has no order.
  @inline(__always)
  static func compare(_ left: Double, _ right: Double) -> Int? {
    left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
  }

  /// Compares an integer with a Double as numbers.
  static func compare(_ left: Int64, _ right: Double) -> Int? {
    if right.isNaN { return nil }
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right)
    if left != whole { return left < whole ? -1 : 1 }
    let rest = right - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  /// Compares strings by their UTF-8 bytes.
  static func compare(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { a in
      right.withUTF8 { Bytes.compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer($0)) }
    }
  }
}
