import Diagnostics
import GrammarNotation
import Testing
import Values

@testable import PredicateLanguage

/// How tightly operators bind follows from how the rules are nested; the parser has a table. Both say the same.
@Suite struct PrecedenceTests {
  /// The rules of operators, loosest first: each one's operands are of the next.
  private static let chain = [
    "predicate", "conjunction", "condition", "value", "bit_xor", "bit_and", "shift", "sum", "product", "power",
  ]

  /// The operators of a rule: what stands between operands in its repetition, or, in a condition, the comparators.
  private func operators(_ name: String, _ grammar: Grammar) throws -> Set<String> {
    let rule = try #require(grammar[name])
    var starts: [Pattern] = []
    if name == "condition" {
      starts = [.rule("comparator"), .text("BETWEEN")]
    } else {
      guard case .sequence(let parts) = rule.pattern, case .repetition(.sequence(let step)) = parts.last else {
        Issue.record("\(name) is no chain of operators")
        return []
      }
      #expect(step.last == parts.first, "\(name): both operands are of the same rule")
      starts = [step[0]]
    }
    var found: Set<String> = []
    while let start = starts.popLast() {
      switch start {
      case .text(let text): found.insert(text)
      case .rule(let name) where name != "options" && name != "pattern_options":
        if let rule = grammar[name] { starts.append(rule.pattern) }
      case .optional, .rule: break
      default: starts += start.parts
      }
    }
    return found
  }

  private func level(_ symbol: String) -> Int? {
    var level: Int?
    _ = try? Parser.run("a \(symbol) b", isStatement: false) { (parser: inout Parser) throws(ParseFailure) -> Int in
      let left = ExpressionSyntax(.path(PathSyntax("a")))
      parser.advance()
      level = parser.infixLevel(after: .value(left))
      return 0
    }
    return level
  }

  private func path(_ name: String) -> ExpressionSyntax { ExpressionSyntax(.path(PathSyntax(name))) }

  @Test func theNestingOfTheRulesIsTheTable() throws {
    let grammar = try GrammarFiles.grammar("Predicate")
    var last = 0
    var all: Set<String> = []
    for name in Self.chain {
      let symbols = try operators(name, grammar)
      let levels = Set(symbols.compactMap { level($0) })
      #expect(levels.count == 1, "\(name): \(symbols.sorted())")
      #expect((levels.first ?? 0) > last, "\(name) binds more tightly than what is around it")
      last = levels.first ?? last
      all.formUnion(symbols)
    }
    let wanted = Set(BinaryOperator.allCases.map(\.rawValue) + Comparator.allCases.map(\.rawValue))
    #expect(wanted.subtracting(all).sorted() == [])
  }

  /// The chain above is the one of the grammar: each rule's first operand leads to the next rule.
  @Test func theChainIsThatOfTheGrammar() throws {
    let grammar = try GrammarFiles.grammar("Predicate")
    for (name, next) in zip(Self.chain, Self.chain.dropFirst()) {
      var seen: Set<String> = []
      var open = [name]
      while let rule = open.popLast() {
        guard seen.insert(rule).inserted, rule == name || !Self.chain.contains(rule) else { continue }
        for case .rule(let inner) in grammar[rule]?.pattern.all ?? [] { open.append(inner) }
      }
      #expect(seen.contains(next), "\(name) does not lead to \(next)")
    }
  }

  @Test func operatorsGoFromLeftToRightByTheirLevel() throws {
    let grammar = try GrammarFiles.grammar("Predicate")
    var levels: [(symbol: String, level: Int)] = []
    for (level, name) in Self.chain.enumerated() where level > 2 {
      for symbol in try operators(name, grammar).sorted() { levels.append((symbol, level)) }
    }
    for first in levels {
      for second in levels {
        let text = "a \(first.symbol) b \(second.symbol) c == 0"
        if first.level == second.level {
          // One chain, from left to right.
          let one = try #require(BinaryOperator(rawValue: first.symbol))
          let two = try #require(BinaryOperator(rawValue: second.symbol))
          let (a, b, c) = (path("a"), path("b"), path("c"))
          let comparison = ComparisonSyntax(
            left: .binary(two, .binary(one, a, b), c), comparator: .equal, right: ExpressionSyntax(.literal(.int(0))))
          #expect(try PredicateParser.predicate(text) == PredicateSyntax(.comparison(comparison)), "\(text)")
          continue
        }
        let grouped =
          first.level > second.level
          ? "(a \(first.symbol) b) \(second.symbol) c == 0" : "a \(first.symbol) (b \(second.symbol) c) == 0"
        #expect(try PredicateParser.predicate(text) == PredicateParser.predicate(grouped), "\(text)")
      }
    }
  }
}
