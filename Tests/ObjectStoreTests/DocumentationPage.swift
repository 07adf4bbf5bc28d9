import Foundation
import Testing

/// A page of the documentation as the program it is: its blocks of Swift one after the other, then what its tables say.
///
/// * A block that begins with `// swift-tools-version` is a manifest and stands apart; one that begins with `// Not run:`
///   is left out.
/// * A line `print(…)   // text` prints that text, in its turn.
/// * In a table headed `` `Model` where `` the first column are predicates about that model.
/// * In a table whose last column is headed `ObjectStore` that column is Swift: what has `await` in it is only compiled.
struct DocumentationPage: CustomTestStringConvertible, Sendable {
  var name: String
  var blocks: [String] = []
  var manifests: [String] = []
  /// How many blocks are left out.
  var omitted = 0
  private var rows: [String] = []
  /// Whether a table has Swift in it: its values stay unused, which is a warning.
  private(set) var hasRowsOfSwift = false

  static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
  static let folder = root.appendingPathComponent("Sources/ObjectStore/ObjectStore.docc")

  /// The articles and the front page, by name.
  static let texts: [String: String] = {
    let articles = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let files =
      [root.appendingPathComponent("README.md")]
      + articles.filter { $0.hasSuffix(".md") }.map { folder.appendingPathComponent($0) }
    return Dictionary(
      uniqueKeysWithValues: files.compactMap { file in
        (try? String(contentsOf: file, encoding: .utf8)).map { (String(file.lastPathComponent.dropLast(3)), $0) }
      })
  }()

  /// The pages with Swift in them, by name.
  static let all = texts.sorted { $0.key < $1.key }.map { DocumentationPage(name: $0.key, $0.value) }
    .filter { !$0.blocks.isEmpty }

  init(name: String, _ text: String) {
    self.name = name
    var block: [Substring]?
    var header: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = block {
        if line == "```" {
          add(lines.joined(separator: "\n"))
          block = nil
        } else {
          block?.append(line)
        }
      } else if line == "```swift" {
        block = []
      } else if line.hasPrefix("|") {
        let cells = Self.cells(of: line)
        if header.isEmpty {
          header = cells
        } else if !cells.allSatisfy({ $0.allSatisfy { "-: ".contains($0) } }) {
          addRow(cells, under: header)
        }
      } else {
        header = []
      }
    }
  }

  private mutating func add(_ block: String) {
    if block.hasPrefix("// swift-tools-version") {
      manifests.append(block)
    } else if block.hasPrefix("// Not run:") {
      omitted += 1
    } else {
      blocks.append(block)
    }
  }

  private mutating func addRow(_ cells: [String], under header: [String]) {
    if let first = header.first, first.hasSuffix("where"), let model = Self.code(in: first).first {
      for predicate in Self.code(in: cells.first ?? "") {
        rows.append("do { _ = try store.objects(\(model).self).filter(###\"\(predicate)\"###).count }")
      }
    } else if header.last == "ObjectStore" {
      let code = Self.code(in: cells.last ?? "").joined(separator: "\n")
      hasRowsOfSwift = true
      rows.append(code.contains("await") ? "func row\(rows.count)() async throws {\n\(code)\n}" : "do {\n\(code)\n}")
    }
  }

  /// The cells of a line; `\|` is a bar within one.
  static func cells(of line: Substring) -> [String] {
    line.dropFirst().replacingOccurrences(of: "\\|", with: "\u{0}").split(
      separator: "|", omittingEmptySubsequences: false
    )
    .dropLast().map { $0.replacingOccurrences(of: "\u{0}", with: "|").trimmingCharacters(in: .whitespaces) }
  }

  /// What stands between backticks, single or double ones.
  static func code(in cell: String) -> [String] {
    cell.matches(of: /``(.+?)``|`([^`]+)`/).map { String($0.1 ?? $0.2 ?? "").trimmingCharacters(in: .whitespaces) }
  }

  /// The program.
  var source: String { (blocks + rows).joined(separator: "\n\n") + "\n" }

  /// The lines that the page says are printed, in order.
  var printed: [String] {
    blocks.joined(separator: "\n").split(separator: "\n").compactMap { line in
      guard line.contains("print("), let comment = line.range(of: "   // ") else { return nil }
      return String(line[comment.upperBound...])
    }
  }

  var testDescription: String { name }
}
