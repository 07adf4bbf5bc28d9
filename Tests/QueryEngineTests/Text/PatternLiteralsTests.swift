import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// The letters that regular expressions need: none is claimed that is not needed.
@Suite struct PatternLiteralsTests {
  @Test(arguments: [
    ("abc", "abc", "abc"), ("abc.*", "abc", "abc"), (".*abc", "", "abc"), ("a.*bcd.*e", "a", "bcd"), ("", "", ""),
    ("ab?c", "a", "a"), ("ab*c", "a", "a"), ("ab+cd", "ab", "ab"), ("a{2}bcd", "a", "bcd"), ("a{0,3}b", "", "b"),
    ("a{,3}", "a{,3}", "a{,3}"), ("a{b", "a{b", "a{b"), ("abc|abd", "", ""), ("(abc|abd)e", "", "e"),
    ("x(?:y|z)+w", "x", "x"), ("a\\.b", "a.b", "a.b"), ("\\d+km", "", "km"), ("a\\bb", "ab", "ab"),
    ("^\\Aabc$", "abc", "abc"), ("[abc]de", "", "de"), ("[]a]b", "", "b"), ("[^]a]b", "", "b"),
    ("[[:alpha:]]b", "", "b"),
    ("[a\\]b]c", "", "c"), ("\\Qa.b\\E+c", "a.b", "a.b"), ("\\Q(\\Ex", "(x", "(x"), ("\\x41b", "", "b"),
    ("\\x{1F600}b", "", "b"), ("\\pLb", "", "b"), ("\\p{Greek}b", "", "b"), ("\\t1", "\t1", "\t1"), ("\\0123", "", ""),
    ("(?P<n>a)b", "", "b"), ("(a(?i)b)c", "", "c"), ("a+?b", "a", "a"), ("a*?b", "", "b"), ("日本.語", "日本", "日本"),
    ("((a))b", "", "b"), ("b(?i)*", "", ""), ("ab\\Q\\E*c", "", ""), ("a{2}?b", "a", "a"), ("ab??c", "a", "a"),
    ("ab?c", "a", "a"), ("(?s).ab", "", "ab"),
  ])
  func whatIsNeeded(_ pattern: String, _ start: String, _ part: String) throws {
    _ = try RegularExpression(pattern, ignoringCase: false)
    let literals = PatternLiterals(pattern, ignoringCase: false)
    #expect(literals.start == start)
    #expect(literals.part == part)
  }

  @Test func caseCountsUnlessThePatternSaysSo() {
    for (pattern, folds) in [("a", false), ("(?i)a", true), ("a(?i:b)", true), ("(?-i)a", false), ("(?s)a", false)] {
      #expect(PatternLiterals(pattern, ignoringCase: false).ignoresCase == folds, "\(pattern)")
      #expect(PatternLiterals(pattern, ignoringCase: true).ignoresCase)
    }
  }

  /// Whatever matches has the letters, for random patterns and texts.
  @Test func nothingThatMatchesIsLeftOut() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    let pieces = [
      "a", "b", "k", "ß", "S", "ι", "İ", ".", ".*", "*", "+", "?", "|", "(", ")", "(?i)", "(?:", "(?i:", "[ab]", "[^a]",
      "\\b", "\\w", "\\.", "\\Q", "\\E", "{2}", "{0,1}", "{", "}", "^", "$", "[", "]", "\\x61", "(?-i)", "+?", "\\",
      "ab",
    ]
    let letters = [
      "a", "b", "A", "B", "k", "\u{212A}", "K", "ß", "ẞ", "s", "ſ", "S", "ι", "\u{345}", "Ι", "İ", "i", ".", "{", "2",
      "",
    ]
    var matched = 0
    for _ in 0..<40_000 {
      let pattern = (0..<1 + random.below(6)).map { _ in random.pick(pieces) }.joined()
      let ignoresCase = random.once(in: 3)
      guard let test = try? TextTest.Pattern(pattern, ignoringCase: ignoresCase) else { continue }
      for _ in 0..<6 {
        let text = (0..<random.below(6)).map { _ in random.pick(letters) }.joined()
        let bytes = Array(text.utf8)
        let matches = bytes.withUnsafeBytes { test.expression.matches($0) }
        guard matches else { continue }
        matched += 1
        let folded = test.folding.fold(text)
        #expect(bytes.withUnsafeBytes { test.matches($0) }, "seed \(seed): \(pattern) on \(text)")
        #expect(folded.starts(with: test.start), "seed \(seed): \(pattern) on \(text)")
        let found = folded.withUnsafeBytes { folded in test.part.withUnsafeBytes { Bytes.find($0, in: folded) } }
        #expect(found != nil, "seed \(seed): \(pattern) on \(text)")
      }
    }
    #expect(matched > 2000)
  }

  /// Scans, with and without dictionaries, and indexes find what RE2 alone finds.
  @Test func everyPlanFindsWhatTheExpressionFinds() throws {
    let texts = (0..<700).map { n in
      ["Alaska \(n)", "ALASKA \(n % 7)", "Straße \(n)", "straSSE \(n % 5)", "Ἀλάσκα \(n)", "K\u{212A}k \(n % 9)"][n % 6]
    }
    let store = try TestStore(.string, indexed: true, texts.map { .string($0) })
    for pattern in [
      "Alaska.*", "alaska.*", ".*ska 1.*", "(?i)al.*7", "S.*e 1[0-9]+", "(?i)kkk.*", "Alaska|Straße 2", "x.*",
      "Alaska 6",
    ] {
      for ignoresCase in [false, true] {
        let expression = try RegularExpression(pattern, ignoringCase: ignoresCase)
        let expected = texts.indices.filter { place in
          Array(texts[place].utf8).withUnsafeBytes { expression.matches($0) }
        }
        let query = "x MATCHES\(ignoresCase ? "[c]" : "") '\(pattern)'"
        for plan in try store.everyPlan(query) { #expect(plan.rows == expected, "\(query), plan \(plan.name)") }
      }
    }
    for (pattern, part) in [("Alaska*1", "Alaska"), ("*ka*1?", "ka"), ("?laska *", "laska ")] {
      let query = "x LIKE[c] '\(pattern)'"
      let plans = try store.everyPlan(query)
      let expected = texts.indices.filter { place in
        let folding = TextFolding(ignoresCase: true, ignoresDiacritics: false)
        return folding.fold(texts[place]).withUnsafeBytes { LikePattern(pattern, folding: folding).matches($0) }
      }
      for plan in plans { #expect(plan.rows == expected, "\(query), plan \(plan.name)") }
      #expect(try store.explain(query).contains("in texts with \"\(part.lowercased())\""))
    }
  }

  @Test func aPlanNamesTheLetters() throws {
    let store = try TestStore(.string, indexed: true, (0..<6000).map { .string("text \($0)") })
    let index = try store.explain("x MATCHES 'text 59.*'")
    #expect(index.contains("IndexRange  Item.x in [\"text 59\"…]"), "\(index)")
    #expect(index.contains("Filter  x MATCHES \"text 59.*\""), "\(index)")
    let scan = try store.explain("x MATCHES[c] '.*xt 59.*'")
    #expect(scan.contains("in texts with \"xt 59\""), "\(scan)")
  }
}
