import Foundation
import Testing

/// The article that lists the files a new thing touches agrees with the source.
@Suite struct WhereThingsAreAddedTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  /// One list: the words that name the example, the files, and whether no other file may name it.
  fileprivate struct Section {
    var title: String
    var words: [String]
    var files: [String] = []
    var isComplete = false
  }

  @Test func everyListedFileNamesItsExample() throws {
    let sections = try Self.sections()
    #expect(sections.count == 9)
    for section in sections {
      #expect(!section.files.isEmpty && !section.words.isEmpty, "\(section.title)")
      for file in section.files {
        let text = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
        #expect(section.isNamed(in: text), "\(file) does not name \(section.words) of '\(section.title)'")
      }
    }
  }

  @Test func completeListsAreComplete() throws {
    let complete = try Self.sections().filter(\.isComplete)
    #expect(complete.count == 4)
    let sources = try Self.sources()
    for section in complete {
      let naming = sources.filter { section.isNamed(in: $0.value) }.keys.sorted()
      #expect(naming == section.files.sorted(), "'\(section.title)'")
    }
  }

  @Test func theNumbersAreThoseOfTheLists() throws {
    let article = try Self.article()
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| a") }
    let sections = try Self.sections()
    #expect(rows.count == sections.count)
    for section in sections {
      let row = try #require(rows.first { $0.hasPrefix("| \(section.title.lowercased()) |") }, "\(section.title)")
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.dropFirst().first == String(section.files.count), "\(section.title)")
    }
  }

  private static func article() throws -> String {
    try String(
      contentsOf: root.appending(path: "Sources/ObjectStore/ObjectStore.docc/WhereThingsAreAdded.md"), encoding: .utf8)
  }

  private static func sections() throws -> [Section] {
    var sections: [Section] = []
    var isInList = false
    for line in try article().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("### ") {
        let parts = line.dropFirst(4).split(separator: ":", maxSplits: 1)
        let words = parts.last.map { $0.split(separator: "`").filter { !$0.contains(" ") }.map(String.init) } ?? []
        sections.append(Section(title: String(parts[0]), words: words))
      } else if line.hasPrefix("Complete."), !sections.isEmpty {
        sections[sections.count - 1].isComplete = true
      } else if !sections.isEmpty {
        isInList = line.hasPrefix("- ") || isInList && line.hasPrefix("  ")
        guard isInList else { continue }
        let files = line.split(separator: "`").filter { $0.hasSuffix(".swift") || $0.hasSuffix(".ebnf") }
        sections[sections.count - 1].files += files.map(String.init)
      }
    }
    return sections
  }

  /// Every file of the source and the grammar, by its path.
  private static func sources() throws -> [String: String] {
    var sources: [String: String] = [:]
    for folder in ["Sources", "Grammar"] {
      let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      while let file = files?.nextObject() as? String {
        guard file.hasSuffix(".swift") || file.hasSuffix(".ebnf") else { continue }
        let path = "\(folder)/\(file)"
        sources[path] = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      }
    }
    return sources
  }
}

extension WhereThingsAreAddedTests.Section {
  /// Whether a text has one of the words, as a word.
  fileprivate func isNamed(in text: String) -> Bool {
    words.contains { word in
      let parts = text.components(separatedBy: word)
      return zip(parts, parts.dropFirst()).contains { !Self.continues($0.last) && !Self.continues($1.first) }
    }
  }

  /// Whether a character beside a word makes it part of a longer one.
  private static func continues(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }
}
