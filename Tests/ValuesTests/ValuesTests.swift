import TestSeeds
import Testing
import Values

@Suite struct CivilDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (2001, 1, 1, 978_307_200), (2000, 2, 29, 951_782_400), (1969, 12, 31, -86_400),
    (1600, 3, 1, -11670912000), (0, 1, 1, -62_167_219_200), (9999, 12, 31, 253_402_214_400),
  ])
  func known(_ year: Int, _ month: Int, _ day: Int, _ seconds: Int) throws {
    let date = try #require(CivilDate(year: year, month: month, day: day))
    #expect(date.secondsSince1970 == seconds)
    #expect(CivilDate(secondsSince1970: seconds) == date)
  }

  @Test func everyDayOfEightHundredYearsFollowsTheOneBefore() throws {
    var expected = try #require(CivilDate(year: 1599, month: 12, day: 31)).secondsSince1970
    for year in 1600..<2400 {
      for month in 1...12 {
        for day in 1...CivilDate.days(inMonth: month, of: year) {
          expected += 86_400
          let date = try #require(CivilDate(year: year, month: month, day: day))
          guard date.secondsSince1970 == expected, CivilDate(secondsSince1970: expected) == date else {
            Issue.record("\(year)-\(month)-\(day)")
            return
          }
        }
      }
    }
  }

  @Test func fieldsAreChecked() {
    #expect(CivilDate(year: 2001, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2000, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2000, month: 0, day: 1) == nil)
    #expect(CivilDate(year: 2000, month: 1, day: 0) == nil)
    #expect(CivilDate(year: 2000, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2000, month: 1, day: 1, hour: 24) == nil)
    #expect(CivilDate(year: 2000, month: 1, day: 1, minute: 60) == nil)
    #expect(CivilDate(year: 2000, month: 1, day: 1, second: 60) == nil)
    #expect(CivilDate(year: 1_000_000, month: 1, day: 1) == nil)
    #expect(CivilDate(secondsSince1970: .max) == nil)
    #expect(CivilDate(secondsSince1970: .min) == nil)
  }
}

@Suite struct ISO8601Tests {
  @Test(arguments: [
    ("2018-02-07T01:02:03Z", 539_658_123.0), ("2018-02-07", 539_654_400), ("2018-02-07T01:02:03", 539_658_123),
    ("2018-02-07 01:02:03.5Z", 539_658_123.5), ("2018-02-07T01:02:03.25+01:00", 539_654_523.25),
    ("2018-02-07T01:02:03-0130", 539_663_523), ("2018-02-07T01:02Z", 539_658_120), ("20180207T010203Z", 539_658_123),
    ("2018-02-07t01:02:03,5z", 539_658_123.5), ("2018-02-07T01:02:03+02", 539_650_923),
    ("+002018-02-07T00:00:00Z", 539_654_400), ("2001-01-01T00:00:00Z", 0), ("1970-01-01", -978_307_200),
  ])
  func reading(_ text: String, _ seconds: Double) {
    #expect(ISO8601.instant(text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "yesterday", "2018", "2018-02", "2018-2-7", "2018-02-30", "2018-02-07T", "2018-02-07T25:00:00Z",
    "2018-02-07T01:02:03.", "2018-02-07T01:02:03X", "2018-02-07T01:02:03Zx", "2018-02-07T01:02:03+24:00",
    "2018-0207", "201802-07", "2018-02-07T01:02:60Z", "２018-02-07", "2018-02-07\0",
    "2018-02-07T01:02:03." + String(repeating: "0", count: 400) + "1Z",
  ])
  func refusing(_ text: String) {
    #expect(ISO8601.instant(text) == nil)
  }

  @Test func printing() {
    #expect(ISO8601.text(Instant(seconds: 0)) == "2001-01-01T00:00:00Z")
    #expect(ISO8601.text(Instant(seconds: 539_658_123.5)) == "2018-02-07T01:02:03.5Z")
    #expect(ISO8601.text(Instant(seconds: 592_299_475.577120)) == "2019-10-09T07:37:55.57712Z")
    #expect(ISO8601.text(Instant(seconds: -0.5)) == "2000-12-31T23:59:59.5Z")
    #expect(ISO8601.text(Instant(secondsSince1970: -62_167_219_200 - 86_400)) == "-000001-12-31T00:00:00Z")
    #expect(ISO8601.text(Instant(secondsSince1970: 253_402_300_800)) == "+010000-01-01T00:00:00Z")
    #expect(ISO8601.text(Instant(seconds: .infinity)) == "inf")
    #expect(ISO8601.text(Instant(seconds: 1e300)) == "1e+300")
  }

  @Test func everyMomentReadsBack() {
    let seed = testSeed()
    var state = seed
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
    for round in 0..<20_000 {
      let unit = Double(next() >> 11) / Double(1 << 53)
      let scale = [1e-9, 1e-300, 1, 1e3, 1e6, 1e9, 1e10][round % 7]
      let seconds = (unit - 0.5) * scale
      let text = ISO8601.text(Instant(seconds: seconds))
      if ISO8601.instant(text)?.seconds != seconds {
        Issue.record("seed \(seed): \(seconds.debugDescription) as \(text)")
        return
      }
    }
  }
}

