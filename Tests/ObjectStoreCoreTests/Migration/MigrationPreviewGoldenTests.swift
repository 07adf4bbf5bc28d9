import Foundation
import ObjectStoreCore
import Testing

/// What previews of migrations say, as a script to be read: `Goldens/migration-previews.txt`. `UPDATE_GOLDENS=1` writes
/// it.
///
/// A block is a store of its own: a line with its schema, then statements that fill it, and questions:
///
/// | line | asks for the preview of |
/// | --- | --- |
/// | `:open A, B` | opening it with the model `Reading`, removing A and B |
/// | `:plan` | opening it with `Reading` and a plan |
/// | `:to …` | giving it another schema |
/// | `:of …` | a statement |
///
/// The answer is the text of the preview, and after a `|` its lines of a difference.
@Suite struct MigrationPreviewGoldenTests {
  private enum Plan: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .convert("magnitudes are numbers", Reading.self, "mag", to: \.magnitude) { (old: String) in Double(old) ?? -1 },
        .each("one name", Reading.self, replacing: ["first", "last"]) { old, new in
          new.name = try old.value(at: "first", as: String.self)
          new.key = "\(old.id.rawValue)"
        },
        .deleting("no drafts", Reading.self) { old in old["note"] == .string("draft") },
        .removing("Reading.note"),
      ]
    }
  }

  @Test func previewsReadWell() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Goldens/migration-previews.txt")
    let script = try String(contentsOf: path, encoding: .utf8).trimmingCharacters(in: .newlines)
    var written: [String] = []
    for block in script.components(separatedBy: "\n\n") {
      let lines = block.split(separator: "\n").map(String.init)
      let head = lines.prefix { $0.hasPrefix("# ") }
      let input = lines.dropFirst(head.count).prefix { $0.hasPrefix("> ") }
      let output = input.isEmpty ? [] : ["---"] + (try answers(to: input.map { String($0.dropFirst(2)) }))
      written.append((head + input + output).joined(separator: "\n"))
    }
    let text = written.joined(separator: "\n\n") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try text.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == text)
  }

  private func answers(to lines: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    let store = try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(try #require(lines.first)))
    var answers: [String] = []
    for line in lines.dropFirst() {
      let version = try store.statistics().version
      let (word, rest) = line.hasPrefix(":") ? Self.divided(line) : ("", line)
      let preview: MigrationPreview
      switch word {
      case "":
        _ = try store.run(line)
        continue
      case ":open":
        let removing = rest.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        preview = try Store.migrationPreview(path, models: Reading.self, removing: removing)
      case ":plan": preview = try Store.migrationPreview(path, models: Reading.self, migration: Plan.self)
      case ":to": preview = try store.migrationPreview(to: SchemaText.parse(rest))
      default:
        #expect(word == ":of", "\(line)")
        preview = try store.migrationPreview(of: rest)
      }
      answers.append("\(preview)")
      answers += preview.changes.map { "| \($0.line)" }
      // It is only a preview.
      #expect(try store.statistics().version == version)
    }
    return answers
  }

  /// The first word and the rest.
  private static func divided(_ line: String) -> (String, String) {
    let word = line.prefix { $0 != " " }
    return (String(word), line.dropFirst(word.count).trimmingCharacters(in: .whitespaces))
  }
}
