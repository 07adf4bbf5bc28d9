import Diagnostics
import PredicateLanguage
import Schema
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// `SORT(name[cd numeric])`: texts in the order in which people look for them.
@Suite struct SortOptionsTests {
  private func sorted(_ texts: [String?], _ tail: String, indexed: Bool = false) throws -> [String?] {
    let store = try TestStore(.string, indexed: indexed, texts.map { $0.map(Value.string) ?? .null })
    return try store.rows("TRUEPREDICATE " + tail).map { texts[$0] }
  }

  @Test func lettersAndMarksDoNotCount() throws {
    let names = ["b", "C", "a", "É", "e", nil, "Z", "straße", "STRASSE"]
    #expect(try sorted(names, "SORT(x)") == [nil, "C", "STRASSE", "Z", "a", "b", "e", "straße", "É"])
    #expect(try sorted(names, "SORT(x[c])") == [nil, "a", "b", "C", "e", "straße", "STRASSE", "Z", "É"])
    #expect(try sorted(names, "SORT(x[d])") == [nil, "C", "É", "STRASSE", "Z", "a", "b", "e", "straße"])
    #expect(try sorted(names, "SORT(x[cd])") == [nil, "a", "b", "C", "É", "e", "straße", "STRASSE", "Z"])
    // Ties keep their order, downwards too.
    #expect(try sorted(names, "SORT(x[dc] DESC)") == ["Z", "straße", "STRASSE", "É", "e", "C", "b", "a", nil])
  }

  @Test func digitsAreNumbers() throws {
    let files = [
      "file 10", "file 9", "file 010", "file", "file 9b", "file 2.10", "File 1", "file 2.9", "10", "9", "a", "",
      "file 99999999999999999999", "file 100000000000000000000",
    ]
    #expect(
      try sorted(files, "SORT(x[numeric])") == [
        "", "9", "10", "File 1", "a", "file", "file 2.9", "file 2.10", "file 9", "file 9b", "file 10", "file 010",
        "file 99999999999999999999", "file 100000000000000000000",
      ])
    #expect(try sorted(files, "SORT(x[c numeric]) LIMIT(4) OFFSET(4)") == ["file", "File 1", "file 2.9", "file 2.10"])
    #expect(try sorted(["a0", "a", "a00", "a-"], "SORT(x[numeric])") == ["a", "a-", "a0", "a00"])
  }

  /// An index is in the order of bytes.
  @Test func anIndexIsNotInThatOrder() throws {
    let texts = (0..<3_000).map { ($0 % 2 == 0 ? "a" : "B") + "\($0)" }
    let store = try TestStore(.string, optional: false, indexed: true, texts.map(Value.string))
    #expect(try store.explain("x != nil SORT(x) LIMIT(3)").contains("IndexOrder"))
    let plan = try store.explain("x != nil SORT(x[c numeric] DESC) LIMIT(3)")
    #expect(!plan.contains("IndexOrder"))
    #expect(plan.contains("x[c numeric] DESC"), "\(plan)")
    #expect(try store.rows("TRUEPREDICATE SORT(x[c numeric] DESC) LIMIT(3)") == [2_999, 2_997, 2_995])
    #expect(try store.rows("TRUEPREDICATE SORT(x[c numeric]) LIMIT(3)") == [0, 2, 4])
  }

  /// Comparing the keys that stand for texts is comparing the texts part by part.
  @Test func keysAreInTheOrderOfTheTexts() {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    func text() -> String {
      (0..<random.below(8)).map { _ in random.pick(["0", "1", "9", "00", "a", "B", "/", ":", "é", "123456789012"]) }
        .joined()
    }
    for _ in 0..<20_000 {
      let (a, b) = (text(), text())
      let isLess = OracleTextOrder.sortsBefore(.string(a), .string(b), .numeric)
      let keys = (Array(NumericOrder.key(of: a).utf8), Array(NumericOrder.key(of: b).utf8))
      #expect(keys.0.lexicographicallyPrecedes(keys.1) == isLess, "seed \(seed): '\(a)' and '\(b)'")
    }
  }

  @Test func commasMayStandBetweenOptions() throws {
    let names = ["b 10", "B 9", "é", "E", "a"]
    let sorted = try sorted(names, "SORT(x[cd numeric])")
    for options in ["[cd,numeric]", "[c, d, numeric]", "[numeric , c,d]"] {
      #expect(try self.sorted(names, "SORT(x\(options))") == sorted)
      #expect(try PredicateParser.filter("SORT(x\(options) DESC)").predicateFormat == "SORT(x[cd numeric] DESC)")
    }
  }

  @Test func aMisspeltOptionIsNamed() throws {
    let store = try TestStore(.string, ["a"].map(Value.string))
    func diagnostic(_ tail: String) throws -> Diagnostic {
      let error = #expect(throws: DiagnosticError.self) { try store.rows("TRUEPREDICATE " + tail) }
      return try #require(error?.diagnostics.first)
    }
    let among = try diagnostic("SORT(x[cd, numric])")
    #expect(among.code == .unknownOption && among.message == "'numric' is not an option of a key")
    #expect(among.fixes.first?.range == SourceRange(25, 31) && among.fixes.first?.replacement == "numeric")
    // By itself it may be an index.
    let single = try diagnostic("SORT(x[numric])")
    #expect(single.code == .typeMismatch)
    #expect(single.notes.first?.hasPrefix("did you mean '[numeric]'? the options of a key of SORT BY are") == true)
    #expect(try diagnostic("SORT(x[felt])").notes.first?.hasPrefix("the options") == true)
  }

  @Test func optionsAreAboutTexts() throws {
    let store = try TestStore(.int, (0..<3).map { .int($0) })
    let error = #expect(throws: DiagnosticError.self) { try store.rows("TRUEPREDICATE SORT(x[cd] DESC)") }
    let diagnostic = try #require(error?.diagnostics.first)
    #expect(diagnostic.code == .unsupportedOption)
    #expect(diagnostic.message == "'[cd]' is about texts, but 'x' is Int")
    let fix = try #require(diagnostic.fixes.first)
    #expect(fix.range == SourceRange(20, 24) && fix.replacement.isEmpty)
    #expect(try store.rows("TRUEPREDICATE SORT(x[n] DESC)") == [2, 1, 0])
  }
}
