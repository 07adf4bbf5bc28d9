/// Random numbers that a seed brings back (SplitMix64).
struct OracleRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `limit` - 1.
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<Swift.max(limit, 1), using: &self) }

  /// True once in `count` times.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// One of several.
  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
