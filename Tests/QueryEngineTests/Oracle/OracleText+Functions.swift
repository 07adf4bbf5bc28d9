import Foundation
import Values

/// Functions of texts, and of the digits of numbers, one character after another.
extension OracleText {
  static func trimmed(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The scalars at the positions from a start on, as many as a length says.
  static func part(_ text: String, _ numbers: [Value]) -> String {
    guard case .int(let start)? = numbers.first else { return "" }
    var kept = String.UnicodeScalarView()
    for (place, scalar) in text.unicodeScalars.enumerated() where Int64(place) >= start {
      if numbers.count > 1 {
        guard case .int(let length) = numbers[1], Int128(place) < Int128(start) + Int128(length) else { continue }
      }
      kept.append(scalar)
    }
    return String(kept)
  }

  static func replacing(_ text: String, _ from: String, _ to: String) -> String {
    if from.isEmpty { return text }
    var result = String.UnicodeScalarView()
    var rest = Array(text.unicodeScalars)[...]
    while let first = rest.first {
      if rest.starts(with: from.unicodeScalars) {
        result += to.unicodeScalars
        rest = rest.dropFirst(from.unicodeScalars.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// A number rounded by its written digits, as a whole number of the last place and a power of ten.
  static func rounded(_ value: Value, _ places: Value) -> Value {
    guard case .int(let places) = places else { return .null }
    switch value {
    case .int(let number):
      if places >= 0 { return value }
      guard places > -30 else { return .int(0) }
      var power: Int128 = 1
      for _ in 0..<(-places) { power *= 10 }
      let (whole, rest) = Int128(number).quotientAndRemainder(dividingBy: power)
      let up: Int128 = rest.magnitude * 2 >= power.magnitude ? (number < 0 ? -1 : 1) : 0
      let (result, isOver) = (whole + up).multipliedReportingOverflow(by: power)
      return isOver ? .null : Int64(exactly: result).map(Value.int) ?? .null
    case .decimal(let number): return decimal(number, places).map(Value.decimal) ?? .null
    case .float(let number) where number.isFinite:
      let rounded = DecimalValue("\(number)").flatMap { decimal($0, places) }
      return rounded.map { .double(Double("\($0)") ?? .nan) } ?? .null
    default:
      guard let number = OracleArithmetic.double(value) else { return .null }
      guard number.isFinite, let exact = DecimalValue("\(number)") else {
        // What is too small for a Decimal has no digit at the places that are asked for.
        return .double(number.magnitude < 1 && places < 100 ? 0 : number)
      }
      // A Decimal that has these digits has at most 17.
      return decimal(exact, places).map { .double(Double("\($0)") ?? .nan) } ?? .null
    }
  }

  private static func decimal(_ number: DecimalValue, _ places: Int64) -> DecimalValue? {
    if number.isNaN || Int64(number.exponent) >= -places { return number }
    var digits = Array("\(number.magnitude)".utf8)
    var exponent = Int64(number.exponent)
    var last: UInt8 = 0
    while exponent < -places, !digits.isEmpty {
      last = digits.removeLast()
      exponent += 1
    }
    if exponent < -places { return .zero }
    let whole = (UInt128(String(decoding: digits, as: UTF8.self)) ?? 0) + (last >= UInt8(ascii: "5") ? 1 : 0)
    return DecimalValue(isNegative: number.isNegative, magnitude: whole, exponent: Int(exponent))
  }
}
