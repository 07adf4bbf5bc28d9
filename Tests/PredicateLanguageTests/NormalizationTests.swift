import Diagnostics
import Glibc
import PredicateLanguage
import TestSeeds
import Testing
import Values

/// Trees that no text gives print as their normal form, and read back as that.
@Suite struct NormalizationTests {
  @Test func treesMadeByCode() {
    let seed = testSeed()
    var random = CodeMadeTree(seed: seed)
    var changed = 0
    for _ in 0..<5_000 {
      let tree = random.filter()
      let normal = tree.normalized
      if normal != tree { changed += 1 }
      let text = tree.predicateFormat
      do {
        let again = try PredicateParser.filter(text)
        if again != normal || again.hashValue != normal.hashValue {
          Issue.record(
            "seed \(seed): \(tree) prints as \(text), which reads back as \(again)\n\(again.kinds)\n\(normal.kinds)")
          return
        }
        if again.normalized != again { Issue.record("seed \(seed): \(text) is not normal when read") }
      } catch {
        Issue.record("seed \(seed): \(text) does not read back: \(error)")
        return
      }
    }
    #expect(changed > 1_000, "these trees are hardly any that a text could not give")
  }

  @Test func whatTextsGiveIsNormal() {
    var random = RandomTree(seed: 7)
    for _ in 0..<500 {
      let tree = random.filter()
      #expect(tree.normalized == tree)
    }
  }

  @Test(arguments: [
    (PredicateSyntax(.and([])), "TRUEPREDICATE"), (PredicateSyntax(.or([])), "FALSEPREDICATE"),
    (PredicateSyntax(.and([comparison("a", 1)])), "a == 1"),
    (
      PredicateSyntax(.and([PredicateSyntax(.and([comparison("a", 1), comparison("b", 2)])), comparison("c", 3)])),
      "a == 1 AND b == 2 AND c == 3"
    ),
    (
      PredicateSyntax(.or([PredicateSyntax(.and([comparison("a", 1), comparison("b", 2)])), comparison("c", 3)])),
      "(a == 1 AND b == 2) OR c == 3"
    ),
    (PredicateSyntax(.not(PredicateSyntax(.and([comparison("a", 1)])))), "NOT a == 1"),
    (PredicateSyntax(.truth(ExpressionSyntax(.literal(.int(1))))), "1 == TRUE"),
    (
      PredicateSyntax(
        .comparison(
          ComparisonSyntax(
            quantifier: Quantifier.none, left: ExpressionSyntax(.path(PathSyntax("a"))), comparator: .less,
            right: ExpressionSyntax(.literal(.float(0.1)))))),
      "NOT ANY a < 0.10000000149011612"
    ),
  ])
  func forms(_ tree: PredicateSyntax, _ text: String) throws {
    #expect(tree.predicateFormat == text)
    #expect(try PredicateParser.predicate(text) == tree.normalized)
  }

  /// Two texts that each count their arguments from the first ask for the same ones when they are joined.
  @Test func placeholdersOutOfSequence() throws {
    let parts = try ["a == %@", "b == %@ AND %K > 1"].map { try PredicateParser.predicate($0) }
    let joined = PredicateSyntax(.and(parts))
    #expect(joined.predicateFormat == "a == $0 AND b == $0 AND $K1 > 1")
  }

  @Test func everyControlCharacterComesBack() throws {
    let text = String(
      String.UnicodeScalarView((0...0x9F).compactMap(Unicode.Scalar.init) + ["\"", "\\", "\u{2028}", "\u{FEFF}"]))
    for comparator in [Comparator.equal, .like, .matches] {
      let tree = PredicateSyntax(
        .comparison(
          ComparisonSyntax(
            left: ExpressionSyntax(.path(PathSyntax(text))), comparator: comparator,
            right: ExpressionSyntax(.literal(.string(text))))))
      #expect(try PredicateParser.predicate(tree.predicateFormat) == tree)
      #expect(!tree.predicateFormat.unicodeScalars.contains { $0.value < 32 })
    }
  }

  @Test func everyKeywordIsAName() throws {
    let names = [
      "AND", "or", "Not", "in", "between", "like", "ANY", "true", "nil", "SELF", "first", "SIZE", "sort", "limit",
      "inf", "T1", "b64", "select", "where", "TRUEPREDICATE", "count", "uuid",
    ]
    for name in names {
      for other in names {
        let tree = comparing(PathSyntax(name, other, name), PathSyntax(other))
        #expect(try PredicateParser.predicate(tree.predicateFormat) == tree, "\(tree)")
      }
    }
  }

  private func comparing(_ left: PathSyntax, _ right: PathSyntax) -> PredicateSyntax {
    PredicateSyntax(
      .comparison(
        ComparisonSyntax(left: ExpressionSyntax(.path(left)), comparator: .equal, right: ExpressionSyntax(.path(right)))
      ))
  }
}

private func comparison(_ name: String, _ number: Int64) -> PredicateSyntax { PredicateSyntax.comparison(name, number) }

extension FilterSyntax {
  /// The whole tree, for a message.
  fileprivate var kinds: String {
    var text = ""
    dump(self, to: &text, maxItems: 200)
    return text
  }
}
