import Foundation

/// The numbers behind the generated rows: SplitMix64, the same on every machine.
struct Generator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in 0..<1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform in 0..<bound.
  mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }
}

/// One generated earthquake, as plain Swift: what both stores are loaded with.
struct QuakeRow: Sendable {
  var code: String
  var magnitude: Double?
  var time: Date
  var place: String?
  var depth: Double
  var felt: Int?
  var significance: Int
  var tsunami: Bool
  var type: String
}

/// Makes earthquakes: magnitudes exponential with mean 1 in 0…9, times uniform in a year, places of 500 towns and 60
/// regions, a few percent of nils. The same ones on every machine.
struct QuakeGenerator {
  private var random: Generator
  private var index = 0
  private let towns: [String]
  private let regions: [String]
  private let start = Date(timeIntervalSince1970: 1_483_228_800)
  private let winds = ["N", "NNE", "NE", "E", "SE", "S", "SSW", "SW", "W", "NW"]

  init(seed: UInt64 = 20_180_207) {
    var random = Generator(seed: seed)
    let syllables = [
      "ka", "mo", "ri", "ta", "be", "lo", "sun", "vi", "dor", "pe", "na", "gu", "chi", "el", "os",
    ]
    towns = (0..<500).map { _ in
      (0..<(2 + random.below(2))).map { _ in syllables[random.below(syllables.count)] }.joined()
        .capitalized
    }
    regions =
      [
        "Alaska", "CA", "Japan", "Chile", "Nevada", "Hawaii", "Puerto Rico", "Indonesia", "Fiji",
        "Iceland",
      ] + (0..<50).map { "Region \($0)" }
    self.random = random
  }

  /// The next earthquake.
  mutating func next() -> QuakeRow {
    defer { index += 1 }
    let magnitude = min(9, -log(1 - random.unit()))
    let kind = random.unit()
    return QuakeRow(
      code: QuakeRow.code(of: index),
      magnitude: random.unit() < 0.02 ? nil : (magnitude * 100).rounded() / 100,
      time: start.addingTimeInterval((random.unit() * 365 * 86400 * 1000).rounded() / 1000),
      place: random.unit() < 0.02
        ? nil
        : "\(1 + random.below(99))km \(winds[random.below(winds.count)]) of \(towns[random.below(towns.count)]), "
          + regions[random.below(regions.count)],
      depth: (random.unit() * random.unit() * 60_000).rounded() / 100,
      felt: random.unit() < 0.9 ? nil : random.below(500),
      significance: random.below(1000),
      tsunami: random.unit() < 0.0004,
      type: kind < 0.93
        ? "earthquake"
        : kind < 0.96
          ? "quarry blast"
          : kind < 0.98 ? "explosion" : kind < 0.995 ? "ice quake" : "mining explosion")
  }
}

extension QuakeRow {
  /// The code of the earthquake made as the `index`th, counted from 0.
  static func code(of index: Int) -> String { "us\(String(index + 100_000, radix: 36))" }

  /// `count` earthquakes.
  static func generate(_ count: Int) -> [QuakeRow] {
    var generator = QuakeGenerator()
    return (0..<count).map { _ in generator.next() }
  }
}
