import TestSeeds
import Testing
import Values

/// What is appended as bytes against the same as a String, whose code is plain.
@Suite struct TextBytesTests {
  /// The text of what `body` appends, behind other text and where there is little room.
  private func text(_ body: (inout TextBytes) -> Void) -> String {
    var bytes = TextBytes(capacity: 16)
    bytes.append("0123456789")
    body(&bytes)
    return bytes.string(10..<bytes.count)
  }

  private func differs(_ number: Double) -> Bool {
    text { NumberText.append(number, to: &$0) } != NumberText.text(number)
  }

  private func differs(_ instant: Instant) -> Bool {
    text { ISO8601.append(instant, to: &$0) } != ISO8601.text(instant)
  }

  @Test func growingAndShrinking() {
    var bytes = TextBytes(capacity: 1)
    var expected = ""
    for number in 0..<1000 {
      bytes.append("é\(number)")
      bytes.append(UInt8(ascii: ","))
      bytes.append(repeating: UInt8(ascii: "."), count: number % 5 - 1)
      expected += "é\(number)," + String(repeating: ".", count: max(0, number % 5 - 1))
    }
    #expect(bytes.string(0..<bytes.count) == expected)
    let place = bytes.count
    bytes.append("he en")
    bytes.insert(UInt8(ascii: "t"), at: place)
    bytes.insert(UInt8(ascii: "d"), at: bytes.count)
    #expect(bytes.removeEnd(from: place) == Array("the end".utf8))
    #expect(Array(bytes.bytes()) == Array(expected.utf8))
    bytes.removeAll()
    #expect(bytes.count == 0)
  }

  @Test func knownNumbers() {
    let doubles: [Double] = [
      0, -0.0, 1, -1, 0.1, 0.5, 0.001, 0.0001, 0.00011, 0.00009, 1e-5, 1e-9, 999_999, 999_999.999999999, 1e6,
      1_000_000.000001, 1_000_000.0000001, 999_999_999.999999, 999_999_999.9999999, 1e9, 1e15, 1e16, 1e17, 1e22, 5e-324,
      0.1 + 0.2, 1 / 3, 0.3.nextUp, 0.3.nextDown, 0x1p53, 0x1p54, 0x1p55, 123_456.789, -122.8021667, .pi, .nan, -.nan,
      .infinity, -.infinity, .greatestFiniteMagnitude, .leastNormalMagnitude, .ulpOfOne,
    ]
    for number in doubles { #expect(!differs(number) && !differs(-number), "\(number)") }
    for number in [Int64.min, .min + 1, -10, -9, -1, 0, 1, 9, 10, 99, 100, .max - 1, .max] {
      #expect(text { NumberText.append(number, to: &$0) } == String(number))
    }
    #expect(text { NumberText.append(UInt64.max, to: &$0) } == String(UInt64.max))
  }

  @Test func randomNumbers() {
    let seed = testSeed()
    var numbers = Numbers(state: seed)
    for round in 0..<200_000 {
      let bits = numbers.next()
      let scale = [1, 10, 1e2, 1e3, 1e4, 1e6, 1e7, 1e9, 1e10, 1e12][round % 10]
      let decimal = Double(Int64(bitPattern: bits) >> Int64(round % 60)) / scale
      for number in [decimal, decimal.nextUp, Double(bitPattern: bits)] where differs(number) {
        Issue.record("seed \(seed): \(number.debugDescription)")
        return
      }
      let whole = Int64(bitPattern: bits) >> Int64(round % 64)
      if text({ NumberText.append(whole, to: &$0) }) != String(whole) {
        Issue.record("seed \(seed): \(whole)")
        return
      }
    }
  }

  @Test func knownMoments() {
    let seconds: [Double] = [
      0, -0.0, -0.5, -1, -1.5, -1e-9, 1e-9, 1e-7, 0.000001, 0.0000005, 0.999999, 0.9999996, 539_658_123.5,
      592_299_475.57712,
      0x1p31 - 0.5, 0x1p31 + 0.5, -0x1p31 + 0.5, -0x1p31 - 0.5, -978_307_200, -978_307_200.125, -3e9, 2e11, 3e11, -3e11,
      1e14, 1e300, .nan, .infinity, -.infinity, -63_113_904_000, -63_113_904_000 - 86_400 * 366, 252_423_993_599,
      252_423_993_600, 5e-324,
    ]
    for seconds in seconds { #expect(!differs(Instant(seconds: seconds)), "\(seconds)") }
  }

  @Test func randomMoments() {
    let seed = testSeed()
    var numbers = Numbers(state: seed)
    for round in 0..<100_000 {
      let unit = Double(numbers.next() >> 11) / 0x1p53 - 0.5
      let span = [2.0, 1e3, 1e6, 1e9, 4e9, 1e10, 1e12][round % 7]
      let grain = [1, 10, 1e3, 1e6, 1e7, 1e9][round % 6]
      for seconds in [(unit * span * grain).rounded() / grain, unit * span] where differs(Instant(seconds: seconds)) {
        Issue.record("seed \(seed): \(seconds.debugDescription)")
        return
      }
    }
  }

  @Test(arguments: ["", "plain", "a\"b\\c", "\n\r\t\0\u{1F}", "\u{7F}\u{80}\u{9F}\u{A0}", "\u{2028}\u{2029}", "é…日🙂"])
  func quoted(_ string: String) {
    let long = String(repeating: "x", count: 40) + string + String(repeating: "y", count: 40)
    for string in [string, long] {
      #expect(text { JSONText.append(string, to: &$0) } == JSONText.quoted(string))
      #expect(text { $0.append(string) } == string)
    }
  }

  @Test func uuids() {
    for uuid in [UUIDBytes(high: 0, low: .max), UUIDBytes(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)] {
      #expect(text { uuid.append(to: &$0) } == uuid.description)
    }
  }
}

/// Numbers that a seed determines.
private struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
