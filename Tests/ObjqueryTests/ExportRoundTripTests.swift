import Foundation
import TestSeeds
import Testing

/// What is exported is read back exactly, whatever is in the texts.
@Suite struct ExportRoundTripTests {
  private static let nasty: [String?] = [
    nil, "", " ", "  x ", "\t", "a\tb", "\n", "a\nb\n", "\r", "a\r\nb", "\\", "\\n", "\\\\t", "\\N", "\\",
    "C:\\new\\table",
    "\"", "\"\"", "\"quoted\"", "\"a", "a\"b", "'", ",", "a,b", ",,", ";", "null", "nil", "NULL", "true", "1", "-0.5",
    "nan",
    "2018-02-07T01:02:03Z", "{\"a\":1}", "[1,2]", "#", "--", "é", "e\u{301}", "\u{FEFF}", "日本語", "\u{0}", "a\u{0}b",
    "\u{1}\u{1B}[2J", "\u{7F}\u{85}\u{2028}\u{2029}", "👩‍👩‍👧‍👦", "\\\"", "\"\\", "\t\t", "\\t\t\\", "\n\n\n", "\"\n\"", "x\\",
  ]

  private static let schema = """
    @Model struct Note { var text: String?; var other: String?; var tags: [String] = []; var raw: Data?; var n: Int? }
    @Model struct Line { var text: String? }

    """

  private let workshop: Workshop
  private let store: String
  private let schema: String

  private init(_ notes: [(String?, String?)]) throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    schema = try workshop.file("models.swift", Self.schema)
    let lines = try notes.enumerated().map { number, note in
      let tags = [note.0, note.1].compactMap(\.self)
      let raw = number % 3 == 0 ? nil : note.0.map { Data($0.utf8).base64EncodedString() }
      return try Self.json([
        "text": note.0 ?? NSNull(), "other": note.1 ?? NSNull(), "tags": tags, "raw": raw ?? NSNull(),
        "n": number % 2 == 0 ? number : NSNull(),
      ])
    }
    try bring(lines.joined(separator: "\n"), "Note")
    try bring(notes.map { try Self.json(["text": $0.0 ?? NSNull()]) }.joined(separator: "\n"), "Line")
  }

  init() throws { try self.init(Self.nasty.enumerated().map { ($1, Self.nasty[($0 * 7 + 3) % Self.nasty.count]) }) }

  private static func json(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  private func bring(_ lines: String, _ entity: String) throws {
    let file = try workshop.file(entity + ".jsonl", lines + "\n")
    let outcome = try Command.run(["import", "--quiet", store, file, entity, "--schema", schema])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  private func expectReadBack(_ ending: String, _ context: String = "") throws {
    let copy = workshop.path + "/copy-" + ending
    for entity in ["Note", "Line"] {
      let file = "\(workshop.path)/\(entity)-out.\(ending)"
      let written = try Command.run(["export", store, file, entity])
      #expect(written.status == 0 && written.errors.isEmpty, "\(context)\(written)")
      let read = try Command.run(["import", "--quiet", copy, file, entity, "--schema", schema])
      #expect(read.status == 0 && read.errors.isEmpty, "\(context)\(read)")
      let (before, after) = try (Command.run([store, entity]).output, Command.run([copy, entity]).output)
      #expect(before == after, "\(context)\(entity) as \(ending)")
    }
  }

  @Test(arguments: ["csv", "tsv", "json", "jsonl"]) func nastyTexts(_ ending: String) throws {
    try expectReadBack(ending)
  }

  @Test func randomTexts() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    let pieces = Self.nasty.compactMap(\.self)
    func text() -> String? {
      if Int.random(in: 0..<6, using: &random) == 0 { return nil }
      return (0..<Int.random(in: 0..<5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
    }
    let tests = try ExportRoundTripTests((0..<400).map { _ in (text(), text()) })
    for ending in ["csv", "tsv", "json", "jsonl"] { try tests.expectReadBack(ending, "SEED=\(seed): ") }
  }

  /// What is between fields never is in one; so each row of TSV is a line.
  @Test func theFormOfTSV() throws {
    let file = workshop.path + "/notes.tsv"
    #expect(try Command.run(["export", store, file, "Note SELECT text, other"]).status == 0)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == Self.nasty.count + 2)
    #expect(lines.dropLast().allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 2 })
    #expect(lines[1].hasPrefix("\t"), "nil is nothing")
    #expect(lines[2].hasPrefix("\"\"\t"), "the empty text is two quotes")
  }

  /// Files of other programs: `\N` is nil, unknown escapes stay, and quotes are those of CSV.
  @Test func otherProgramsTSV() throws {
    let text = "text\tother\n\\N\tC:\\dir\n\"a\tb\"\t\"say \"\"so\"\"\"\na\\tb\t\\q\\\\\nx\t\n"
    let file = try workshop.file("other.tsv", text)
    let copy = workshop.path + "/other"
    #expect(try Command.run(["import", "--quiet", copy, file, "Note", "--schema", schema]).status == 0)
    #expect(
      try Command.run([copy, "Note SELECT text, other"]).output == #"""
        {"text":null,"other":"C:\\dir"}
        {"text":"a\tb","other":"say \"so\""}
        {"text":"a\tb","other":"\\q\\"}
        {"text":"x","other":null}

        """#)
    let asked = try Command.run(["import", "--quiet", copy, file, "Line", "--schema", schema, "--tsv"])
    #expect(asked.status == 0)
  }
}
