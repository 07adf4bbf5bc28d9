import Diagnostics
import PredicateLanguage
import Testing
import Values

/// Trees made by code are held against the same limits as texts.
@Suite struct TreeLimitTests {
  private static let one = ExpressionSyntax(.literal(.int(1)))
  private static let truth = PredicateSyntax(.constant(true))

  /// Every way to go one level deeper.
  static let layers: [@Sendable (PredicateSyntax) -> PredicateSyntax] = [
    { PredicateSyntax(.not($0)) }, { PredicateSyntax(.and([$0])) }, { PredicateSyntax(.and([$0, truth])) },
    { PredicateSyntax(.not(PredicateSyntax(.or([$0, truth])))) },
    { comparing(ExpressionSyntax(.ternary($0, one, one))) },
    { comparing(ExpressionSyntax(.subquery(PathSyntax("t"), variable: "t", $0, tail: PathSyntax(steps: [])))) },
  ]

  static let expressionLayers: [@Sendable (ExpressionSyntax) -> ExpressionSyntax] = [
    { ExpressionSyntax(.unary(.negate, $0)) }, { ExpressionSyntax(.unary(.complement, $0)) },
    { ExpressionSyntax(.call("abs", [$0])) }, { ExpressionSyntax(.list([$0])) },
    { ExpressionSyntax(.point([one, $0])) },
    { ExpressionSyntax(.arithmetic(one, [ArithmeticStep(.add, $0)])) },
    { ExpressionSyntax(.call("sum", [one, ExpressionSyntax(.arithmetic($0, [ArithmeticStep(.power, one)]))])) },
    { ExpressionSyntax(.path(PathSyntax(steps: [.init(.name("a")), .init(.index($0))]))) },
    { ExpressionSyntax(.shape(.box($0, one))) },
    { ExpressionSyntax(.shape(.circle(center: one, radius: $0, unit: nil))) },
    { ExpressionSyntax(.shape(.polygon(outer: [one], holes: [[$0]]))) },
  ]

  private static func comparing(_ value: ExpressionSyntax) -> PredicateSyntax {
    PredicateSyntax(.comparison(ComparisonSyntax(left: value, comparator: .equal, right: one)))
  }

  @Test(arguments: layers.indices) func predicatesTooDeep(_ layer: Int) {
    var tree = Self.truth
    for depth in 1...2_000 {
      tree = Self.layers[layer](tree)
      if depth == 50 { #expect(SyntaxLimits.violation(of: tree) == nil) }
    }
    check(SyntaxLimits.violation(of: tree), tree.predicateFormat)
  }

  @Test(arguments: expressionLayers.indices) func expressionsTooDeep(_ layer: Int) {
    var tree = Self.one
    for depth in 1...2_000 {
      tree = Self.expressionLayers[layer](tree)
      if depth == 50 { #expect(SyntaxLimits.violation(of: tree) == nil) }
    }
    check(SyntaxLimits.violation(of: tree), tree.predicateFormat)
    let filter = FilterSyntax(predicate: nil, tails: [.distinct([tree])])
    #expect(SyntaxLimits.violation(of: filter)?.code == .nestingTooDeep)
    // A walk has no depth of its own.
    var seen = 0
    tree.walk { _ in
      seen += 1
      return true
    }
    #expect(seen > 2_000)
  }

  private func check(_ violation: Diagnostic?, _ text: String) {
    #expect(violation?.code == .nestingTooDeep)
    #expect(violation?.range != nil)
    #expect(text.contains("200 deep") && text.utf8.count < 200, "\(text.prefix(100))")
    #expect(throws: DiagnosticError.self) { try PredicateParser.filter(text) }
  }

  @Test func theDeepestTextIsNotTooDeepATree() throws {
    for (head, open, inner, close) in [
      ("", "NOT ", "a == 1", ""), ("x == ", "-(", "y", ")"), ("1 == ", "abs(", "1", ")"), ("1 == ", "{", "1", "}"),
      ("1 == ", "a[", "1", "]"), ("", "a OR (b AND (", "c", "))"), ("2 == ", "TERNARY(a == ", "1", ", 1, 1)"),
      ("", "NOT (", "a OR b", ")"), ("1 == ", "1 + 2 * (", "1", ")"), ("", "NOT (x OR NOT (", "NONE a == 1", "))"),
      ("", "a == TERNARY(NONE b == -(", "c", "), 1, 2)"),
    ] {
      var deepest: PredicateSyntax?
      for depth in 1...201 {
        let text = head + String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
        guard let tree = try? PredicateParser.predicate(text) else { continue }
        deepest = tree
        #expect(SyntaxLimits.violation(of: tree) == nil, "\(text)")
      }
      // And what it prints is no deeper than it was.
      let tree = try #require(deepest, "\(open)")
      #expect(try PredicateParser.predicate(tree.predicateFormat) == tree)
    }
  }

  @Test func tooManyNodes() {
    let list = ExpressionSyntax(.list(Array(repeating: Self.one, count: 100_000)))
    #expect(SyntaxLimits.violation(of: list)?.code == .tooManyNodes)
    let chain = PredicateSyntax(.and(Array(repeating: Self.truth, count: 99_999)))
    #expect(SyntaxLimits.violation(of: chain) == nil)
  }

  @Test func longListsAreOneNode() {
    let value = Value.list(Array(repeating: .int(1), count: SyntaxLimits.listElements))
    #expect(SyntaxLimits.violation(of: ExpressionSyntax(.literal(value))) == nil)
    let longer = Value.list(Array(repeating: .int(1), count: SyntaxLimits.listElements + 1))
    #expect(SyntaxLimits.violation(of: ExpressionSyntax(.literal(longer)))?.code == .listTooLong)
    var deep = Value.list([])
    for _ in 0..<1_000 { deep = .list([deep]) }
    #expect(SyntaxLimits.violation(of: ExpressionSyntax(.literal(deep)))?.code == .nestingTooDeep)
  }
}
