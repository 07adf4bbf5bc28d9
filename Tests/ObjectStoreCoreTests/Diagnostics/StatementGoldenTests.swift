import Diagnostics
import Foundation
import ObjectStoreCore
import PredicateLanguage
import TestFixes
import Testing

/// What is said of wrong statements, as scripts to be read: `Goldens/statement-errors.txt` about single objects,
/// `Goldens/graph-errors.txt` about those that link to each other. `UPDATE_GOLDENS=1` writes them.
///
/// A block is a session on a store of its own: `> ` lines with a statement each, `---`, and what came of them.
/// `> :arg x` gives an argument to the statements after it, and `«x»×3` stands for `xxx`.
@Suite struct StatementGoldenTests {
  @Test func everyMistakeIsNamed() throws {
    try Self.compare("statement-errors") { try DiagnosticExamples().store }
  }

  @Test func everyMistakeAboutLinksIsNamed() throws { try Self.compare("graph-errors", GraphExamples.store) }

  private static func compare(_ name: String, _ store: () throws -> Store) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Goldens/\(name).txt")
    let script = try String(contentsOf: path, encoding: .utf8).trimmingCharacters(in: .newlines)
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
      let output = try run(input.map { String($0.dropFirst(2)) }, on: try store())
      written.append((head + input + ["---"] + output).joined(separator: "\n"))
    }
    let text = written.joined(separator: "\n\n") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try text.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == text)
  }

  private static func run(_ lines: [String], on store: Store) throws -> [String] {
    let session = StatementSession(store)
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
        case .count(let count): output.append("\(count)")
        case .changed(let changes): output.append("\(changes.count)")
        case .objects(let results): output.append("\(try results.count) objects")
        case .rows(let rows): output.append("\(try rows.rows().count) rows")
        default: output.append("ok")
        }
      } catch {
        let faults = (error as? DiagnosticError).map(FixMeaning.faults) ?? []
        #expect(faults.isEmpty, "\(faults.joined(separator: "; "))")
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
