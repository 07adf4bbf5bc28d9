import Diagnostics
import Glibc
import PredicateLanguage
import TestSeeds
import Testing
import Values

/// Printing a tree and reading the text back gives an equal tree.
@Suite struct RoundTripTests {
  @Test func randomTrees() {
    let seed = testSeed()
    var random = RandomTree(seed: seed)
    for _ in 0..<5_000 {
      let tree = random.filter()
      let text = tree.predicateFormat
      do {
        let again = try PredicateParser.filter(text)
        if again != tree {
          Issue.record("seed \(seed): \(text) reads back as \(again.predicateFormat)")
          return
        }
        let shown = tree.predicate?.readableFormat
        if try shown.map({ try PredicateParser.predicate($0) }) != tree.predicate {
          Issue.record("seed \(seed): \(shown ?? "") is not \(text)")
          return
        }
      } catch {
        Issue.record("seed \(seed): \(text) does not read back: \(error)")
        return
      }
    }
  }

  @Test(arguments: [
    (592_297_075, "2019-10-09T06:57:55Z"), (539_654_400.5, "2018-02-07T00:00:00.5Z"),
    (-70_000_000_000, "-000218-10-15T19:33:20Z"),
  ])
  func datesArePrintedForPeopleAsISO8601(_ seconds: Double, _ text: String) throws {
    let date = ExpressionSyntax(.literal(.date(Instant(seconds: seconds))))
    #expect(date.readableFormat == "date(\"\(text)\")")
    #expect(try PredicateParser.predicate("time > " + date.readableFormat).predicateFormat == "time > \(date)")
  }

  @Test func whatIsNoDayKeepsItsSeconds() {
    for seconds in [Double.infinity, -.infinity, .nan, 1e300] {
      let date = ExpressionSyntax(.literal(.date(Instant(seconds: seconds))))
      #expect(date.readableFormat == date.predicateFormat)
    }
  }

  /// Two values around AND behind BETWEEN would be the bounds of SQL.
  @Test(arguments: ["(a BETWEEN $b) AND $c", "(NOT a BETWEEN $b) AND %@ AND d", "(x > 1 AND a BETWEEN %@) AND $c"])
  func aRangeBeforeABareConditionIsInParentheses(_ text: String) throws {
    let tree = try PredicateParser.predicate(text)
    #expect(try PredicateParser.predicate(tree.predicateFormat) == tree, "\(tree.predicateFormat)")
  }

  @Test func textsJoin() throws {
    let first = try PredicateParser.predicate("a == 1 AND b == 2")
    let second = try PredicateParser.predicate("c == 3")
    let joined = try PredicateParser.predicate(first.predicateFormat + " AND " + second.predicateFormat)
    #expect(joined == PredicateSyntax(.and([.comparison("a", 1), .comparison("b", 2), .comparison("c", 3)])))
  }

  @Test func windowsMadeByCodeKeepTheirOrder() throws {
    func window(_ offset: Int64?, _ limit: Int64?) -> TailSyntax {
      .window(
        offset: offset.map { ExpressionSyntax(.literal(.int($0))) },
        limit: limit.map { ExpressionSyntax(.literal(.int($0))) })
    }
    let tree = FilterSyntax(predicate: nil, tails: [window(nil, 3), window(1, nil)])
    #expect(tree.predicateFormat == "OFFSET(0) LIMIT(3) OFFSET(1)")
    #expect(try PredicateParser.filter(tree.predicateFormat).tails == [window(0, 3), window(1, nil)])
  }

  @Test func sequentialPlaceholdersAreCountedOverAllOfThem() throws {
    let text = "%K == %@ AND a.%K IN {%d, %@} SORT(%K ASC) OFFSET(%@) LIMIT(%@)"
    let tree = try PredicateParser.filter(text)
    #expect(tree.predicateFormat == text)
    #expect(try PredicateParser.filter(tree.predicateFormat) == tree)
  }

  /// Random bytes, and texts with random damage, give a tree or an error, and every range lies in the text.
  @Test func damagedTextsAreErrors() {
    let seed = testSeed()
    var random = RandomTree(seed: seed)
    let alphabet = Array("()[]{}.,;:'\"`\\@#$%&|^~!<>=+-*/ \n_aNOTin15e-“é😀\0").map(String.init)
    let words = [
      "NOT", "AND", "BETWEEN", "IN", "ANY", "SUBQUERY(", "$t", "%@", "IS", "NULL", "geoCircle(", "WHERE", "SORT", "--",
      "/*", "T5:", "uuid(",
    ]
    for round in 0..<5_000 {
      var pieces: [String] = round % 2 == 0 ? random.filter().predicateFormat.map(String.init) : []
      for _ in 0...random.below(8) {
        let piece = random.below(2) == 0 ? random.pick(alphabet) : random.pick(words)
        pieces.insert(piece, at: random.below(pieces.count + 1))
        if pieces.count > 4, random.below(3) == 0 { pieces.removeSubrange(random.below(3)..<4) }
      }
      let text = pieces.joined()
      check(text, seed) { _ = try PredicateParser.filter($0) }
      check(text, seed) { _ = try StatementParser.statement("Quake WHERE " + $0) }
      check(text, seed) { _ = try StatementParser.statement($0, defaultEntity: "Quake") }
      for piece in StatementParser.split(text) {
        if piece.range.upperBound > text.utf8.count { Issue.record("seed \(seed): \(text)") }
      }
    }
  }

  private func check(_ text: String, _ seed: UInt64, _ parse: (String) throws -> Void) {
    do {
      try parse(text)
    } catch let error as DiagnosticError {
      let length = error.source.utf8.count
      let ranges = error.diagnostics.flatMap { diagnostic in
        diagnostic.fixes.map(\.range) + [diagnostic.range].compactMap(\.self)
      }
      if error.diagnostics.isEmpty || ranges.contains(where: { $0.lowerBound < 0 || $0.upperBound > length }) {
        Issue.record("seed \(seed): \(text): \(error)")
      }
      if error.description.isEmpty { Issue.record("seed \(seed): \(text)") }
    } catch {
      Issue.record("\(error)")
    }
  }
}

extension PredicateSyntax {
  static func comparison(_ name: String, _ number: Int64) -> PredicateSyntax {
    PredicateSyntax(
      .comparison(
        ComparisonSyntax(
          left: ExpressionSyntax(.path(PathSyntax(name))), comparator: .equal,
          right: ExpressionSyntax(.literal(.int(number))))))
  }
}
