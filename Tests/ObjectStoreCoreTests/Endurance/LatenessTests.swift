import Diagnostics
import Foundation
import Glibc
import PredicateLanguage
import Synchronization
import Testing

@testable import ObjectStoreCore

/// A statement ends soon after nobody waits for it any more, whatever it is at: between two questions whether to go on it
/// does a bounded amount of work. Here are the statements that once went on for long.
///
/// The suite counts the work. `LATENESS=1` in the environment measures the time too, and prints it.
@Suite(.serialized) struct LatenessTests {
  /// What a statement does between two questions, and in all.
  private struct Gaps {
    var questions = 0
    /// The most steps between two questions.
    var steps = 0
    var allSteps = 0
    /// The longest time between two questions, and the longest that this process had a processor between two.
    var time = Duration.zero
    var processorTime = Duration.zero
    /// The question that `processorTime` ended with.
    var slowest = 0

    /// For the report.
    var figures: String {
      func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = (seconds * 10_000 + attoseconds / 100_000_000_000_000)
        return "\(tenths / 10).\(tenths % 10) ms"
      }
      return "at most \(milliseconds(time)) late, of which \(milliseconds(processorTime)) at work (before question "
        + "\(slowest) of \(questions))"
    }
  }

  private static func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static let measuresTime = ProcessInfo.processInfo.environment["LATENESS"] != nil

  /// The most steps between two questions: bytes lexed, tokens, nodes, rows, keys of a row. They take some milliseconds.
  private static let bound = 300_000

  private static let store = Result {
    let store = try Store.inMemory(
      schema: SchemaText.parse(
        """
        @Model struct Note { var number: Int; var name: String; var text: String? }
        """))
    try store.write { transaction in
      let notes = try transaction.inserter(for: "Note")
      for number in 0..<2_000 {
        _ = try notes.append([.int(Int64(number)), .string("note \(number % 700)"), .null])
      }
    }
    return store
  }

  /// An object with a text of many megabytes, which each function takes at once.
  private static let longTexts = Result {
    let store = try Store.inMemory(schema: SchemaText.parse("@Model struct Note { var number: Int; var text: String }"))
    let size = measuresTime ? 24 << 20 : 4 << 20
    try store.write { transaction in
      let notes = try transaction.inserter(for: "Note")
      _ = try notes.append([.int(1), .string(String(repeating: "Größe ab ", count: size / 11))])
      _ = try notes.append([.int(2), .string(String(repeating: "abcdefgh", count: size / 8))])
    }
    return store
  }

  private static let functions: [(name: String, text: String)] = [
    ("lowercase", "Note SELECT number, length(lowercase(text))"),
    ("uppercase", "COUNT Note WHERE uppercase(text) == 'A'"),
    ("LIKE", "COUNT Note WHERE text LIKE '*b*ba*x?c*z'"), ("LIKE[cd]", "COUNT Note WHERE text LIKE[cd] '*b*ba*x?c*z'"),
    ("CONTAINS[cd]", "COUNT Note WHERE text CONTAINS[cd] 'grösse c'"), ("==[c]", "COUNT Note WHERE text ==[c] 'größe'"),
    ("replace", "Note SELECT length(replace(text, 'b', 'c'))"), ("trim", "Note SELECT length(trim(text))"),
    ("substring", "Note SELECT substring(text, 1000000, 20)"), ("CONTAINS", "COUNT Note WHERE text CONTAINS 'nowhere'"),
    ("SORT BY text", "Note SORT BY lowercase(text) SELECT number"),
    ("GROUP BY text", "Note GROUP BY text SELECT @count"),
    ("SET text", "UPDATE Note SET text = lowercase(text) WHERE number == 1"),
  ]

  private static func listed(_ count: Int, _ separator: String = ", ", _ item: (Int) -> String) -> String {
    (0..<count).map(item).joined(separator: separator)
  }

  private static let keys = 3_000
  private static let blanks = String(repeating: " ", count: 20)

  /// The statements, by name. A comment is skipped byte by byte, in a millisecond.
  private static let statements: [(name: String, text: String)] = [
    // As many parts as a text may have, and as many bytes.
    ("a text of 1 MiB", "COUNT Note WHERE " + listed(24_900, " OR ") { "number \(blanks) == \(100_000 + $0)" }),
    ("a comment of 1 MiB", "COUNT Note /* \(String(repeating: "x ", count: 500_000)) */"),
    (
      "a wrong text of 1 MiB",
      "COUNT Note WHERE " + listed(24_900, " OR ") { "number \(blanks) == \(100_000 + $0)" } + " OR"
    ),
    ("a list of 1 MiB", "COUNT Note WHERE number IN {" + listed(90_000) { "\(100_000 + $0)" } + "}"),
    ("a sum of 16,600", "COUNT Note WHERE 0 < " + listed(16_600, " + ") { "number * \($0)" }),
    ("10,000 conditions", "COUNT Note WHERE " + listed(10_000, " AND ") { "number * \($0) != \($0 + 7)" }),
    ("SORT by many keys", "Note SORT BY " + listed(keys) { "number + \($0)" }),
    ("SORT by many texts", "Note SORT BY " + listed(keys) { "substring(name, \($0 % 9))" } + " SELECT number"),
    ("GROUP BY many keys", "Note GROUP BY " + listed(keys) { "number + \($0)" } + " SELECT @count"),
    (
      "GROUP BY many texts",
      "Note GROUP BY " + listed(keys) { "substring(name, \($0 % 9 + 1), \($0))" } + " SELECT @count"
    ),
    ("many aggregates", "Note GROUP BY name SELECT " + listed(keys) { "@max.number + \($0)" }),
    ("DISTINCT by many keys", "Note DISTINCT " + listed(keys) { "number + \($0)" }),
    ("many columns", "Note SELECT " + listed(keys) { "number + \($0)" }),
    ("many sections", "Note WHERE number + 1 > 0 SECTIONS BY name"),
  ]

  /// Runs a statement to its end, with everything it finds.
  private static func run(
    _ text: String, _ arguments: Arguments = Arguments(), _ cancellation: Cancellation, in store: Store
  ) throws {
    switch try store.run(text, arguments: arguments, cancellation: cancellation) {
    case .objects(let objects): _ = try objects.cancellable(by: cancellation).ids
    case .rows(let rows): try rows.cancellable(by: cancellation).forEachFlat { _ in }
    case .sections(let sections): try sections.cancellable(by: cancellation).forEach { _ in }
    case .count, .explanation, .changed, .schemaChanged, .none: break
    }
  }

  /// What is done between the questions of a statement.
  private static func gaps(_ text: String, _ arguments: Arguments = Arguments(), in store: Store) throws -> Gaps {
    let gaps = Mutex(Gaps())
    let counter = StepCounter()
    let clock = ContinuousClock()
    let last = Mutex((steps: 0, time: clock.now, processor: processorTime()))
    let note: @Sendable () -> Void = {
      let now = (steps: counter.steps, time: clock.now, processor: processorTime())
      let before = last.withLock { last in
        defer { last = now }
        return last
      }
      gaps.withLock { gaps in
        gaps.questions += 1
        gaps.steps = max(gaps.steps, now.steps - before.steps)
        gaps.time = max(gaps.time, now.time - before.time)
        gaps.allSteps = now.steps
        guard now.processor - before.processor > gaps.processorTime else { return }
        gaps.processorTime = now.processor - before.processor
        gaps.slowest = gaps.questions
      }
    }
    let cancellation = Cancellation(onCheck: {
      note()
      return false
    })
    try StepCounter.$current.withValue(counter) {
      do { try run(text, arguments, cancellation, in: store) } catch is QueryError where text.hasSuffix(" OR") {}
    }
    note()
    return gaps.withLock(\.self)
  }

  @Test func theWorkBetweenTwoQuestionsIsBounded() throws {
    let store = try Self.store.get()
    for (name, text) in Self.statements {
      let gaps = try Self.gaps(text, in: store)
      #expect(gaps.allSteps > Self.bound || gaps.questions > 20, "\(name) is no long work: \(gaps)")
      #expect(gaps.steps <= (name.contains("comment") ? 8 * Self.bound : Self.bound), "\(name): \(gaps)")
      if Self.measuresTime {
        print("lateness: \(name): \(gaps.figures)")
      }
    }
  }

  /// The functions that take longest are done in parts. The others take a millisecond for a megabyte at most.
  @Test func aLongTextIsNotOnePiece() throws {
    let store = try Self.longTexts.get()
    for (name, text) in Self.functions {
      let gaps = try Self.gaps(text, in: store)
      if ["lowercase", "uppercase", "LIKE", "LIKE[cd]", "CONTAINS[cd]", "replace", "SET text"].contains(name) {
        #expect(gaps.questions > 40, "\(name): \(gaps)")
      }
      if Self.measuresTime { print("lateness: \(name) of 24 MB: \(gaps.figures)") }
    }
    if Self.measuresTime {
      let pattern = "COUNT Note WHERE text MATCHES '(a|b|c)*[d-h]*x.*y'"
      let list = Arguments([.list((0..<1_000_000).map { .int(Int64($0 &* 7_919 % 1_000_003) + 10_000) })])
      let query = "COUNT Note WHERE number IN %@"
      print("lateness: 1,000,000 elements: \(try Self.gaps(query, list, in: Self.store.get()).figures)")
      print("lateness: MATCHES of 24 MB, which is one piece: \(try Self.gaps(pattern, in: store).figures)")
    }
  }

  /// Once told to stop, it does, and says so.
  @Test func everyStatementIsStopped() throws {
    let store = try Self.store.get()
    for (name, text) in Self.statements {
      let asked = Atomic(0)
      let all = try Self.gaps(text, in: store).questions
      for limit in Set([0, all / 3, all * 2 / 3]) {
        asked.store(0, ordering: .relaxed)
        let cancellation = Cancellation(onCheck: { asked.add(1, ordering: .relaxed).newValue > limit })
        #expect(throws: QueryCancelled.self, "\(name), after \(limit) of \(all)") {
          try Self.run(text, Arguments(), cancellation, in: store)
        }
      }
    }
  }
}
