import CSimdjson
import ObjectStoreCore
import TestSeeds
import Testing

@testable import objquery

/// What is noted of a column against the plainest way of saying what its texts are.
@Suite struct ColumnEvidenceTests {
  /// The same as `ColumnStatistics`, by the standard library's own readers and without a thought for speed.
  private struct Plain {
    var (integers, reals, bools, texts, specialNumbers) = (0, 0, 0, 0, 0)
    var dates = DateForm.allCases.map { _ in 0 }
    var notDates = DateForm.allCases.map { _ in String?.none }
    var firstText: String?
    var firstNumber: String?
    var firstLeadingZero: String?
    var range: ClosedRange<Int64>?

    mutating func add(_ text: String, isQuoted: Bool) {
      if !isQuoted, let integer = Self.integer(text) {
        integers += 1
        if firstNumber == nil { firstNumber = String(integer) }
        let digits = text.drop { $0 == "-" || $0 == "+" }
        if firstLeadingZero == nil, digits.count > 1, digits.first == "0" { firstLeadingZero = text }
        range = range.map { min($0.lowerBound, integer)...max($0.upperBound, integer) } ?? integer...integer
      } else if !isQuoted, let first = text.utf8.first, first < UInt8(ascii: "A"), Self.real(text) != nil {
        reals += 1
        if firstNumber == nil { firstNumber = text }
      } else if !isQuoted, ["true", "false"].contains(text.lowercased()) {
        bools += 1
      } else {
        texts += 1
        if firstText == nil { firstText = text }
        if Self.special(text) != nil { specialNumbers += 1 }
        for (index, form) in DateForm.allCases.enumerated() where dates[index] > 0 || texts <= 100 {
          if Array(text.utf8).withUnsafeBytes({ form.instant($0) }) != nil {
            dates[index] += 1
          } else if notDates[index] == nil {
            notDates[index] = text
          }
        }
      }
    }

    static func integer(_ text: String) -> Int64? {
      let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
      guard (1...19).contains(digits.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return Int64(text)
    }

    static func real(_ text: String) -> Double? {
      guard let first = text.first, text.utf8.count < 400 else { return nil }
      if "0123456789+-.".contains(first), !text.contains(where: { "xXnN".contains($0) }) { return Double(text) }
      return special(text)
    }

    static func special(_ text: String) -> Double? {
      [
        "nan": .nan, "inf": .infinity, "+inf": .infinity, "infinity": .infinity, "-inf": -.infinity,
        "-infinity": -.infinity,
      ][text.lowercased()]
    }
  }

  private static let kinds: [[String]] = [
    ["0", "7", "-12", "+3", "1546300800000", "9223372036854775807", "-9223372036854775808", "9223372036854775808"],
    [
      "1.5", "-0.25", "3.0", "1e5", "-1E-5", "+2.5", "-0", "-0.0", "0.000000000000001", "123456789012345.6",
      "12345678901234567",
    ],
    [
      "5.", ".5", ".", "-", "+", "1.2.3", "--1", "1e", "1e999", "0x10", "1,5", "00.5", "007", "-01", "1 ", " 1",
      "1_000",
    ],
    [
      "nan", "NaN", "inf", "-INF", "+inf", "Infinity", "-infinity", "+infinity", "infinite", "nay", "in", "-nan", "of",
      "iffy",
    ],
    ["true", "TRUE", "False", "fals", "truth", "tRuE", "false ", "yes"],
    ["2018-02-07", "2018-02-07T01:02:03Z", "2018-02-07T01:02:03.125Z", "2018-02-30T01:02:03Z", "2018-02-07T01:02:60Z"],
    ["12/31/2018", "31/12/2018", "01/02/2018", "1/2/2018", "1/2/18"],
    ["", "a", "true-ish", "84km SW of Vios", "É", "naïve", "ﬁn", "İnf", "ſ", "K", "a,b"],
  ]

  @Test func whatTextsAreTakenFor() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    for column in 0..<200 {
      var (found, expected) = (ColumnStatistics(), Plain())
      let (usual, isQuoted) = (Int.random(in: 0..<Self.kinds.count, using: &random), column % 5 == 0)
      let others: Double = [0, 0, 0, 0.02, 0.5][Int.random(in: 0..<5, using: &random)]
      for line in 1...Int.random(in: 1...250, using: &random) {
        let isOther = Double.random(in: 0..<1, using: &random) < others
        let kind = isOther ? Int.random(in: 0..<Self.kinds.count, using: &random) : usual
        let text = Self.kinds[kind].randomElement(using: &random) ?? ""
        if text.isEmpty, !isQuoted { continue }
        expected.add(text, isQuoted: isQuoted)
        add(text, isQuoted, line, to: &found)
      }
      let place: Comment = "seed \(seed), column \(column)"
      #expect(found.integers == expected.integers && found.reals == expected.reals, place)
      #expect(found.bools == expected.bools && found.texts == expected.texts, place)
      #expect(found.specialNumbers == expected.specialNumbers && found.dates == expected.dates, place)
      #expect(found.notDates.map { $0?.text } == expected.notDates, place)
      #expect(found.firstText?.text == expected.firstText && found.integerRange == expected.range, place)
      #expect(found.firstNumber?.text == expected.firstNumber, place)
      #expect(found.firstLeadingZero?.text == expected.firstLeadingZero, place)
    }
  }

  private func add(_ text: String, _ isQuoted: Bool, _ line: Int, to evidence: inout ColumnStatistics) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var field = Field()
        field.kind = isQuoted ? csj_quoted : csj_untyped
        field.text = bytes.baseAddress
        field.length = bytes.count
        evidence.add(field, line: line)
      }
    }
  }

  @Test func numbersAreReadAsTheirTextIs() {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    let characters = Array("0123456789012345678901234567890123456789..-+eE")
    let listed = Self.kinds.flatMap(\.self)
    for round in 0..<20_000 {
      var text = ""
      if round < listed.count {
        text = listed[round]
      } else {
        for _ in 0..<Int.random(in: 0...22, using: &random) {
          text.append(characters[Int.random(in: 0..<characters.count, using: &random)])
        }
      }
      let found = Array(text.utf8).withUnsafeBytes { NumberReading.real($0) }
      let isSame = found?.bitPattern == Plain.real(text)?.bitPattern
      #expect(isSame, "seed \(seed): \(text) as \(String(describing: found))")
    }
  }
}
