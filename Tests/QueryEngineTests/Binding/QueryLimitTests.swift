import Diagnostics
import Glibc
import PredicateLanguage
import Schema
import Storage
import Synchronization
import Testing
import Values

@testable import QueryEngine

/// What is too deep or too much is refused before anything goes into it, wherever it comes from.
@Suite struct QueryLimitTests {
  private static let one = ExpressionSyntax(.literal(.int(1)))

  private func failure(
    _ filter: FilterSyntax, _ arguments: Arguments = Arguments(), definitions: [String: PredicateSyntax] = [:]
  ) throws -> DiagnosticError? {
    let store = try TestStore(.int, [.int(1), .int(2)])
    do {
      var description = QueryDescription(entity: store.entityName)
      try description.append(filter, SourceContext(source: "", arguments: arguments, definitions: definitions))
      let query = try CompiledQuery(description, schema: try store.file.beginSnapshot().schema)
      let snapshot = try store.file.beginSnapshot()
      _ = try query.plan(in: snapshot).objects(in: snapshot)
      return nil
    } catch let error as DiagnosticError { return error }
  }

  /// Binding ten thousand conditions ends soon after the caller no longer waits, and so does planning them.
  @Test func bindingAndPlanningAreCancelled() throws {
    let store = try TestStore(.int, (0..<300).map { .int($0) })
    let text = (0..<10_000).map { "x != \($0 + 1_000)" }.joined(separator: " AND ")
    var description = QueryDescription(entity: store.entityName)
    try description.append(try PredicateParser.filter(text), SourceContext(source: text))
    let snapshot = try store.file.beginSnapshot()
    func steps(_ isCancelled: (@Sendable () -> Bool)?) throws -> Int? {
      try StepCounter.count {
        _ = try CompiledQuery(description, schema: snapshot.schema, isCancelled: isCancelled)
      }
    }
    guard let all = try steps(nil), let few = try steps({ true }) else {
      return print("SKIPPED: steps are not counted")
    }
    #expect(all >= 10_000 && few < all / 2)
    // Every poll may be the last one: nothing after it takes long.
    let query = try CompiledQuery(description, schema: snapshot.schema)
    let polls = Mutex(0)
    for last in [1, 2, 5, 20, 100] {
      polls.withLock { $0 = 0 }
      let options = PlannerOptions(
        access: .scanOnly,
        isCancelled: {
          polls.withLock {
            $0 += 1
            return $0 >= last
          }
        })
      #expect(throws: QueryCancelled.self) { try query.plan(in: snapshot, options: options).count(in: snapshot) }
      #expect(polls.withLock { $0 } < last + 5)
    }
  }

  @Test func treesTooDeep() throws {
    var predicate = PredicateSyntax(.truth(ExpressionSyntax(.path(PathSyntax("x")))))
    for _ in 0..<2_000 { predicate = PredicateSyntax(.not(predicate)) }
    #expect(try failure(FilterSyntax(predicate: predicate))?.diagnostics.map(\.code) == [.nestingTooDeep])
    var value = Self.one
    for _ in 0..<2_000 { value = ExpressionSyntax(.call("abs", [value])) }
    let sort = FilterSyntax(predicate: nil, tails: [.sort([SortKeySyntax(value)])])
    #expect(try failure(sort)?.diagnostics.map(\.code) == [.nestingTooDeep])
    let limit = FilterSyntax(predicate: nil, tails: [.window(offset: nil, limit: value)])
    #expect(try failure(limit)?.diagnostics.map(\.code) == [.nestingTooDeep])
  }

  /// As deep as the language allows goes through the binder, the planner and execution on a worker's small stack.
  @Test func deepButNotTooDeep() {
    onSmallStack {
      for (head, open, inner, close) in [
        ("", "NOT ", "x == 1", ""), ("x == ", "abs(", "x", ")"), ("", "x > 0 AND (x < 9 OR (", "x == 1", "))"),
        ("1 == ", "TERNARY(x == ", "1", ", 1, 2)"), ("x == ", "1 + 2 * (", "x", ")"), ("x == ", "-(", "x", ")"),
      ] {
        var deepest = 0
        for depth in [66, 99, 199, 200] {
          let text = head + String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
          guard let tree = try? PredicateParser.filter(text) else { continue }
          deepest = depth
          do {
            let error = try failure(tree)
            #expect(error == nil, "\(error?.description.prefix(300) ?? "")")
          } catch { Issue.record("\(error)") }
        }
        #expect(deepest >= 66)
      }
    }
  }

