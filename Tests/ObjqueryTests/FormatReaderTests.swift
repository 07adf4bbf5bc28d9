import Foundation
import TestSeeds
import Testing

/// A reader in another language, written by the page *File format* alone, finds in a store what `objquery` finds.
@Suite struct FormatReaderTests {
  private static let reader = Command.root.appendingPathComponent("Tools/format-reader")

  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  /// Where Python is; nil, and said, where it is not.
  private static func python() throws -> URL? {
    for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
      let path = folder + "/python3"
      if FileManager.default.isExecutableFile(atPath: String(path)) { return URL(fileURLWithPath: String(path)) }
    }
    print("SKIPPED: the independent reader of the file format: there is no python3")
    return nil
  }

  private func run(_ arguments: String...) throws -> String {
    let outcome = try Command.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome.output
  }

  @Test func findsTheSameObjects() throws {
    guard let python = try Self.python() else { return }
    var objects = RandomObjects(seed: testSeed())
    let schema = try workshop.file("schema.swift", RandomObjects.schema)
    let first = try workshop.file("first.jsonl", objects.lines(700))
    _ = try run("import", "--quiet", store, first, "Thing", "--schema", schema)
    // Deleted objects, a cluster without any, changed values, and a property that the first objects lack.
    let gone = "b IN {1, 2, 3} OR flag == flagged OR serial BETWEEN {257, 512}"
    _ = try run(store, "--yes", "-c", "DELETE Thing WHERE \(gone)")
    _ = try run(store, "-c", "UPDATE Thing SET text = 'changed', n = 5 WHERE b > 20000")
    let more = RandomObjects.schema.replacing("\n}\n", with: "; var added = 7\n}\n")
    let later = try workshop.file("later.swift", more)
    let second = try workshop.file("second.jsonl", objects.lines(300))
    _ = try run("import", "--quiet", store, second, "Thing", "--schema", later)

    let expected = try run("-m", "jsonl", store, "-c", "Thing").split(separator: "\n")
    let ids = try run("-m", "ids", store, "-c", "Thing").split(separator: "\n")
    let outcome = try Command.run(python, [Self.reader.path, store, "Thing"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let found = outcome.output.split(separator: "\n")
    #expect(found.count == expected.count && expected.count == ids.count && expected.count > 300)
    for (number, (id, line)) in zip(ids, expected).enumerated() where number < found.count {
      let whole = "{\"@id\":\(id),\(line.dropFirst())"
      guard found[number] == whole else {
        let common = zip(found[number], whole).prefix { $0 == $1 }.count
        Issue.record(
          """
          object \(id) differs after …\(whole.prefix(common).suffix(60))
          objquery: \(whole.dropFirst(common).prefix(80))
          reader:   \(found[number].dropFirst(common).prefix(80))
          """)
        break
      }
    }
    let counts = try Command.run(python, [Self.reader.path, store])
    #expect(counts.output == "{\"entity\":\"Thing\",\"objects\":\(expected.count)}\n")
  }

  /// Without comparing, the commit before would be taken for the newest.
  @Test func comparesTheNumbersOfMetaPagesWithThoseOfTheirTrees() throws {
    guard let python = try Self.python() else { return }
    let rows = try workshop.file("rows.jsonl", "{\"a\":1}\n")
    _ = try run("import", "--quiet", store, rows, "Thing")
    for _ in 0..<4 { _ = try run(store, "-c", "INSERT Thing {\"a\": 2}") }
    let data = URL(fileURLWithPath: store + "/data.mdb")
    let original = [UInt8](try Data(contentsOf: data))
    for page in 0..<2 {
      for change in [UInt8(4), 2, 16] {
        var bytes = original
        bytes[page * 4_096 + 144] ^= change
        try Data(bytes).write(to: data)
        let outcome = try Command.run(python, [Self.reader.path, store, "Thing"])
        #expect(outcome.status == 1 && outcome.errors.contains("commit"), "page \(page), \(change): \(outcome)")
      }
    }
    try Data(original).write(to: data)
    #expect(try Command.run(python, [Self.reader.path, store, "Thing"]).output.split(separator: "\n").count == 5)
  }

  @Test func refusesWhatIsNoStore() throws {
    guard let python = try Self.python() else { return }
    _ = try workshop.file("data.mdb", String(repeating: "no store ", count: 1_000))
    let outcome = try Command.run(python, [Self.reader.path, workshop.path])
    #expect(outcome.status == 1 && outcome.errors.hasPrefix(workshop.path), "\(outcome)")
  }
}
