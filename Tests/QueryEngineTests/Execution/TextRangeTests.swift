import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Texts between two others, and texts in order, against comparing them byte for byte.
@Suite struct TextRangeTests {
  /// Few bytes, so that many texts begin alike: with those that end one, and the greatest.
  private static func text(_ random: inout OracleRandom) -> [UInt8] {
    let start: [UInt8] = random.once(in: 3) ? Array(repeating: 0x61, count: random.pick([7, 8, 9, 64, 80])) : []
    return start + (0..<random.below(11)).map { _ in random.pick([0, 1, 0x61, 0x62, 0xC3, 0xFF]) }
  }

  private static func comesBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }

  @Test func oneIsWithinAsItsBytesSay() {
    var random = OracleRandom(seed: testSeed())
    var within = 0
    for _ in 0..<3_000 {
      let lower = random.once(in: 5) ? nil : Self.text(&random)
      let upper = random.once(in: 5) ? nil : random.once(in: 8) ? lower : Self.text(&random)
      let (includesLower, includesUpper) = (random.once(in: 2), random.once(in: 2))
      let range = TextRange(lower: lower, includesLower: includesLower, upper: upper, includesUpper: includesUpper)
      defer { range.deallocate() }
      for _ in 0..<8 {
        let text = random.once(in: 4) ? lower ?? upper ?? [] : Self.text(&random)
        var expected = true
        if let lower { expected = Self.comesBefore(lower, text) || includesLower && lower == text }
        if let upper { expected = expected && (Self.comesBefore(text, upper) || includesUpper && upper == text) }
        #expect(
          text.withUnsafeBytes { range.contains($0) } == expected,
          "\(text) from \(String(describing: lower)) to \(String(describing: upper))")
        if expected { within += 1 }
      }
    }
    #expect(within > 2_000)
  }

  private static let texts: [Value] = {
    let words = ["", "a", "aa", "aaaaaaaa", "aaaaaaaab", "aaaaaaa", "b", "é", "日本", "a\u{0}", "a\u{0}b", "Z"]
    return (0..<1_800).map { place -> Value in
      switch place / 256 {
      case 0, 1: .string(words[place % words.count] + String(place * 7_919 % 256))
      case 2: .string(words[place % 4])
      case 3: .string("aa")
      case 4: place % 40 == 0 ? .string(String(repeating: "aaaaaaaab", count: 400)) : .string(words[place % 12])
      default: place % 5 == 0 ? .null : .string(words[place % words.count])
      }
    }
  }()

  @Test func theyAreWithinAsOneByOne() throws {
    let store = try TestStore(.string, Self.texts)
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    var random = OracleRandom(seed: testSeed())
    for bound in ["", "a", "aa", "aaaaaaaa", "aaaaaaaab", "a\u{0}", "b1", "日", "zzzzzzzzzz"] {
      for question in ["< '\(bound)'", "<= '\(bound)'", "> '\(bound)'", ">= '\(bound)'", "BETWEEN {'a', '\(bound)'}"] {
        guard case .filter(let predicate)? = try store.compile("x \(question)").stages.first else {
          throw QueryCancelled()
        }
        let condition = try FilterCompiler(entity: entity).compile(predicate)
        let row = RowFilter(predicate)
        let context = ExecutionContext(snapshot, nil, CancellationCheck())
        try snapshot.forEachCluster(entity) { cluster in
          var few = Mask.none
          for _ in 0..<4 { few[random.below(Mask.slotCount)] = true }
          for candidates in [cluster.present, cluster.present & few] {
            let expected = try row.mask(cluster, candidates, context)
            #expect(
              try condition.mask(cluster, candidates, context) == expected,
              "\(question), cluster \(cluster.number)")
          }
          return true
        }
      }
    }
  }

  @Test func numberedTextsAreRankedByTheirBytes() throws {
    var random = OracleRandom(seed: testSeed())
    for count in [0, 1, 2, 3, 50, 2_000] {
      let texts = (0..<count).map { _ in Self.text(&random) }
      let numbers = StringInterner()
      var words = texts.map { text in text.withUnsafeBytes { UInt64(numbers.number(of: $0)) } }
      try numbers.replaceNumbersByRanks(in: &words, CancellationCheck())
      let distinct = Set(texts).sorted(by: Self.comesBefore)
      for (text, rank) in zip(texts, words) { #expect(distinct[Int(rank)] == text) }
    }
  }
}