  /// Thirty definitions that each name the one before twice are a thousand million comparisons.
  @Test func definitionsThatMultiply() throws {
    var definitions = ["d0": try PredicateParser.predicate("x == 1")]
    for number in 1...30 {
      definitions["d\(number)"] = try PredicateParser.predicate("$d\(number - 1) OR NOT $d\(number - 1)")
    }
    let tree = try PredicateParser.filter("$d30")
    let error = try #require(try failure(tree, definitions: definitions))
    #expect(error.diagnostics.first?.code == .tooManyNodes)
    #expect(error.diagnostics.first?.range == SourceRange(0, 4))
    #expect(error.diagnostics.count < 25)
    #expect(try failure(try PredicateParser.filter("$d5"), definitions: definitions) == nil)
  }

  @Test func definitionsThatNest() throws {
    let deep = String(repeating: "NOT ", count: 150)
    var definitions = ["d0": try PredicateParser.predicate(deep + "x == 1")]
    for number in 1...50 { definitions["d\(number)"] = try PredicateParser.predicate(deep + "$d\(number - 1)") }
    let error = try #require(try failure(try PredicateParser.filter("$d50"), definitions: definitions))
    #expect(error.diagnostics.map(\.code) == [.nestingTooDeep])
    #expect(try failure(try PredicateParser.filter("$d0"), definitions: definitions) == nil)
  }

  /// A long definition that is named very often is measured until it is too much, and that is said once.
  @Test func definitionsNamedOften() throws {
    let long = (0..<20_000).map { "x == \($0)" }.joined(separator: " OR ")
    let definitions = ["d": try PredicateParser.predicate(long)]
    let text = Array(repeating: "NOT $d", count: 20_000).joined(separator: " OR ")
    let error = try #require(try failure(try PredicateParser.filter(text), definitions: definitions))
    #expect(error.diagnostics.map(\.code) == [.tooManyNodes])
  }

  /// A chain of names is nested, and no circle.
  @Test func definitionsInAChain() throws {
    var definitions = ["d0": try PredicateParser.predicate("x == 1")]
    for number in 1...2_000 { definitions["d\(number)"] = try PredicateParser.predicate("$d\(number - 1) AND x > 0") }
    #expect(try failure(try PredicateParser.filter("$d35"), definitions: definitions) == nil)
    let error = try #require(try failure(try PredicateParser.filter("$d2000"), definitions: definitions))
    #expect(error.diagnostics.map(\.code) == [.nestingTooDeep])
  }

  @Test func listsAsArguments() throws {
    let tree = try PredicateParser.filter("x IN %@")
    func list(_ count: Int) -> Arguments { Arguments([.list(Array(repeating: .int(1), count: count))]) }
    #expect(try failure(tree, list(SyntaxLimits.listElements)) == nil)
    let error = try #require(try failure(tree, list(SyntaxLimits.listElements + 1)))
    #expect(error.diagnostics.map(\.code) == [.listTooLong])
    #expect(error.diagnostics.first?.range == SourceRange(5, 7))
  }

  @Test func twentyErrorsAreEnough() throws {
    let text = (0..<20_000).map { "nothing\($0) == 1" }.joined(separator: " OR ")
    let store = try TestStore(.int, [])
    let error = try #require(throws: DiagnosticError.self) { try store.compile(text) }
    #expect(error.diagnostics.count == 20)
  }

  /// The type of `---…x` is asked for once at each sign; twice at each would be more than a life is long.
  @Test func manySigns() throws {
    let store = try TestStore(.float, [.float(1)])
    let x = String(repeating: "-(", count: 99) + "x" + String(repeating: ")", count: 99)
    #expect(try store.rows("\(x) < 0 AND -TERNARY(TRUE, \(x), 1) > 0") == [0])
  }

  /// Binding takes steps in proportion to the tree.
  @Test(arguments: [
    ("x == 1", " AND x > 2"), ("x == 1", " OR NOT x IN {1, 2}"), ("x == 1", " + 1"), ("x IN {1", ", 2 + 3"),
    ("x == abs(1)", " OR abs(x) == 2"), ("nothing == 1", " OR nothing == 1"), ("x == 'a'", " OR x == 'a'"),
  ])
  func bindingIsLinear(_ start: String, _ piece: String) throws {
    let store = try TestStore(.int, [])
    var last: Int?
    for count in [250, 500, 1_000, 2_000] {
      let text = start + String(repeating: piece, count: count) + (start.contains("{") ? "}" : "")
      let tree = try PredicateParser.filter(text)
      let steps = StepCounter.count {
        var description = QueryDescription(entity: store.entityName)
        try? description.append(tree, SourceContext(source: text))
        guard let schema = try? store.file.beginSnapshot().schema else { return }
        _ = try? CompiledQuery(description, schema: schema)
      }
      guard let steps else { return }
      #expect(steps > count, "nothing was counted")
      if let last { #expect(steps <= last * 23 / 10 + 100, "\(last), then \(steps) steps") }
      last = steps
    }
  }
}
