import Testing

/// The articles show code that compiles, and what it prints.
@Suite struct ArticleTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  @Test func theCodeOfTheArticlesIsTheCodeThatRuns() throws {
    let catalogue = Self.root + "/Sources/PredicateLanguage/PredicateLanguage.docc"
    let articles = try ["PredicateLanguage", "WorkingWithTrees"].map {
      try #require(GoldenScript.read("\(catalogue)/\($0).md"))
    }
    let shown = articles.flatMap { Self.blocks($0, from: "```swift", to: "```") }
    let compiled = Self.blocks(
      try #require(GoldenScript.read(#filePath.replacing("ArticleTests", with: "ArticleExamples"))), from: "// article",
      to: "// end")
    #expect(shown == compiled)
    #expect(shown.count >= 8)
  }

  @Test func itPrintsWhatTheArticlesSay() throws {
    var examples = ArticleExamples()
    try examples.overview()
    try examples.reading()
    examples.mending()
    examples.telling()
    try examples.lookingAndChanging()
    let source = try #require(GoldenScript.read(#filePath.replacing("ArticleTests", with: "ArticleExamples")))
    let said = Self.blocks(source, from: "// article", to: "// end").flatMap { block in
      block.split(separator: "\n").compactMap { line -> String? in
        guard let comment = line.firstRange(of: "// "), !line.contains("///"), !line.contains("// From the back") else {
          return nil
        }
        return String(line[comment.upperBound...])
      }
    }
    #expect(examples.printed == said)
  }

  /// The lines between two marks, without what they are indented by.
  private static func blocks(_ text: String, from start: String, to end: String) -> [String] {
    var blocks: [String] = []
    var lines: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let bare = line.drop { $0 == " " }
      if bare == start {
        lines = []
      } else if bare == end, let found = lines {
        let indent = found.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        blocks.append(found.map { String($0.dropFirst(indent)) }.joined(separator: "\n"))
        lines = nil
      } else {
        lines?.append(line)
      }
    }
    return blocks
  }
}
