import Glibc

/// The seed of a random test: what `SEED` says, or else another each time. It is printed, so that what failed can be
/// repeated.
public func testSeed(_ test: String = #function, _ file: String = #fileID) -> UInt64 {
  let seed = getenv("SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 1..<1_000_000)
  print("\(file) \(test) SEED=\(seed)")
  return seed
}
