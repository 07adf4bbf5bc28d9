import Foundation
import TestSeeds
import Testing
import Values

/// Decimal numbers by themselves, and against Foundation's.
@Suite struct DecimalValueTests {
  private func number(_ text: String) throws -> DecimalValue {
    try #require(DecimalValue(text), "\(text) is a number")
  }

  // MARK: Text

  @Test(arguments: [
    ("0", "0"), ("-0.00", "0"), ("+5", "5"), ("1.0", "1"), ("1.00", "1"), ("-12.50", "-12.5"), ("0.1", "0.1"),
    (".5", "0.5"), ("5.", "5"), ("1e3", "1000"), ("1.5E-3", "0.0015"), ("1200e+1", "12000"), ("NaN", "nan"),
    ("00012.3400", "12.34"), ("1e21", "1e21"), ("1.25e-30", "1.25e-30"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
    ("0.340282366920938463463374607431768211455", "0.340282366920938463463374607431768211455"),
    ("1e165", "1e165"), ("1e-128", "1e-128"), ("1.\(String(repeating: "0", count: 400))", "1"),
  ])
  func reading(_ text: String, _ printed: String) throws {
    let value = try number(text)
    #expect(value.description == printed)
    if !value.isNaN { #expect(DecimalValue(printed) == value) }
  }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e+", "1 ", " 1", "1.2.3", "0x10", "1_000", "inf", "na", "١", "--1",
    "340282366920938463463374607431768211456", "1e166", "4e165", "1e-129", "1.1e-128", "1e99999999999999999999",
    "1.0000000000000000000000000000000000000001",
  ])
  func refusing(_ text: String) { #expect(DecimalValue(text) == nil) }

  @Test func integers() {
    for number in [0, 1, -1, 10, -100, .max, .min, .min + 1, 9_000_000_000_000_000_000] as [Int64] {
      #expect(DecimalValue(number).description == "\(number)")
      #expect(DecimalValue(number).integer == number)
    }
  }

  @Test func wholeNumbersBeyondIntegers() throws {
    #expect(try number("9223372036854775808").integer == nil)
    #expect(try number("-9223372036854775809").integer == nil)
    // Of 128 bits, whose lowest 64 are those of a small number: as a signed number they would be -(2^127) and 1.
    #expect(try number("-170141183460469231731687303715884105728").integer == nil)
    #expect(try number("-340282366920938463463374607431768211455").integer == nil)
    #expect(try number("1e30").integer == nil)
    #expect(try number("0.5").integer == nil)
  }

  // MARK: Comparing

  @Test func equalNumbersAreOneValue() throws {
    #expect(try number("1.0") == number("1.00"))
    #expect(try Set([number("1.0"), number("1"), number("0.1e1")]).count == 1)
    #expect(try number("-0") == .zero)
    #expect(DecimalValue.nan != DecimalValue.nan)
    #expect(DecimalValue.compare(.nan, DecimalValue.nan) == nil)
  }

  /// Ascending, with the ends of the range and where coefficients of other lengths and exponents meet.
  static let ascending = [
    "-340282366920938463463374607431768211455e127", "-1e165", "-9223372036854775808", "-10", "-9.99", "-9.9", "-1e-128",
    "0", "1e-128", "9e-128", "1e-127", "0.1", "0.10000000000000000000000000000000000001", "0.11", "1",
    "9.9999999999999999999999999999999999999", "10", "10.5", "9223372036854775807", "9223372036854775808",
    "34028236692093846346337460743176821145", "340282366920938463463374607431768211454",
    "340282366920938463463374607431768211455", "1e39", "1e165", "340282366920938463463374607431768211455e127",
  ]

  @Test func order() throws {
    let numbers = try Self.ascending.map(number)
    for (place, left) in numbers.enumerated() {
      for (other, right) in numbers.enumerated() {
        let order = try #require(DecimalValue.compare(left, right))
        #expect(order == (place < other ? -1 : place == other ? 0 : 1), "\(left) and \(right)")
        #expect(bytes(left).lexicographicallyPrecedes(bytes(right)) == (place < other), "\(left) and \(right)")
      }
    }
  }

  @Test func comparingWithDoubles() throws {
    #expect(try DecimalValue.compare(number("0.1"), 0.1) == -1)
    #expect(try DecimalValue.compare(number("-0.1"), -0.1) == 1)
    #expect(try DecimalValue.compare(number("0.5"), 0.5) == 0)
    #expect(try DecimalValue.compare(number("9007199254740993"), 9_007_199_254_740_992.0) == 1)
    #expect(try DecimalValue.compare(number("1e23"), 1e23) == 1)
    #expect(try DecimalValue.compare(number("1e165"), .infinity) == -1)
    #expect(try DecimalValue.compare(number("1e165"), -.infinity) == 1)
    #expect(try DecimalValue.compare(number("1e-128"), .leastNonzeroMagnitude) == 1)
    #expect(DecimalValue.compare(.zero, -0.0 as Double) == 0)
    #expect(DecimalValue.compare(.zero, Double.nan) == nil)
    #expect(DecimalValue.compare(.nan, 1.0 as Double) == nil)
  }

  @Test func doublesAsTheyAreWritten() throws {
    #expect(try DecimalValue(shortest: 0.1) == number("0.1"))
    #expect(try DecimalValue(shortest: -1e23) == number("-1e23"))
    #expect(try DecimalValue(shortest: 0.1 as Float) == number("0.1"))
    #expect(DecimalValue(shortest: Double.nan)?.isNaN == true)
    #expect(DecimalValue(shortest: Double.infinity) == nil)
    #expect(DecimalValue(shortest: 1e300) == nil)
    #expect(try number("0.1").double == 0.1)
    #expect(try number("1e165").double == 1e165)
    #expect(try number("123456789012345678901234567890e-20").double == 1234567890.12345678901234567890)
  }

  // MARK: Arithmetic

  @Test func exactOrNil() throws {
    #expect(try DecimalValue.sum(number("0.1"), number("0.2")) == number("0.3"))
    #expect(try DecimalValue.difference(number("1"), number("0.9")) == number("0.1"))
    #expect(try DecimalValue.product(number("1.5"), number("-0.2")) == number("-0.3"))
    #expect(try DecimalValue.sum(number("1e38"), number("1")) == number("100000000000000000000000000000000000001"))
    #expect(try DecimalValue.sum(number("1e39"), number("1")) == nil)
    #expect(try DecimalValue.sum(number("34028236692093846346337460743176821146e1"), number("-5")) != nil)
    let most = try number("340282366920938463463374607431768211455")
    #expect(DecimalValue.sum(most, DecimalValue(1)) == nil)
    // The sum has 129 bits, but a zero at its end.
    #expect(try DecimalValue.sum(most, DecimalValue(5)) == number("34028236692093846346337460743176821146e1"))
    #expect(DecimalValue.product(most, most) == nil)
    #expect(try DecimalValue.product(number("1e-100"), number("1e-100")) == nil)
    #expect(try DecimalValue.product(number("1e100"), number("1e100")) == nil)
    #expect(DecimalValue.sum(.nan, DecimalValue(1))?.isNaN == true)
  }

  @Test(arguments: [
    ("1", "3", "0.33333333333333333333333333333333333333"), ("2", "3", "0.66666666666666666666666666666666666667"),
    ("-2", "3", "-0.66666666666666666666666666666666666667"), ("1", "8", "0.125"), ("10", "4", "2.5"),
    ("1e38", "1e-38", "1e76"), ("0", "7", "0"),
    ("340282366920938463463374607431768211455", "1", "340282366920938463463374607431768211460"),
    // A half in the 39th digit goes away from zero.
    ("100000000000000000000000000000000000005", "1", "100000000000000000000000000000000000010"),
    ("1e-128", "3", "0"), ("2e-128", "3", "1e-128"), ("1e-128", "2", "1e-128"), ("1e-128", "11", "0"),
    ("-1e-128", "20", "0"), ("1e-128", "30000", "0"),
  ])
  func dividing(_ left: String, _ right: String, _ quotient: String) throws {
    #expect(try DecimalValue.quotient(number(left), number(right)) == number(quotient))
  }

  @Test func dividingByZeroAndTooLarge() throws {
    #expect(DecimalValue.quotient(DecimalValue(1), .zero) == nil)
    #expect(try DecimalValue.quotient(number("1e165"), number("0.1")) == nil)
  }

  @Test func makingWhole() throws {
    for (text, down, up, zero, half) in [
      ("2.5", "2", "3", "2", "3"), ("-2.5", "-3", "-2", "-2", "-3"), ("0.4", "0", "1", "0", "0"),
      ("-0.4", "-1", "0", "0", "0"), ("1e-60", "0", "1", "0", "0"), ("7", "7", "7", "7", "7"),
      ("0.5", "0", "1", "0", "1"),
    ] {
      let value = try number(text)
      #expect(value.rounded(.down)?.description == down)
      #expect(value.rounded(.up)?.description == up)
      #expect(value.rounded(.towardZero)?.description == zero)
      #expect(value.rounded(.halfAwayFromZero)?.description == half)
    }
  }

  // MARK: Sums

  @Test func aSumThatWasTooLargeOnTheWay() throws {
    var sum = DecimalSum()
    for text in ["1e165", "0.1", "1e165", "-2e165", "0.2"] { sum.add(try number(text)) }
    #expect(try sum.value == number("0.3"))
    #expect(sum.count == 5)
    sum.add(try number("1e165"))
    #expect(sum.value == nil)
  }

  @Test func averages() throws {
    #expect(DecimalSum().average == nil)
    #expect(DecimalSum().value == .zero)
    var sum = DecimalSum()
    for text in ["1", "1", "0"] { sum.add(try number(text)) }
    #expect(try sum.average == number("0.66666666666666666666666666666666666667"))
    // Of too many digits for a sum, not for their average.
    var wide = DecimalSum()
    for _ in 0..<3 { wide.add(try number("340282366920938463463374607431768211455e126")) }
    #expect(wide.value == nil)
    #expect(try wide.average == number("34028236692093846346337460743176821146e127"))
    wide.add(.nan)
    #expect(wide.value?.isNaN == true)
  }

  // MARK: Bytes

  private func bytes(_ value: DecimalValue) -> [UInt8] { value.withBytes { Array($0) } }

  @Test func bytesAreRead() throws {
    for text in Self.ascending {
      let value = try number(text)
      let bytes = bytes(value)
      #expect(bytes.count <= DecimalValue.mostBytes)
      #expect(bytes.withUnsafeBytes { DecimalValue(bytes: $0) } == value, "\(text)")
    }
    #expect(bytes(.nan).withUnsafeBytes { DecimalValue(bytes: $0) }?.isNaN == true)
    #expect(try bytes(.nan).lexicographicallyPrecedes(bytes(number(Self.ascending[0]))))
  }

  /// Whatever the bytes are, they are refused or are just those of the number that they are read as.
  @Test func damagedBytesAreRefused() throws {
    var generator = Seeded(testSeed())
    var accepted = 0
    for _ in 0..<20_000 {
      var damaged = bytes(try random(&generator, digits: 38, exponents: -60...60))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: damaged.removeLast()
      case 1: damaged.append(.random(in: 0...255, using: &generator))
      case 2:
        damaged.insert(.random(in: 0...255, using: &generator), at: .random(in: 0...damaged.count, using: &generator))
      default: damaged[.random(in: damaged.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      guard let value = damaged.withUnsafeBytes({ DecimalValue(bytes: $0) }) else { continue }
      accepted += 1
      #expect(bytes(value) == damaged)
    }
    #expect(accepted > 1000)
  }

  // MARK: Against Foundation

  private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private func random(
    _ generator: inout Seeded, digits: Int, exponents: ClosedRange<Int>
  ) throws -> DecimalValue {
    let count = Int.random(in: 1...digits, using: &generator)
    var text = Bool.random(using: &generator) ? "-" : ""
    for _ in 0..<count { text += "\(Int.random(in: 0...9, using: &generator))" }
    return try number(text + "e\(Int.random(in: exponents, using: &generator))")
  }

  private func foundation(_ value: DecimalValue) throws -> Decimal {
    try #require(Decimal(string: value.description))
  }

  @Test func againstFoundation() throws {
    var generator = Seeded(testSeed())
    for _ in 0..<5000 {
      let left = try random(&generator, digits: 17, exponents: -9...9)
      let right = try random(&generator, digits: 17, exponents: -9...9)
      let (a, b) = (try foundation(left), try foundation(right))
      #expect(DecimalValue.compare(left, right) == (a < b ? -1 : a == b ? 0 : 1), "\(left) and \(right)")
      #expect((left == right) == (a == b))
      #expect(try DecimalValue.sum(left, right) == number((a + b).description), "\(left) + \(right)")
      #expect(try DecimalValue.difference(left, right) == number((a - b).description), "\(left) - \(right)")
      #expect(try DecimalValue.product(left, right) == number((a * b).description), "\(left) * \(right)")
      #expect(bytes(left).lexicographicallyPrecedes(bytes(right)) == (a < b), "\(left) and \(right)")
    }
  }

  @Test func quotientsUndoProducts() throws {
    var generator = Seeded(testSeed())
    for _ in 0..<5000 {
      let left = try random(&generator, digits: 19, exponents: -20...20)
      let right = try random(&generator, digits: 19, exponents: -20...20)
      guard right != .zero, let product = DecimalValue.product(left, right) else { continue }
      #expect(DecimalValue.quotient(product, right) == left, "\(left) * \(right)")
    }
  }

  @Test func doublesAgainstTheirOwnText() throws {
    var generator = Seeded(testSeed())
    for _ in 0..<5000 {
      let value = try random(&generator, digits: 38, exponents: -60...60)
      let near = value.double
      #expect(near == Double(value.description))
      // The exact text of a Double, where a decimal number has so many digits.
      guard let exact = DecimalValue(String(format: "%.60g", near)) else { continue }
      #expect(DecimalValue.compare(value, near) == DecimalValue.compare(value, exact), "\(value)")
    }
  }

  /// In whatever order and parts, a sum is the same; and it is Foundation's where that is exact.
  @Test func sumsOfMany() throws {
    var generator = Seeded(testSeed())
    for _ in 0..<200 {
      let numbers = try (0..<Int.random(in: 1...100, using: &generator)).map { _ in
        try random(&generator, digits: 15, exponents: -6...6)
      }
      var sum = DecimalSum()
      var (left, right) = (DecimalSum(), DecimalSum())
      var expected: Decimal = 0
      for number in numbers {
        sum.add(number)
        expected += try foundation(number)
        if Bool.random(using: &generator) { left.add(number) } else { right.add(number) }
      }
      right.add(left)
      let total = try #require(sum.value)
      #expect(try total == number(expected.description))
      #expect(right.value == total)
      #expect(right.count == numbers.count)
      #expect(sum.average == DecimalValue.quotient(total, DecimalValue(Int64(numbers.count))))
      var reversed = DecimalSum()
      for number in numbers.reversed() { reversed.add(number) }
      #expect(reversed.value == total)
    }
  }
}
