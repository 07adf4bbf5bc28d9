import Storage
import TestSeeds
import Testing

@testable import QueryEngine

@Suite struct PatternTests {
  private func like(_ text: String, _ pattern: String, _ folding: TextFolding = .none) -> Bool {
    LikePattern(pattern, folding: folding).matchesText(text, folding)
  }

  @Test(arguments: [
    ("", "", true), ("", "*", true), ("", "?", false), ("a", "", false), ("abc", "abc", true), ("abc", "a*", true),
    ("abc", "*c", true), ("abc", "*b*", true), ("abc", "a?c", true), ("abc", "?b", false), ("abc", "???", true),
    ("abc", "??", false), ("a*c", "a\\*c", true), ("abc", "a\\*c", false), ("a?c", "a\\?c", true),
    ("a\\c", "a\\\\c", true),
    ("a\\c", "a\\c", true), ("a\\", "a\\", true), ("aXbXc", "*X*X*", true), ("aab", "*ab", true), ("abab", "*ab", true),
    ("ababc", "*ab", false), ("é", "?", true), ("e\u{301}", "?", false), ("👍🏽", "??", true), ("日本語", "?本*", true),
    ("日本語", "*?語", true), ("mississippi", "m*iss*ip*i", true), ("mississippi", "m*iss*ib*i", false),
    ("ab", "a**b", true),
  ])
  func likeMatches(_ text: String, _ pattern: String, _ expected: Bool) {
    #expect(like(text, pattern) == expected)
  }

  @Test func likeFoldsBothSides() {
    let c = TextFolding(ignoresCase: true, ignoresDiacritics: false)
    #expect(like("Straße", "STRA??E", c))
    #expect(like("ÀB", "a?", TextFolding(ignoresCase: true, ignoresDiacritics: true)))
  }

  @Test func likeTakesStepsOfTextTimesPatternAtMost() {
    let patterns = [
      String(repeating: "a*", count: 40) + "b", String(repeating: "*a", count: 40) + "*b",
      "*" + String(repeating: "a", count: 80) + "b",
      String(repeating: "?*", count: 40) + "b", "*ab*ab*ab*b",
    ]
    for folding in [TextFolding.none, .full] {
      for count in [500, 1000, 2000, 4000] {
        let text = Array(String(repeating: "a", count: count).utf8)
        for written in patterns {
          let pattern = LikePattern(written, folding: folding)
          var steps = 0
          let matches = text.withUnsafeBytes { text in
            pattern.matches(text) {
              steps += 1
              return true
            }
          }
          #expect(!matches)
          #expect(steps <= (text.count + 2) * (written.utf8.count + 2), "\(written)")
        }
      }
    }
  }

  /// The two-pointer matcher against the plain recursive definition, over all short texts and patterns.
  @Test func likeAgreesWithItsDefinition() {
    func defined(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "*" { return (0...text.count).contains { defined(text.dropFirst($0), pattern.dropFirst()) } }
      guard let letter = text.first, first == "?" || first == letter else { return false }
      return defined(text.dropFirst(), pattern.dropFirst())
    }
    func all(_ letters: [Character], upTo length: Int) -> [String] {
      var result = [""]
      var last = [""]
      for _ in 0..<length {
        last = last.flatMap { text in letters.map { text + String($0) } }
        result += last
      }
      return result
    }
    for pattern in all(["a", "b", "*", "?"], upTo: 4) {
      for text in all(["a", "b"], upTo: 4) {
        #expect(like(text, pattern) == defined(Array(text)[...], Array(pattern)[...]), "\(text) LIKE \(pattern)")
      }
    }
  }

  @Test func searchFindsWhatAPlainLoopFinds() {
    var random = OracleRandom(seed: testSeed())
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...70, using: &random)).map { _ in "abAB".utf8.randomElement(using: &random) ?? 0
      }
      let needle = (0..<Int.random(in: 0...4, using: &random)).map { _ in "ab".utf8.randomElement(using: &random) ?? 0 }
      func first(_ text: [UInt8]) -> Int? {
        guard text.count >= needle.count else { return nil }
        return (0...(text.count - needle.count)).first { Array(text[$0..<$0 + needle.count]) == needle }
      }
      let found = text.withUnsafeBytes { text in needle.withUnsafeBytes { Bytes.find($0, in: text) } }
      #expect(found == first(text))
      let lowered = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      let anyCase = text.withUnsafeBytes { text in needle.withUnsafeBytes { Bytes.findIgnoringCase($0, in: text) } }
      #expect(anyCase == first(lowered))
    }
  }

  @Test func regularExpressionsMatchWhole() throws {
    func matches(_ text: String, _ pattern: String, ignoringCase: Bool = false) throws -> Bool {
      let expression = try RegularExpression(pattern, ignoringCase: ignoringCase)
      var text = text
      return text.withUTF8 { expression.matches(UnsafeRawBufferPointer($0)) }
    }
    #expect(try matches("abc", "a.c"))
    #expect(try !matches("xabc", "a.c"))
    #expect(try matches("ПРИВЕТ", "привет", ignoringCase: true))
    #expect(try matches("a1", "\\w\\d"))
    // Exponential elsewhere.
    #expect(try !matches(String(repeating: "a", count: 10_000) + "!", "(a+)+"))
  }

  @Test(arguments: [
    ("(a", "parenthesis"), ("a)", "parenthesis"), ("[a", "']' is missing"), ("(a)\\1", "refers back"), ("*a", "repeat"),
    ("a{2000}", "repetition"), ("(?=a)", "linear"), ("\\q", "not an escape"), ("a\\", "lone"),
  ])
  func wrongPatternsAreExplained(_ pattern: String, _ words: String) {
    do throws(RegularExpression.Failure) {
      _ = try RegularExpression(pattern, ignoringCase: false)
      Issue.record("\(pattern) was accepted")
    } catch {
      #expect(error.message.contains(words), "\(pattern): \(error.message)")
      #expect(error.offset + error.count <= pattern.utf8.count)
    }
  }
}

extension LikePattern {
  fileprivate func matchesText(_ text: String, _ folding: TextFolding) -> Bool {
    let bytes = folding.fold(text)
    return bytes.withUnsafeBytes { matches($0) }
  }
}
