import Foundation
import Testing

/// Files that are written under the name of a compressed one.
@Suite struct CompressedOutputTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let lines = (0..<20_000).map { "{\"n\":\($0),\"text\":\"number \($0 * 7919 % 1000)\"}\n" }.joined()
    #expect(try Command.run(["import", "--quiet", store, try workshop.file("a.jsonl", lines), "A"]).status == 0)
  }

  private func head(_ name: String) throws -> [UInt8] {
    try Data(contentsOf: URL(fileURLWithPath: workshop.path + "/" + name)).prefix(4).map(\.self)
  }

  @Test(arguments: ["csv.gz", "jsonl.gz", "csv.zst", "json.zstd"]) func exportsAreReadBack(_ ending: String) throws {
    let file = workshop.path + "/out." + ending
    let outcome = try Command.run(["export", store, file, "A"])
    #expect(outcome.status == 0, "\(outcome)")
    let magic: [UInt8] = ending.hasSuffix("gz") ? [0x1F, 0x8B] : [0x28, 0xB5, 0x2F, 0xFD]
    #expect(try head("out." + ending).starts(with: magic))
    let copy = workshop.path + "/copy"
    #expect(try Command.run(["import", "--quiet", copy, file, "A"]).status == 0)
    #expect(try Command.run([copy, "-m", "jsonl", "-c", "A"]).output == workshop.text("a.jsonl"))
    #expect(try Command.run(["export", store, file, "A"]).status == 1, "an existing file stays")
  }

  @Test func resultsOfSeveralStatementsAreOneFile() throws {
    let (all, one) = (workshop.path + "/all.jsonl.gz", workshop.path + "/one.jsonl.zst")
    let outcome = try Command.run([
      store, "-m", "jsonl", "-c",
      ".output \(all)\nA WHERE n < 2 SELECT n;\n.once \(one)\nA WHERE n == 5 SELECT n;\nA WHERE n == 7 SELECT n;",
    ])
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(try head("all.jsonl.gz").starts(with: [0x1F, 0x8B]))
    #expect(try Command.run([all, "-m", "csv", "-c", "`all`"]).output == "n\n0\n1\n7\n")
    #expect(try Command.run([one, "-m", "csv", "-c", "`one`"]).output == "n\n5\n")
  }
}
