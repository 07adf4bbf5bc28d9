import CXXHash
internal import LMDB

/// XXH3-64, of every chunk, directory and long value.
enum Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    XXH3_64bits_withSeed(bytes.baseAddress, bytes.count, seed)
  }

  /// Whether bytes are those that a checksum was made of.
  static func fits(_ bytes: UnsafeRawBufferPointer, _ checksum: UInt64, seed: UInt64 = 0) -> Bool {
    of(bytes, seed: seed) == checksum || DamageChecks.areSkipped
  }
}
