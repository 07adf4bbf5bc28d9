/// The position of a trigram: cluster, slot, and position in the string.
struct TrigramPlace: Hashable, Comparable, Sendable {
  var cluster: UInt64
  /// The slot high, the position low.
  var spot: UInt16

  static func < (left: TrigramPlace, right: TrigramPlace) -> Bool {
    left.cluster != right.cluster ? left.cluster < right.cluster : left.spot < right.spot
  }
}

/// A block of places of one trigram: one value of the index's tree.
///
/// ```
/// key    trigram 8 │ cluster 8 │ slot 1 │ position 1            big-endian; the first place of the block
/// value  a run for each cluster: clusters further than the last, as a varint │ how many, 1…255 │ slot, position │ …
/// A run of more than 255 continues in another run of the same cluster, which may be in the next block. Blocks are so
/// small that eight fill a page, and a change rewrites one.
///
/// It validates everything it reads.
enum TrigramBlock {
  /// How long a block becomes at most.
  static let limit = 480
  static let keyLength = 18

  static func key(_ trigram: Trigram, _ place: TrigramPlace) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(keyLength)
    IndexKey.appendBigEndian(trigram.rawValue, to: &key)
    IndexKey.appendBigEndian(place.cluster, to: &key)
    IndexKey.appendBigEndian(place.spot, to: &key)
    return key
  }

  /// Decodes a key; nil for a damaged one.
  @inline(__always)
  static func read(key: UnsafeRawBufferPointer) -> (trigram: Trigram, place: TrigramPlace)? {
    guard key.count == keyLength else { return nil }
    return (
      Trigram(rawValue: UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 0, as: UInt64.self))),
      TrigramPlace(
        cluster: UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
        spot: UInt16(bigEndian: key.loadUnaligned(fromByteOffset: 16, as: UInt16.self)))
    )
  }

  /// One run of a block.
  struct Run {
    var cluster: UInt64
    /// The slot and position of each entry, ascending.
    var pairs: UnsafeRawBufferPointer
  }

  /// The run at `offset`, which is advanced; nil if there is none or the bytes are invalid. `cluster` is that of the
  /// run before, initially that of the key.
  @inline(__always)
  static func run(_ block: UnsafeRawBufferPointer, at offset: inout Int, after cluster: UInt64) -> Run? {
    var delta: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < block.count, shift < 64 else { return nil }
      let byte = block[offset]
      offset &+= 1
      delta |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift &+= 7
    }
    let (sum, overflow) = cluster.addingReportingOverflow(delta)
    guard !overflow, offset < block.count else { return nil }
    let count = Int(block[offset])
    offset &+= 1
    guard count > 0, block.count &- offset >= count &* 2 else { return nil }
    defer { offset &+= count &* 2 }
    return Run(
      cluster: sum, pairs: UnsafeRawBufferPointer(start: block.baseAddress.map { $0 + offset }, count: count &* 2))
  }

  /// Calls `body` with every position of a block. Returns false if its bytes are invalid or the positions do not
  /// ascend.
  static func forEachPlace(
    _ block: UnsafeRawBufferPointer, from first: TrigramPlace, _ body: (TrigramPlace) -> Void
  ) -> Bool {
    var offset = 0
    var last: TrigramPlace?
    var cluster = first.cluster
    while offset < block.count {
      guard let run = run(block, at: &offset, after: cluster) else { return false }
      cluster = run.cluster
      for pair in stride(from: 0, to: run.pairs.count, by: 2) {
        let spot = UInt16(run.pairs[pair]) << 8 | UInt16(run.pairs[pair + 1])
        let place = TrigramPlace(cluster: cluster, spot: spot)
        if let last {
          guard last < place else { return false }
        } else if place != first {
          return false
        }
        last = place
        body(place)
      }
    }
    return last != nil
  }
}

/// Writes a block; its positions are added in order.
struct TrigramBlockWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var first: TrigramPlace?
  private var cluster: UInt64 = 0
  private var countAt = 0
  /// How long it may become.
  let limit: Int

  init(limit: Int = TrigramBlock.limit) { self.limit = limit }

  /// Adds a position that comes after all others. Returns false, and does nothing, if the block is full.
  mutating func add(_ place: TrigramPlace) -> Bool {
    guard first != nil else {
      first = place
      cluster = place.cluster
      startRun(0)
      append(place)
      return true
    }
    if place.cluster == cluster, bytes[countAt] < 255 {
      if bytes.count + 2 > limit { return false }
    } else {
      if bytes.count + 13 > limit { return false }
      startRun(place.cluster &- cluster)
      cluster = place.cluster
    }
    append(place)
    return true
  }

  private mutating func startRun(_ delta: UInt64) {
    var delta = delta
    while delta >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: delta) | 0x80)
      delta >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: delta))
    countAt = bytes.count
    bytes.append(0)
  }

  private mutating func append(_ place: TrigramPlace) {
    bytes[countAt] += 1
    bytes.append(UInt8(truncatingIfNeeded: place.spot >> 8))
    bytes.append(UInt8(truncatingIfNeeded: place.spot))
  }
}
