import Foundation
import Values

/// How two values compare, by the table of §4, one case at a time.
enum OracleValues {
  /// `a < b`, `a == b`, `a > b`; nil where there is no order: nil, NaN.
  enum Order {
    case less, equal, greater
  }

  static func order(_ left: Value, _ right: Value) -> Order? {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): a == b ? .equal : a ? .greater : .less
    case (.int(let a), .int(let b)): a == b ? .equal : a < b ? .less : .greater
    case (.int(let a), .double(let b)): order(a, b)
    case (.int(let a), .float(let b)): order(a, Double(b))
    case (.double(let a), .int(let b)): order(b, a).map(reversed)
    case (.float(let a), .int(let b)): order(b, Double(a)).map(reversed)
    case (.decimal(let a), .decimal(let b)): order(a, b)
    case (.decimal(let a), .int(let b)): order(a, DecimalValue(b))
    case (.decimal(let a), .double(let b)): order(a, b, "\(b)")
    case (.decimal(let a), .float(let b)): order(a, Double(b), "\(b)")
    case (.int, .decimal), (.double, .decimal), (.float, .decimal): order(right, left).map(reversed)
    case (.double(let a), .double(let b)): order(a, b)
    case (.double(let a), .float(let b)): order(a, Double(b))
    case (.float(let a), .double(let b)): order(Double(a), b)
    case (.float(let a), .float(let b)): order(Double(a), Double(b))
    case (.string(let a), .string(let b)): order(Array(a.utf8), Array(b.utf8))
    case (.date(let a), .date(let b)): order(a.seconds, b.seconds)
    case (.uuid(let a), .uuid(let b)): order(bytes(a), bytes(b))
    case (.data(let a), .data(let b)): order(a, b)
    // Objects are the same or not: they have no order.
    case (.object(let a), .object(let b)): a == b ? .equal : nil
    default: nil
    }
  }

  static func equal(_ left: Value, _ right: Value) -> Bool {
    if left.isNull && right.isNull { return true }
    return order(left, right) == .equal
  }

  private static func reversed(_ order: Order) -> Order {
    switch order {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }

  private static func order(_ a: Double, _ b: Double) -> Order? {
    a < b ? .less : a > b ? .greater : a == b ? .equal : nil
  }

  private static func order(_ a: DecimalValue, _ b: DecimalValue) -> Order? {
    DecimalValue.compare(a, b).map { $0 < 0 ? .less : $0 > 0 ? .greater : .equal }
  }

  /// With the decimal number that is written so; where there is none, the Double is beyond all of them, or nearer to 0.
  private static func order(_ a: DecimalValue, _ b: Double, _ written: String) -> Order? {
    if b.isNaN || a.isNaN { return nil }
    if let number = DecimalValue(written) { return order(a, number) }
    if abs(b) > 1 { return b > 0 ? .less : .greater }
    return a.magnitude == 0 ? (b > 0 ? .less : .greater) : a.isNegative ? .less : .greater
  }

  /// Exactly: by the whole number below the Double, then by what it has over.
  private static func order(_ a: Int64, _ b: Double) -> Order? {
    if b.isNaN { return nil }
    let below = b.rounded(.down)
    guard let whole = Int64(exactly: below) else { return b > 0 ? .less : .greater }
    if a != whole { return a < whole ? .less : .greater }
    return b > below ? .less : .equal
  }

  private static func order(_ a: [UInt8], _ b: [UInt8]) -> Order {
    let first = memcmp(a, b, min(a.count, b.count))
    if first != 0 { return first < 0 ? .less : .greater }
    return a.count == b.count ? .equal : a.count < b.count ? .less : .greater
  }

  private static func bytes(_ uuid: UUIDBytes) -> [UInt8] {
    [uuid.high, uuid.low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
  }

  // MARK: SORT and DISTINCT

  /// Ascending: nil, NaN, the rest in order.
  static func sortsBefore(_ left: Value, _ right: Value) -> Bool {
    let (a, b) = (rank(left), rank(right))
    if a != b { return a < b }
    return order(left, right) == .less
  }

  /// Whether DISTINCT takes both for one: nil is one value, NaN is one value.
  static func same(_ left: Value, _ right: Value) -> Bool {
    let (a, b) = (rank(left), rank(right))
    return a == b && (a < 2 || areSameWithin(left, right) ?? (order(left, right) == .equal))
  }

  /// Whether two numbers are of one type and have the same bits, or are both NaN; whether other values are the same.
  static func identical(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
    case (.double, _), (_, .double), (.float, _), (_, .float): false
    default: same(left, right)
    }
  }

  /// Whether two lists or structs are the same through and through; nil for other values.
  static func areSameWithin(_ left: Value, _ right: Value) -> Bool? {
    switch (left, right) {
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy(same)
    case (.embedded(let a), .embedded(let b)):
      a.count == b.count
        && zip(a, b).allSatisfy { Array($0.name.utf8) == Array($1.name.utf8) && same($0.value, $1.value) }
    default: nil
    }
  }

  /// A text that is one for values that are the same, and seldom for others.
  static func bucket(_ value: Value) -> String {
    switch value {
    case .int(let number): "\(Double(number))"
    case .double(let number): number.isNaN ? "nan" : "\(number + 0)"
    case .float(let number): number.isNaN ? "nan" : "\(Double(number) + 0)"
    case .decimal(let number): number.isNaN ? "nan" : "\((Double("\(number)") ?? 0) + 0)"
    case .date(let instant): instant.seconds.isNaN ? "nan" : "\(instant.seconds + 0)"
    case .list(let elements): elements.map(bucket).joined(separator: ",")
    case .embedded(let fields): fields.map { bucket($0.value) }.joined(separator: ";")
    default: "\(value)"
    }
  }

  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .double(let number): number.isNaN ? 1 : 2
    case .float(let number): number.isNaN ? 1 : 2
    case .date(let instant): instant.seconds.isNaN ? 1 : 2
    case .decimal(let number): number.isNaN ? 1 : 2
    default: 2
    }
  }
}
