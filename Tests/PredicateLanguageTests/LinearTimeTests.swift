import Diagnostics
import PredicateLanguage
import Testing

/// Reading and printing take steps in proportion to the text: counted, since a clock tells nothing on a busy machine.
@Suite struct LinearTimeTests {
  @Test(arguments: TextShape.predicates) func predicates(_ shape: TextShape) throws {
    try grows(shape) { text in
      if let tree = try? PredicateParser.filter(text) { #expect(!tree.predicateFormat.isEmpty) }
    }
  }

  @Test(arguments: TextShape.statements) func statements(_ shape: TextShape) throws {
    try grows(shape) { text in
      if let tree = try? StatementParser.statement(text) { #expect(!tree.description.isEmpty) }
      _ = StatementParser.split(text)
    }
  }

  /// Twice the text takes about twice the steps, and there are not very many for each byte.
  private func grows(_ shape: TextShape, _ body: (String) throws -> Void) throws {
    var last: Int?
    for count in [500, 1_000, 2_000, 4_000] {
      let text = shape.text(count)
      guard let steps = try StepCounter.count({ try body(text) }) else { return }
      #expect(steps <= 100 * (text.utf8.count + 50), "\(shape.name) × \(count) takes \(steps) steps")
      if let last { #expect(steps <= last * 23 / 10 + 500, "\(shape.name) × \(count): \(last), then \(steps) steps") }
      last = steps
    }
    #expect(last ?? 0 > 0, "nothing was counted")
  }

  /// What is counted would tell a time that grows with the square.
  @Test func theCountTells() {
    let steps = [1_000, 2_000].compactMap { count in
      StepCounter.count {
        for end in stride(from: 0, to: count, by: 10) {
          _ = try? PredicateParser.filter("a == '" + String(repeating: "x", count: end) + "'")
        }
      }
    }
    if steps.count == 2 { #expect(steps[1] > steps[0] * 3) }
  }
}
