import TestSeeds
import Testing

@testable import QueryEngine

/// Looking texts up among others, whatever their lengths.
@Suite struct TextSetTests {
  @Test func whatIsInIsFoundAndNothingElse() {
    var random = OracleRandom(seed: testSeed())
    func text() -> [UInt8] {
      let length = random.pick([0, 1, 2, 7, 8, 9, 63, 64, 65, 128])
      return (0..<length).map { _ in UInt8(97 + random.below(2)) }
    }
    for count in [0, 1, 5, 300] {
      let texts = (0..<count).map { _ in text() }
      let set = TextSet(texts)
      for other in texts + (0..<300).map({ _ in text() }) {
        #expect(other.withUnsafeBytes { set.members.contains($0) } == texts.contains(other), "\(other)")
      }
    }
  }
}