@Suite struct UsualMomentTests {
  /// The form that is read at once says what the same text with its offset in digits says, which is not.
  @Test func theUsualFormIsReadAsAnyOther() {
    let seed = testSeed()
    var state = seed
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    func two(_ limit: Int) -> String { String(String(100 + next(limit)).dropFirst()) }
    for round in 0..<20_000 {
      let year = round % 5 == 0 ? "2000" : String(String(10_000 + next(10_000)).dropFirst())
      var text = Array("\(year)-\(two(14))-\(two(33))T\(two(25))-\(two(61)):\(two(61))".utf8)
      text[13] = UInt8(ascii: ":")
      if round % 5 == 0 { text.replaceSubrange(5..., with: Array("12-31T23:59:59".utf8)) }
      if round % 3 > 0 { text += [46] + (0..<next(19)).map { _ in UInt8(48 + next(10)) } }
      if round % 7 == 0 { text[next(text.count)] = UInt8(next(256)) }
      let (usual, other) = (text + Array("Z".utf8), text + Array("+00:00".utf8))
      let found = usual.withUnsafeBytes { ISO8601.instant($0) }
      let expected = other.withUnsafeBytes { ISO8601.instant($0) }
      if found?.seconds.bitPattern != expected?.seconds.bitPattern {
        Issue.record("seed \(seed): \(String(decoding: usual, as: UTF8.self)) as \(String(describing: found))")
        return
      }
    }
  }
}

@Suite struct UUIDTextTests {
  @Test func bothWays() throws {
    let uuid = try #require(UUIDBytes("550e8400-e29b-41d4-a716-446655440000"))
    #expect(uuid.high == 0x550e_8400_e29b_41d4 && uuid.low == 0xa716_4466_5544_0000)
    #expect(uuid.description == "550E8400-E29B-41D4-A716-446655440000")
    #expect(UUIDBytes(uuid.description) == uuid)
    #expect(UUIDBytes(high: 0, low: 1).description == "00000000-0000-0000-0000-000000000001")
  }

  @Test(arguments: [
    "", "550e8400e29b41d4a716446655440000", "550e8400-e29b-41d4-a716-44665544000",
    "550e8400-e29b-41d4-a716-4466554400000",
    "550e8400-e29b-41d4-a716-44665544000g", "{50e8400-e29b-41d4-a716-446655440000",
    "550e8400-e29b-41d4-a716_446655440000",
    "５50e8400-e29b-41d4-a716-4466554400",
  ])
  func refusing(_ text: String) {
    #expect(UUIDBytes(text) == nil)
  }
}

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
  ])
  func vectors(_ plain: String, _ encoded: String) {
    #expect(Base64.text(Array(plain.utf8)) == encoded)
    #expect(Base64.bytes(encoded) == Array(plain.utf8))
  }

  @Test func everyByte() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Base64.bytes(Base64.text(bytes)) == bytes)
    #expect(Base64.bytes("Zm8") == Array("fo".utf8))
  }

  @Test(arguments: ["Z", "Zg=", "Zg===", "Zh==", "Zm9v=", "Zm 9v", "Z=g=", "====", "Zg==Zg==", "é"])
  func refusing(_ text: String) {
    #expect(Base64.bytes(text) == nil)
  }
}

@Suite struct NumberTextTests {
  @Test func doublesNeverLookLikeIntegers() {
    #expect(NumberText.text(5.0) == "5.0")
    #expect(NumberText.text(0.1) == "0.1")
    #expect(NumberText.text(1e300) == "1e+300")
    #expect(NumberText.text(-0.0) == "-0.0")
    #expect(NumberText.text(Double.infinity) == "inf")
    #expect(NumberText.text(-Double.infinity) == "-inf")
    #expect(NumberText.text(-Double.nan) == "nan")
    #expect(NumberText.text(Float(0.1)) == "0.1")
  }
}

/// When two values are the same: byte for byte, and never across kinds.
@Suite struct ValueEqualityTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test func textsSpeltWithOtherScalarsDiffer() {
    #expect(Self.composed == Self.decomposed)
    #expect(Value.string(Self.composed) != .string(Self.decomposed))
    #expect(Value.list([.string(Self.composed)]) != .list([.string(Self.decomposed)]))
    #expect(Set([Value.string(Self.composed), .string(Self.decomposed), .string(Self.composed)]).count == 2)
  }

  @Test func equalOnesHashAlike() {
    let values: [Value] = [
      .null, .bool(true), .int(1), .float(1), .double(1), .string("1"), .string(""), .date(Instant(seconds: 1)),
      .uuid(UUIDBytes(high: 0, low: 1)), .data([1]), .list([.int(1)]),
      .embedded([EmbeddedField(name: "a", value: .int(1))]),
    ]
    for (place, value) in values.enumerated() {
      for (other, second) in values.enumerated() { #expect((value == second) == (place == other)) }
    }
    #expect(Set(values + values).count == values.count)
    #expect(Value.double(.nan) != .double(.nan))
  }
}

@Suite struct JSONTextTests {
  @Test(arguments: [
    ("plain", #""plain""#), ("", #""""#), (#"a"b\c"#, #""a\"b\\c""#), ("a\nb\tc\rd", #""a\nb\tc\rd""#),
    ("\u{0}\u{1F}\u{7F}", #""\u0000\u001f\u007f""#), ("\u{85}\u{2028}", #""\u0085\u2028""#), ("é…日🙂", #""é…日🙂""#),
  ])
  func quoted(_ text: String, _ expected: String) {
    #expect(JSONText.quoted(text) == expected)
  }
}
