import Diagnostics
import Glibc
import PredicateLanguage
import Testing

/// What is too deep, too long or too much gives an error, on the small stack of a worker thread too.
@Suite struct LimitTests {
  @Test(arguments: [
    ("", "(", "a == 1"), ("", "NOT ", "a"), ("", "!", "a"), ("a == ", "-(", "1"), ("a == ", "~", "1"),
    ("a == ", "- ", "x"), ("a == ", "{", "1"), ("a == ", "abs(", "1"), ("a == ", "x[", "1"),
    ("a == ", "TERNARY(a == ", "1"), ("", "SUBQUERY(t, $x, ", "a"), ("a == ", "1 + 2 * 3 ** (", "1"),
    ("", "a OR b AND (", "c"), ("a == ", "geoBox(", "1"), ("a IN ", "(", "1"), ("", "NOT (", "b"),
  ])
  func nesting(_ start: String, _ open: String, _ inner: String) {
    onSmallStack {
      for depth in [199, 201, 2_000] {
        let failure = failure(start + String(repeating: open, count: depth) + inner)
        #expect(failure != nil || depth < 201, "\(open) × \(depth)")
        if depth > 201 {
          #expect(failure?.diagnostics.contains { $0.code.name == "nesting-too-deep" } == true, "\(open)")
        }
      }
    }
  }

  @Test(arguments: [
    "EXPLAIN ", "EXPLAIN ANALYZE ", "INSERT Q {\"a\": ", "{\"a\":", "a IN (", "x BETWEEN (", "1 < (", "ANY ",
  ])
  func repeatedNonsenseIsAnError(_ piece: String) {
    onSmallStack {
      for count in [10, 300, 3_000] {
        let text = String(repeating: piece, count: count)
        #expect(failure(text)?.diagnostics.isEmpty == false)
        #expect(statementFailure(text)?.diagnostics.isEmpty == false)
      }
    }
  }

  @Test func aHundredThousandParentheses() {
    onSmallStack {
      let text = String(repeating: "(", count: 100_000)
      #expect(failure(text)?.diagnostics.map(\.code.name) == ["nesting-too-deep"])
    }
  }

  @Test func twoHundredParenthesesAreNotTooDeep() {
    onSmallStack {
      let text = String(repeating: "(", count: 200) + "a == 1" + String(repeating: ")", count: 200)
      #expect(failure(text) == nil)
      #expect(failure("(" + text + ")")?.diagnostics.map(\.code.name) == ["nesting-too-deep"])
    }
  }

  @Test(arguments: [
    ("a == 1", " AND a == 1"), ("a == 1", " OR a == 1"), ("1", " + 1"), ("x", " * 2"), ("x", " ** 2"), ("x", " | 2"),
    ("a", " AND a"), ("a", ".a"), ("a", "[0]"), ("x", " - -1"), ("a AND b", " OR a AND b"), ("1 + 2 * 3", " - 4 / 5"),
  ])
  func chainsOfAnyLength(_ first: String, _ next: String) {
    onSmallStack {
      for count in [10, 1_000, 10_000] {
        let chain = first + String(repeating: next, count: count)
        let text = first.contains("=") || first.contains("A") || first == "a" ? chain : chain + " == 1"
        guard let tree = try? PredicateParser.predicate(text) else {
          Issue.record("\(text.prefix(60)) × \(count) did not parse: \(failure(text)?.description.prefix(300) ?? "")")
          continue
        }
        // Printing, comparing, hashing and freeing a long tree go no deeper than a short one.
        let again = try? PredicateParser.predicate(tree.predicateFormat)
        #expect(again == tree)
        #expect(again?.hashValue == tree.hashValue)
      }
    }
  }

  @Test func tooManyNodes() {
    let text = "a == 1" + String(repeating: " AND a == 1", count: 60_000)
    #expect(failure(text)?.diagnostics.map(\.code.name) == ["too-many-nodes"])
    let list = "x IN {1" + String(repeating: ", 1", count: 120_000) + "}"
    #expect(failure(list)?.diagnostics.map(\.code.name) == ["too-many-nodes"])
  }

  @Test func tooLong() {
    let text = "a == '" + String(repeating: "x", count: 1 << 20) + "'"
    #expect(failure(text)?.diagnostics.map(\.code.name) == ["text-too-long"])
    #expect(failure("a == '" + String(repeating: "x", count: (1 << 20) - 7) + "'") == nil)
  }

  @Test func manyErrorsStopAtTwenty() {
    let text = (1...100).map { _ in "a === 1" }.joined(separator: " AND ")
    #expect(failure(text)?.diagnostics.count == 20)
  }

  @Test func aLongChainOfComparisonsIsOneMistake() {
    let text = String(repeating: "a < ", count: 20_000) + "1"
    #expect(failure(text)?.diagnostics.map(\.code.name) == ["chained-comparison"])
  }

  private func failure(_ text: String) -> DiagnosticError? {
    do {
      _ = try PredicateParser.filter(text)
      return nil
    } catch { return error }
  }

  private func statementFailure(_ text: String) -> DiagnosticError? {
    do {
      _ = try StatementParser.statement(text, defaultEntity: "Quake")
      return nil
    } catch { return error }
  }
}

/// Runs `body` on a thread with the 512 KiB of stack that worker threads have on some systems. Without optimisation
/// every frame is several times as large, and the stack is so here too.
private func onSmallStack(_ body: @escaping () -> Void) {
  final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  #if DEBUG
    pthread_attr_setstacksize(&attributes, 4 << 20)
  #else
    pthread_attr_setstacksize(&attributes, 512 << 10)
  #endif
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  pthread_create(
    &thread, &attributes,
    { raw in
      guard let raw else { return nil }
      Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  pthread_join(thread, nil)
  pthread_attr_destroy(&attributes)
}
