import Foundation
import ObjectStoreCore
import Testing

/// What is said of wrong statements, as a script to be read: `Goldens/statement-errors.txt`. `UPDATE_GOLDENS=1` writes it.
///
/// A block is a session on a store with one quake: `> ` lines with a statement each, `---`, and what came of them.
/// `> :arg x` gives an argument to the statements after it, and `«x»×3` stands for `xxx`.
@Suite struct StatementGoldenTests {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Goldens/statement-errors.txt")

  @Test func everyMistakeIsNamed() throws {
    let script = try String(contentsOf: Self.path, encoding: .utf8).trimmingCharacters(in: .newlines)
    let blocks = script.components(separatedBy: "\n\n").map { block in
      block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    var written: [String] = []
    for lines in blocks {
      let head = lines.prefix { $0.hasPrefix("# ") }
      let input = lines.dropFirst(head.count).prefix { $0.hasPrefix("> ") }
      guard !input.isEmpty else {
        written.append(lines.joined(separator: "\n"))
        continue
      }
      let output = try Self.run(input.map { String($0.dropFirst(2)) })
      written.append((head + input + ["---"] + output).joined(separator: "\n"))
    }
    let text = written.joined(separator: "\n\n") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try text.write(to: Self.path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.path, encoding: .utf8) == text)
  }

  private static func run(_ lines: [String]) throws -> [String] {
    let session = StatementSession(try DiagnosticExamples().store)
    var arguments: [Value] = []
    var output: [String] = []
    for line in lines {
      if line.hasPrefix(":arg ") {
        arguments.append(.string(String(line.dropFirst(5))))
        continue
      }
      let statement = try repeated(line)
      do {
        let parsed = try StatementParser.statement(statement)
        for warning in try session.warnings(of: parsed, source: statement, arguments: Arguments(arguments)) {
          output.append(DiagnosticRenderer().text(warning, source: statement))
        }
        switch try session.run(parsed, source: statement, arguments: Arguments(arguments)) {
        case .count(let count), .changed(let count): output.append("\(count)")
        case .objects(let results): output.append("\(try results.count) objects")
        case .rows(let rows): output.append("\(try rows.rows().count) rows")
        default: output.append("ok")
        }
      } catch {
        output.append("\(error)")
      }
    }
    return output
  }

  /// `«x»×3` as `xxx`.
  private static func repeated(_ line: String) throws -> String {
    var text = ""
    var rest = line[...]
    while let start = rest.firstIndex(of: "«"), let end = rest.firstIndex(of: "»") {
      text += rest[..<start]
      let digits = rest[end...].dropFirst(2).prefix { $0.isNumber }
      text += String(repeating: String(rest[rest.index(after: start)..<end]), count: try #require(Int(digits)))
      rest = rest[digits.endIndex...]
    }
    return text + rest
  }
}
