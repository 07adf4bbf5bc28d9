import PredicateLanguage
import Testing
import Values

/// Trees are gone through and made anew without knowing every kind of node.
@Suite struct WalkTests {
  private static let text = """
    ANY tasks[index].name == $x AND (SUBQUERY(tasks, $t, $t.a == 1 AND b > %@).@max.%K < -c OR TERNARY(d, {e, 1}, abs(f)) \
    IN geoBox([g, 1], [2, 3])) AND NOT flag SORT(h + 1 DESC) LIMIT(%d)
    """

  @Test func pathsInTheOrderOfTheText() throws {
    let tree = try PredicateParser.filter(Self.text)
    #expect(
      tree.paths().map(\.description)
        == ["tasks[index].name", "index", "tasks", "$t.a", "b", "c", "d", "e", "f", "g", "flag", "h"])
  }

  @Test func placeholdersInTheOrderOfTheText() throws {
    let tree = try PredicateParser.filter(Self.text)
    let found = tree.placeholders()
    #expect(
      found.map(\.placeholder) == [.named("x"), .sequential(0, "@"), .sequential(1, "K"), .sequential(2, "d")])
    #expect(found.map(\.isName) == [false, false, true, false])
    for reference in found { #expect(reference.range.upperBound > reference.range.lowerBound) }
    #expect(try PredicateParser.predicate("$big AND a").placeholders().map(\.placeholder) == [.named("big")])
  }

  @Test func mappedPaths() throws {
    let tree = try PredicateParser.filter(Self.text)
    let mapped = tree.mapPaths { path in
      guard path.variable == nil, case .name(let name) = path.steps.first?.kind else { return path }
      return PathSyntax(steps: [.init(.name("x_" + name))] + path.steps.dropFirst())
    }
    #expect(
      mapped.paths().map(\.description)
        == [
          "x_tasks[x_index].name", "x_index", "x_tasks", "$t.a", "x_b", "x_c", "x_d", "x_e", "x_f", "x_g", "x_flag",
          "x_h",
        ])
    #expect(tree.mapPaths { $0 } == tree)
  }

  @Test func aRewriterThatDoesNothingGivesTheSame() {
    struct Nothing: SyntaxRewriter {}
    var random = RandomTree(seed: 11)
    var rewriter = Nothing()
    for _ in 0..<500 {
      let tree = random.filter()
      #expect(rewriter.rewrite(tree) == tree)
    }
  }

  @Test func aWalkMayPassOver() throws {
    let tree = try PredicateParser.predicate("a == 1 AND NOT (b == 2 OR c == 3)")
    var seen: [String] = []
    tree.walk { node in
      guard case .predicate(let predicate) = node else { return false }
      seen.append(predicate.predicateFormat)
      if case .not = predicate.kind { return false }
      return true
    }
    #expect(seen == [tree.predicateFormat, "a == 1", "NOT (b == 2 OR c == 3)"])
  }

  @Test func everyNodeIsSeenOnce() throws {
    var random = RandomTree(seed: 5)
    for _ in 0..<200 {
      let tree = random.filter()
      var seen = 0
      tree.walk { _ in
        seen += 1
        return true
      }
      struct Counting: SyntaxRewriter {
        var count = 0
        mutating func rewrite(_ predicate: PredicateSyntax) -> PredicateSyntax {
          count += 1
          return rewriteChildren(of: predicate)
        }
        mutating func rewrite(_ expression: ExpressionSyntax) -> ExpressionSyntax {
          count += 1
          return rewriteChildren(of: expression)
        }
      }
      var counting = Counting()
      _ = counting.rewrite(tree)
      #expect(seen == counting.count)
    }
  }
}
