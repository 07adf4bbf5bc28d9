import CXXHash

/// XXH3-64, of every chunk, directory and long value.
enum Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    XXH3_64bits_withSeed(bytes.baseAddress, bytes.count, seed)
  }
}
