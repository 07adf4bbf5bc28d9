import Diagnostics
import PredicateLanguage
import Testing

/// Parsing ends soon after nobody waits for it any more, and never with the tree of a part of the text.
@Suite struct ParseInterruptionTests {
  private static let clauses = (0..<6_000).map { "number == \($0)" }.joined(separator: " OR ")

  /// Texts of more than 64 KiB, of which a beginning is valid too, and some that are wrong.
  private static let texts: [(name: String, text: String)] = [
    ("clauses", "Note WHERE " + clauses),
    ("a list", "Note WHERE number IN {" + (0..<20_000).map(String.init).joined(separator: ", ") + "}"),
    ("columns", "Note SELECT " + (0..<9_000).map { "number + \($0)" }.joined(separator: ", ")),
    ("JSON", "INSERT Note {\"list\": [" + (0..<20_000).map(String.init).joined(separator: ", ") + "]}"),
    ("an open bracket", "Note WHERE (" + clauses),
    ("a missing semicolon", "Note WHERE " + clauses + "\nNote WHERE x == 1"),
    ("no statement", String(repeating: "x ) ", count: 20_000)),
  ]

  private static func parse(_ text: String, _ interruption: ParseInterruption?) throws(DiagnosticError) -> String {
    "\(try StatementParser.statement(text, interruption: interruption))"
  }

  @Test(arguments: texts.map(\.name))
  func itEndsAtAnyQuestion(_ name: String) throws {
    let text = try #require(Self.texts.first { $0.name == name }).text
    func outcome(_ interruption: ParseInterruption?) -> Result<String, DiagnosticError> {
      Result { () throws(DiagnosticError) in try Self.parse(text, interruption) }
    }
    let whole = outcome(nil)
    var all = 0
    let patient = ParseInterruption {
      all += 1
      return false
    }
    // Questions change nothing.
    #expect("\(outcome(patient))" == "\(whole)")
    #expect(!patient.isInterrupted && all >= text.utf8.count / ParseInterruption.interval - 1)
    for limit in Set([0, 1, all / 2, all - 1]) {
      var asked = 0
      let interruption = ParseInterruption {
        asked += 1
        return asked > limit
      }
      guard case .failure(let error) = outcome(interruption) else {
        Issue.record("\(name): a tree of a part of the text, after \(limit) of \(all)")
        continue
      }
      #expect(interruption.isInterrupted && error.diagnostics.isEmpty)
      #expect(asked == limit + 1, "\(name) asks on though it was told to stop")
    }
  }

  /// Between two questions lies a bounded part of the text, and so does the work.
  @Test(arguments: texts.map(\.name))
  func theWorkBetweenTwoQuestionsIsBounded(_ name: String) throws {
    let text = try #require(Self.texts.first { $0.name == name }).text
    let counter = StepCounter()
    var last = 0
    var most = 0
    let interruption = ParseInterruption {
      most = max(most, counter.steps - last)
      last = counter.steps
      return false
    }
    StepCounter.$current.withValue(counter) { _ = try? Self.parse(text, interruption) }
    #expect(counter.steps > text.utf8.count)
    most = max(most, counter.steps - last)
    #expect(most <= 24 * ParseInterruption.interval, "\(most) of \(counter.steps)")
  }

  @Test func theReasonIsKept() {
    struct Late: Error {}
    let interruption = ParseInterruption { throw Late() }
    #expect(throws: DiagnosticError.self) { try Self.parse("Note WHERE " + Self.clauses, interruption) }
    #expect(interruption.isInterrupted && interruption.reason is Late)
  }

  /// A person types no such text, and each round of reading it as SQL would parse it once more.
  @Test func aLongTextIsNotReadAsSQL() {
    let select = "SELECT number FROM Note WHERE number = 1"
    #expect(StatementParser.reading(of: select) != nil)
    let long = select + (0..<2_000).map { " OR number = \($0)" }.joined()
    #expect(StatementParser.reading(of: long) == nil)
  }
}
