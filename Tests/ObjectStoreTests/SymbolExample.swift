import Foundation

/// The example of a declaration: the blocks of Swift in its comment, as one function of a program.
///
/// What a block declares stands beside the function, since macros that add conformances can't be used within one. The
/// models and values that it does not declare are those of `Fixtures/SymbolExamples.swift.txt`.
struct SymbolExample: CustomStringConvertible, Sendable {
  /// The file, from the root of the project.
  let file: String
  /// The number of the first line of the first block.
  let line: Int
  /// The lines of all blocks, each with its number.
  private let lines: [(number: Int, text: String)]
  /// How many blocks it has.
  let blocks: Int

  var description: String { "\(file):\(line)" }

  /// The module of the file.
  var module: String { file.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The examples in all comments of the sources.
  static let all: [SymbolExample] = {
    let sources = DocumentationPage.root.appendingPathComponent("Sources")
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
    return files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
      (try? String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8))
        .map { examples(in: $0, of: "Sources/\(file)") } ?? []
    }
  }()

  /// The examples in the comments of a source: one for each declaration that has any.
  static func examples(in source: String, of file: String) -> [SymbolExample] {
    var examples: [SymbolExample] = []
    var found: [(number: Int, text: String)] = []
    var blocks = 0
    var isInside = false
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix("///") else {
        if let first = found.first {
          examples.append(SymbolExample(file: file, line: first.number, lines: found, blocks: blocks))
        }
        (found, blocks, isInside) = ([], 0, false)
        continue
      }
      let text = trimmed.dropFirst(trimmed.hasPrefix("/// ") ? 4 : 3)
      if text == "```swift" {
        (isInside, blocks) = (true, blocks + 1)
      } else if text == "```" {
        isInside = false
      } else if isInside {
        found.append((index + 1, String(text)))
      }
    }
    return examples
  }

  /// Whether a placeholder stands where a reader would have to write something.
  var isUnfinished: Bool { lines.contains { $0.text.contains("…") } }

  /// The words that begin a declaration.
  private static let beginnings = ["@Model", "enum ", "struct ", "extension ", "func ", "final class "]

  /// Its program, as an enum of a name.
  ///
  /// - Parameter models: The models it can use without declaring them.
  func source(named name: String, models: [String]) -> String {
    var declarations: [String] = []
    var statements: [String] = []
    var isDeclaration = false
    var last = 0
    for (number, text) in lines {
      let continues = text.isEmpty || text.hasPrefix(" ") || text.hasPrefix("}")
      let begins = !continues && Self.beginnings.contains { text.hasPrefix($0) }
      if !continues { isDeclaration = begins }
      // The compiler shows errors where the example stands.
      let place = continues && number == last + 1 ? [] : ["#sourceLocation(file: \"\(file)\", line: \(number))"]
      if isDeclaration { declarations += place + [text] } else { statements += place + [text] }
      last = number
    }
    let text = lines.map(\.text).joined(separator: "\n")
    let used = models.filter { model in
      // A `Task { … }` is the one of the language.
      text.contains(word: model) && !text.contains("struct \(model) ") && !text.contains("\(model) {")
    }
    let effects = text.contains(word: "await") ? "async throws" : "throws"
    let end = "#sourceLocation()"
    return """
      enum \(name) {
      \(used.map { "typealias \($0) = Sample.\($0)" }.joined(separator: "\n"))
      \((declarations + (declarations.isEmpty ? [] : [end])).joined(separator: "\n"))
      static func run() \(effects) {
      \((statements + (statements.isEmpty ? [] : [end])).joined(separator: "\n"))
      }
      }

      """
  }
}

extension String {
  /// Whether it has a word that is no part of a longer one.
  fileprivate func contains(word: String) -> Bool {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
  }
}
