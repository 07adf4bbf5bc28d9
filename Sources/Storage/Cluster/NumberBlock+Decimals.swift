import CKernels
package import Values

/// Decimals stored as integers over a power of ten.
extension NumberBlock {
  /// The supported numbers of decimal places of Doubles, Floats and dates.
  package static let exponents = 0...7
  /// The supported numbers of decimal places of Decimals.
  package static let exactExponents = 0...18

  /// The magnitude of the integers is below this limit, so that their Doubles are exact and all quotients differ.
  package static let limit = Int64(OS_SCALED_LIMIT)
  /// The limit for Floats.
  package static let floatLimit = Int64(OS_SCALED_FLOAT_LIMIT)

  /// The number of bytes before the entries: `base i64 │ exponent u64`.
  static let decimalHeaderSize = 16

  /// The decimals at a place with such a header, which has been checked.
  @inline(__always) init(decimals layout: Layout, _ kind: Kind, at place: UnsafeRawPointer, count: Int) {
    self.init(
      layout, kind, base: place.load(as: Int64.self),
      exponent: Int(truncatingIfNeeded: place.load(fromByteOffset: 8, as: UInt64.self)),
      place + Self.decimalHeaderSize, count: count)
  }

  /// The least and the greatest Decimal of some entries; none of no entries.
  package func edges(_ slots: Mask) -> [DecimalValue] {
    guard let first = slots.first else { return [] }
    var (least, greatest) = (integer(first), integer(first))
    slots.forEach { (least, greatest) = (min(least, integer($0)), max(greatest, integer($0))) }
    return [DecimalValue(least, places: exponent), DecimalValue(greatest, places: exponent)]
  }

  /// `10^exponent`, for an exponent in `exactExponents`, exactly.
  @inlinable @inline(__always) package static func powerOfTen(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    default: (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }
  }

  /// The decimal of an integer; a Float is converted to a Double.
  @inlinable @inline(__always) package static func decimal(_ integer: Int64, _ divisor: Double, isFloat: Bool) -> Double
  {
    let quotient = Double(integer) / divisor
    return isFloat ? Double(Float(quotient)) : quotient
  }
}
