package import Values

/// The equality of DISTINCT: all NaN are one value, -0.0 is 0.0, a whole Double equals the integer, and a Decimal equals
/// the Double with that shortest decimal text.
package enum DistinctKey {
  /// A value that is the same, in the sense of Swift's `==`, for all values that DISTINCT treats as equal.
  package static func of(_ value: Value) -> Value {
    switch value {
    case .double(let number): canonical(number)
    case .float(let number): canonical(Double(number))
    case .date(let instant): instant.seconds.isNaN ? nan : .date(Instant(seconds: instant.seconds + 0))
    case .decimal(let number): canonical(number)
    case .list(let elements): .list(elements.map(of))
    case .embedded(let fields): .embedded(fields.map { EmbeddedField(name: $0.name, value: of($0.value)) })
    default: value
    }
  }

  /// The key of NaN, a value that no other value maps to.
  private static let nan = Value.list([.string("nan")])

  private static func canonical(_ number: Double) -> Value {
    if number.isNaN { return nan }
    if let whole = Int64(exactly: number) { return .int(whole) }
    return .double(number)
  }

  private static func canonical(_ number: DecimalValue) -> Value {
    if number.isNaN { return nan }
    if let whole = number.integer { return .int(whole) }
    let near = number.double
    return DecimalValue(shortest: near) == number ? canonical(near) : .decimal(number)
  }
}
