import Foundation
import Testing

/// Files that are made to take long or much memory, and values beyond the limits of the store. The limit of time is one that
/// only work which grows with the square of the names exceeds.
@Suite(.timeLimit(.minutes(2))) struct HostileImportTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  private func load(_ name: String, _ text: String, _ words: String...) throws -> Command.Outcome {
    try Command.run(["import", store, try workshop.file(name, text), "Thing"] + words)
  }

  /// Two hundred thousand names are refused at the first that is too many.
  @Test(arguments: ["wide.json", "wide.jsonl"]) func aVeryWideObject(_ name: String) throws {
    let object = "{" + (0..<200_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}\n"
    let outcome = try load(name, object)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("line 1: 'k4096' is one name too many"), "\(outcome.errors)")
    #expect(outcome.errors.contains("more than 4096 columns, the limit 'columns'"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  /// Names that come one by one, each in another object.
  @Test func manyNamesInManyObjects() throws {
    let rows = (0..<5_000).map { "{\"a\":1,\"k\($0)\":\($0)}\n" }.joined()
    let outcome = try load("rows.jsonl", rows)
    #expect(outcome.status == 1 && outcome.errors.contains("line 4,096: 'k4095' is one name too many"), "\(outcome)")
  }

  @Test func aWideObjectWithinADictionary() throws {
    let names = (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let schema = try workshop.file("s.swift", "@Model struct Thing { var d: [String: Int] }")
    let outcome = try load("d.jsonl", "{\"d\":{\(names)}}\n", "--schema", schema)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Command.run([store, "-c", "COUNT Thing WHERE d['k49999'] == 49999"]).output == "1\n")
  }

  @Test func namesThatNoPropertyHas() throws {
    let names = (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let schema = try workshop.file("s.swift", "@Model struct Thing { var n: Int }")
    let outcome = try load("d.jsonl", "{\"n\":1,\(names)}\n", "--schema", schema)
    #expect(outcome.status == 0 && outcome.errors.contains(", k19 and 49,980 more\n"), "\(outcome.errors.prefix(300))")
  }

  @Test func theColumnsThatAreAllowed() throws {
    let outcome = try load("x.jsonl", "{\"a\":1,\"b\":2,\"c\":3}\n", "--limit-columns", "2")
    #expect(outcome.status == 1 && outcome.errors.contains("--limit-columns"), "\(outcome.errors)")
  }

  @Test func valuesBeyondTheLimitsAreBadRows() throws {
    let rows = "{\"t\":\"short\",\"l\":[1]}\n{\"t\":\"much too long\",\"l\":[1]}\n{\"t\":\"x\",\"l\":[1,2,3]}\n"
    let outcome = try load("x.jsonl", rows, "--limit-value", "10", "--limit-elements", "2")
    #expect(outcome.status == 1 && outcome.errors.contains("2 bad rows"), "\(outcome.errors)")
    #expect(try Command.run([store, "-c", "COUNT Thing"]).output == "1\n")
  }

  /// They would be taken and do nothing.
  @Test func anImportRefusesTheLimitsOfQueries() throws {
    for option in ["--limit-rows", "--limit-memory"] {
      let outcome = try load("x.jsonl", "{\"a\":1}\n", option, "1000")
      #expect(outcome.status == 64 && outcome.errors.contains("\(option) limits queries"), "\(outcome)")
    }
  }

  /// The time of an import is limited, by the subcommand and in the shell; what was committed by then stays.
  @Test func anImportEndsWithItsTime() throws {
    let rows = (0..<300_000).map { "{\"n\":\($0)}\n" }.joined()
    let file = try workshop.file("many.jsonl", rows)
    for words in [
      ["import", store, file, "Many", "--timeout", "1"],
      [store, "--create", "--timeout", "1", "-c", ".import \(file) Many"],
    ] {
      let outcome = try Command.run(words)
      #expect(outcome.status == 124 && outcome.errors.contains("stopped after 1 ms"), "\(outcome)")
      #expect(outcome.errors.contains("Many"), "\(outcome)")
    }
    #expect(try Command.run(["import", store, file, "Many", "--timeout", "0"]).status == 64)
    let whole = try Command.run(["import", store, file, "Many", "--timeout", "600000"])
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(try Command.run([store, "-c", "COUNT Many"]).output == "300000\n")
  }

  @Test func limitsOfQueries() throws {
    _ = try load("x.jsonl", (0..<1_000).map { "{\"n\":\($0)}\n" }.joined())
    let rows = try Command.run([store, "--limit-rows", "10", "-c", "Thing"])
    #expect(rows.status == 1 && rows.errors.contains("more than 10 rows, the limit 'rows'"), "\(rows)")
    #expect(try Command.run([store, "--limit-rows", "10", "-c", "Thing LIMIT 10"]).status == 0)
    let memory = try Command.run([store, "--limit-memory", "1K", "-c", "Thing SORT BY n"])
    #expect(memory.status == 1 && memory.errors.contains("more than 1024 bytes of memory"), "\(memory)")
    #expect(try Command.run([store, "--limit-memory", "1M", "-c", "COUNT Thing WHERE n > 3"]).status == 0)
    #expect(try Command.run([store, "--limit-memory", "lots", "-c", "Thing"]).status == 64)
  }

  /// Values on the command line are values, whatever is in them.
  @Test func parametersChangeNoStatement() throws {
    let texts = [
      "' OR 1 == 1; DELETE Thing; --", "%@", "$p", "\\' OR '1'=='1", "a\u{200D}b", "-- x", "TRUE", "\"", "}",
    ]
    let rows = try texts.map { text in
      String(decoding: try JSONSerialization.data(withJSONObject: ["t": text]), as: UTF8.self)
    }
    _ = try load("x.jsonl", rows.joined(separator: "\n"))
    for text in texts {
      let named = try Command.run([store, "-p", "p=\(text)", "-c", "COUNT Thing WHERE t == $p"])
      #expect(named.output == "1\n", "\(text): \(named)")
      let positional = try Command.run([store, "--arg", text, "-c", "COUNT Thing WHERE t == %@"])
      #expect(positional.output == "1\n", "\(text): \(positional)")
    }
  }
}
