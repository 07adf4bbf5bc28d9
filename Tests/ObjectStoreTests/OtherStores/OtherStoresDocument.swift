import Foundation

/// The blocks of code in a document about another store.
///
/// Documents mark code in one of three ways: between ```` ``` ````; after a line `Swift`, until the next line of prose;
/// or not at all, so that code is known by how its lines begin.
struct OtherStoresDocument {
  /// A block without white space, and where each of its lines lies in it.
  struct Block {
    var text: [Character] = []
    var lines: [(number: Int, source: String, range: Range<Int>)] = []

    fileprivate mutating func append(_ source: Substring, _ number: Int) {
      let start = text.count
      text += source.filter { !$0.isWhitespace }
      lines.append((number, source.trimmingCharacters(in: .whitespaces), start..<text.count))
    }

    /// Whether it says anything: a brace that another page begins with does not.
    fileprivate var isExample: Bool { text.contains { !"{}()".contains($0) } }
  }

  let blocks: [Block]
  /// All of it, without white space.
  let text: String

  init(_ source: String) {
    text = source.filter { !$0.isWhitespace }
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let blocks =
      if lines.contains(where: { $0.hasPrefix("```") }) {
        Self.fenced(lines)
      } else if lines.contains("Swift") {
        Self.marked(lines)
      } else {
        Self.plain(lines)
      }
    self.blocks = blocks.filter(\.isExample)
  }

  private static func fenced(_ lines: [Substring]) -> [Block] {
    var blocks: [Block] = []
    var isInside = false
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        isInside.toggle()
        if isInside { blocks.append(Block()) }
      } else if isInside {
        blocks[blocks.count - 1].append(line, index + 1)
      }
    }
    return blocks
  }

  private static func marked(_ lines: [Substring]) -> [Block] {
    var blocks: [Block] = []
    var isInside = false
    var isAfterBlank = false
    for (index, line) in lines.enumerated() {
      if line == "Swift" {
        (isInside, isAfterBlank) = (true, false)
        blocks.append(Block())
      } else if isInside, line.allSatisfy(\.isWhitespace) {
        isAfterBlank = true
      } else if isInside {
        let isFirst = blocks[blocks.count - 1].lines.isEmpty
        if !isFirst, isItem(line) || (isAfterBlank && isProse(line)) {
          isInside = false
        } else {
          blocks[blocks.count - 1].append(line, index + 1)
        }
        isAfterBlank = false
      }
    }
    return blocks
  }

  /// Whether a line is an item of a list.
  private static func isItem(_ line: Substring) -> Bool { line.prefixMatch(of: /\s*(•|\d+\. )/) != nil }

  /// Whether a line is a sentence or a heading.
  private static func isProse(_ line: Substring) -> Bool {
    guard let first = line.first, first.isUppercase || first.isNumber else { return false }
    return !line.contains { "{}".contains($0) } && line.last != ")"
  }

  private static func plain(_ lines: [Substring]) -> [Block] {
    var blocks: [Block] = []
    var isInside = false
    for (index, line) in lines.enumerated() {
      let isOperator = line.wholeMatch(of: Self.queryOperator) != nil
      let isCode = line.prefixMatch(of: Self.codeBeginning) != nil || line.wholeMatch(of: Self.member) != nil
      if isOperator || isCode {
        // An operator in a table is an example of its own.
        if isOperator || !isInside { blocks.append(Block()) }
        blocks[blocks.count - 1].append(line, index + 1)
      }
      isInside = isCode && !isOperator
    }
    return blocks
  }

  private nonisolated(unsafe) static let codeBeginning =
    #/\s*(@interface|@property|@end|@implementation|@Persisted|@NO|@"|//|class \w+: |let |try!? |\}$|\$0|\(\$0|print\(|NSLog\(|\[|NSPredicate|RLM|return |project\.|task\.|realm\.|filterArguments\.|\.filter\(|format: "|\(<query>|SUBQUERY\(<|\w+\.\w+\.\w+ ==|"Expected|'User')/#
  private nonisolated(unsafe) static let member = #/\s*(\.\w+\(.*\)|[.@](avg|count|max|min|sum))/#
  private nonisolated(unsafe) static let queryOperator =
    #/between|in|like|contains, in|beginsWith|endsWith|and|&&|not|!|or|\|\||ALL|ANY, SOME|NONE|[=!<>]=?(, .*)?/#

  /// The documents beside the project, in order; none where they are absent.
  static let all: [OtherStoresDocument] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../shared/reference/seeds").standardized
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)).map { OtherStoresDocument($0) }
    }
  }()
}

extension OtherStoresDocument.Block {
  /// Where the pieces of an example lie in it, from the first to the last, each time they do.
  ///
  /// An example of a few characters, such as `in`, must be the whole block.
  func ranges(of pieces: [String]) -> [Range<Int>] {
    let pieces = pieces.map(Array.init)
    guard pieces.reduce(0, { $0 + $1.count }) >= 8 else { return pieces == [text] ? [0..<text.count] : [] }
    var ranges: [Range<Int>] = []
    var position = 0
    while let range = first(of: pieces, from: position) {
      ranges.append(range)
      position = range.upperBound
    }
    return ranges
  }

  private func first(of pieces: [[Character]], from position: Int) -> Range<Int>? {
    var start: Int?
    var position = position
    for piece in pieces {
      guard let found = text[position...].firstRange(of: piece) else { return nil }
      start = start ?? found.lowerBound
      position = found.upperBound
    }
    return start.map { $0..<position }
  }
}
