/// A cache of the objects of recently found keys in a unique index: many links lead to few objects, so the same keys
/// are looked up repeatedly.
///
/// Each key has a single slot, which holds the last key stored there. It does not track changes: when an object loses a
/// key, the whole cache must be cleared.
struct RecentKeys {
  /// The bytes of a key with their number at the end, its object, and its round.
  private struct Entry {
    var key: SIMD4<UInt64>
    var object: UInt64
    var round: UInt64
  }

  private var entries: [Entry] = []
  /// Entries of earlier rounds are invalid.
  private var round: UInt64 = 1

  private static let count = 1 << 12
  /// The maximum length of keys that are cached.
  private static let longest = 31

  /// The object of a key, if cached.
  func object(of key: UnsafeRawBufferPointer) -> UInt64? {
    guard !entries.isEmpty, let key = Self.packed(key) else { return nil }
    let entry = entries[Self.place(key)]
    return entry.round == round && entry.key == key ? entry.object : nil
  }

  /// Notes the object of a key.
  mutating func keep(_ object: UInt64, of key: UnsafeRawBufferPointer) {
    guard let key = Self.packed(key) else { return }
    if entries.isEmpty {
      entries = Array(repeating: Entry(key: .zero, object: 0, round: 0), count: Self.count)
    }
    entries[Self.place(key)] = Entry(key: key, object: object, round: round)
  }

  /// Clears the cache in constant time.
  mutating func forget() { round &+= 1 }

  private static func packed(_ key: UnsafeRawBufferPointer) -> SIMD4<UInt64>? {
    guard key.count <= longest else { return nil }
    var packed = SIMD4<UInt64>.zero
    withUnsafeMutableBytes(of: &packed) {
      $0.copyMemory(from: key)
      $0[longest] = UInt8(truncatingIfNeeded: key.count)
    }
    return packed
  }

  private static func place(_ key: SIMD4<UInt64>) -> Int {
    var hash = key[0] &* 0x9E37_79B9_7F4A_7C15 ^ key[1] &* 0xC2B2_AE3D_27D4_EB4F
    hash = (hash ^ hash &>> 29) &* 0xBF58_476D_1CE4_E5B9 ^ key[2] &* 0x94D0_49BB_1331_11EB ^ key[3]
    hash = (hash ^ hash &>> 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash &>> 52)
  }
}
