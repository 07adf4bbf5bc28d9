import CXXHash

/// Makes the checksums of a cluster's bytes fit them, so that damage gets past these to what lies behind.
enum Checksums {
  static func mend(_ bytes: inout [UInt8]) {
    func load<T: FixedWidthInteger & BitwiseCopyable>(_ place: Int, as: T.Type) -> Int {
      bytes.withUnsafeBytes { Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: place, as: T.self)) }
    }
    func hash(_ range: Range<Int>, seed: UInt64) -> UInt64 {
      bytes.withUnsafeBytes { all in
        let part = UnsafeRawBufferPointer(rebasing: all[range])
        return XXH3_64bits_withSeed(part.baseAddress, part.count, seed)
      }
    }
    func store(_ word: UInt64, at place: Int) {
      bytes.withUnsafeMutableBytes { $0.storeBytes(of: word, toByteOffset: place, as: UInt64.self) }
    }
    let columns = load(6, as: UInt16.self)
    for column in 0..<columns {
      let entry = 80 + 48 * column
      guard entry + 48 <= bytes.count else { break }
      let place = load(entry + 8, as: UInt32.self)
      let length = load(entry + 12, as: UInt32.self)
      guard place >= 0, length >= 0, place <= bytes.count, length <= bytes.count - place else { continue }
      store(hash(place..<place + length, seed: 0), at: entry + 16)
    }
    let length = load(20, as: UInt32.self)
    guard length >= 16, length <= bytes.count else { return }
    let seed = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    store(hash(16..<length, seed: seed), at: 8)
  }
}
