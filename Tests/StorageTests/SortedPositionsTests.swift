import TestSeeds
import Testing

@testable import Storage

@Suite struct SortedPositionsTests {
  @Test func everyKeyIsAtItsFirstPlace() {
    var random = Seeded(testSeed())
    for count in 0..<40 {
      let keys = (0..<count).map { _ in String(Int.random(in: 0..<30, using: &random)) }
      let positions = SortedPositions(keys)
      for key in (0..<32).map(String.init) {
        #expect(positions[key] == keys.firstIndex(of: key), "\(key) in \(keys)")
      }
    }
  }

  @Test func namesThatAreEqualInAnotherFormAreOne() {
    let positions = SortedPositions(["caf\u{E9}", "Cafe", "cafe"])
    #expect(positions["cafe\u{301}"] == 0 && positions["cafe"] == 2 && positions["CAFE"] == nil)
    #expect(SortedPositions(["a", "\u{212A}"])["K"] == 1)
  }

  /// Texts for which `<` is not a total order.
  @Test func namesInDifferentForms() {
    let names = ["id", "e\u{301}", "\u{E9}2", "\u{E9}", "e\u{301}2a"]
    for count in 1...names.count {
      let positions = SortedPositions(Array(names.prefix(count)))
      for (place, name) in names.prefix(count).enumerated() { #expect(positions[name] == place, "\(name) of \(count)") }
    }
  }
}
