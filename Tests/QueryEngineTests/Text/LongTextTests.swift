import PredicateLanguage
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Functions on a long string work in parts, with the same result, and end between two of them.
@Suite struct LongTextTests {
  /// Characters of all lengths, some of which change their length with their case, and marks that belong to the one
  /// before them.
  private static let pieces = ["a", "Z", "ß", "İ", "é", "e\u{301}", "ΟΔΟΣ", "ﬃ", "𐐀", "👩‍👧", "한", "\u{0345}", " "]

  private static func text(_ bytes: Int, _ random: inout SeededNumbers) -> String {
    var text = ""
    while text.utf8.count < bytes { text += pieces.randomElement(using: &random) ?? "" }
    return text
  }

  private func bytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var text = text
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  @Test func theResultIsThatOfTheWhole() throws {
    var random = SeededNumbers(testSeed())
    for _ in 0..<20 {
      let text = Self.text(3 * LongText.partSize + .random(in: 0..<9, using: &random), &random)
      #expect(LongText.mapped(text) { $0.lowercased() } == text.lowercased())
      #expect(LongText.mapped(text) { $0.uppercased() } == text.uppercased())
      for folding in [TextFolding.full, TextFolding(ignoresCase: false, ignoresDiacritics: true)] {
        var text = text
        text.withUTF8 { utf8 in
          let utf8 = UnsafeRawBufferPointer(utf8)
          #expect(folding.withFoldedParts(utf8) { Array($0) } == folding.withFolded(utf8) { Array($0) })
        }
      }
    }
  }

  /// How many parts a function does, and what it gives, when it is abandoned after some of them.
  private func asked<R>(_ limit: Int, _ body: () throws -> R) rethrows -> (asked: Int, result: R) {
    var asked = 0
    let result = try LongText.during(
      {
        asked += 1
        return asked > limit
      }, body)
    return (asked, result)
  }

  @Test func eachFunctionEndsBetweenTwoParts() throws {
    let parts = 40
    let text = String(repeating: "ab", count: parts * LongText.partSize / 2)
    let like = LikePattern("*b*ba*c", folding: .none)
    let folded = try #require(try TextTest(.contains, "ABC", folding: .full))
    let replacement = TextReplacement("a", by: "c")
    let functions: [(name: String, run: () -> Int)] = [
      ("lowercase", { LongText.mapped(text) { $0.lowercased() }.utf8.count }),
      ("LIKE", { bytes(text) { like.matches($0) } ? 1 : 0 }),
      ("CONTAINS[cd]", { bytes(text) { folded.matches($0) } ? 1 : 0 }),
      ("replace", { replacement(text)?.utf8.count ?? 0 }),
    ]
    for (name, run) in functions {
      let all = asked(.max, run).asked
      #expect(all >= parts - 2, "\(name) asks \(all) times")
      for limit in [0, 3, all / 2] {
        #expect(asked(limit, run).asked == limit + 1, "\(name) goes on though it was told to stop after \(limit)")
      }
    }
    // Outside a query nobody is asked.
    #expect(!LongText.isAbandoned)
  }

  /// An abandoned function returns anything, so the query throws.
  @Test func theResultOfAnAbandonedFunctionIsNotUsed() throws {
    let text = String(repeating: "É", count: 4 * LongText.partSize)
    var asked = 0
    let check = CancellationCheck({
      asked += 1
      return asked > 2
    })
    #expect(throws: QueryCancelled.self) { try check.during { LongText.mapped(text) { $0.lowercased() } } }
    #expect(asked == 3)
    // Other errors that such a result leads to do not hide it.
    struct Other: Error {}
    #expect(throws: QueryCancelled.self) {
      try check.during {
        _ = LongText.mapped(text) { $0.lowercased() }
        throw Other()
      }
    }
    #expect(throws: QueryCancelled.self) { try check.check() }
    let patient = CancellationCheck({ false })
    #expect(throws: Other.self) { try patient.during { throw Other() } }
    #expect(try patient.during { LongText.mapped(text) { $0.lowercased() } } == text.lowercased())
  }
}
