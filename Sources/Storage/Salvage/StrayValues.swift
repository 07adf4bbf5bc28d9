/// The long values of a damaged store that no tree leads to. The size and the hash of a value tell which of them it is.
///
/// All entities share it, so that each value is hashed once, however many are missing; one of unknown length once for
/// each length that is missing.
final class StrayValues {
  /// Those on leaves, by the key beside them. Entities and earlier commits may have the same keys.
  private var underKeys: [OutOfLineKey: [UnsafeRawBufferPointer]] = [:]
  /// Those without a key or a known length: all that could be a part of them.
  private var alone: [UnsafeRawBufferPointer] = []
  /// Those on leaves, by their hash.
  private lazy var underHashes = Dictionary(
    underKeys.values.joined().map { (hash($0), $0) }, uniquingKeysWith: { first, _ in first })
  /// By a length, those alone by the hash of so many bytes.
  private var ofLength: [Int: [UInt64: UnsafeRawBufferPointer]] = [:]
  /// The number of hashes so far.
  private(set) var hashCount = 0

  func add(_ value: UnsafeRawBufferPointer, under key: OutOfLineKey) { underKeys[key, default: []].append(value) }

  func add(_ value: UnsafeRawBufferPointer) { alone.append(value) }

  /// The bytes of a value, which are most likely under its key.
  func value(_ key: OutOfLineKey, length: Int, hash wanted: UInt64) -> UnsafeRawBufferPointer? {
    if let value = underKeys[key]?.first(where: { $0.count == length && hash($0) == wanted }) { return value }
    if let value = underHashes[wanted], value.count == length { return value }
    if ofLength[length] == nil {
      let parts = alone.filter { $0.count >= length }.map { UnsafeRawBufferPointer(rebasing: $0.prefix(length)) }
      ofLength[length] = Dictionary(parts.map { (hash($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
    return ofLength[length]?[wanted]
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    hashCount += 1
    return Checksum.of(bytes)
  }
}
