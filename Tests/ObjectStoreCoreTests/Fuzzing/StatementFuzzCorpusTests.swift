import Foundation
import Testing

/// What fuzzing learned and found about scripts of statements, run again by every build: see `Tools/fuzz`.
@Suite struct StatementFuzzCorpusTests {
  @Test func everyTextOfTheCorpus() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = tests.appendingPathComponent("Fuzzing/Corpus/statement")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    try #require(files.count > 10, "the corpus is not at \(folder.path)")
    let properties = try StatementProperties()
    var answered = 0
    for file in files.sorted(by: { $0.path < $1.path }) {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      let outcome = properties.outcome(of: text)
      if let violation = outcome.violation { Issue.record("\(file.lastPathComponent): \(violation)") }
      answered += outcome.answered
    }
    #expect(answered > 20, "the statements of the corpus are errors")
  }
}
