import CKernels
import Glibc
import Schema

/// Writes the chunk of one column in the cheapest encoding that fits, and returns the content of its directory entry.
///
/// The owner must provide enough memory: `bound(_:)` returns how much. It does not depend on the directory.
struct ChunkWriter {
  /// The directory's record of a chunk.
  struct Result {
    var encoding: ChunkEncoding = .absent
    var flags: ChunkFlags = []
    var nullCount = 0
    var minimum: UInt64 = 0
    var maximum: UInt64 = 0
    var length = 0
    /// The slots of the minimum and maximum string, if these are short enough to be stored.
    var leastText: Int?
    var greatestText: Int?
  }

  let column: ColumnBuffer
  let slotCount: Int
  /// The slots that have a value.
  let valid: Mask
  let nulls: Mask
  let start: UnsafeMutableRawPointer
  var cursor: Int = 0
  var result = Result()

  init(_ column: ColumnBuffer, present: Mask, slotCount: Int, at start: UnsafeMutableRawPointer) {
    self.column = column
    self.slotCount = slotCount
    nulls = column.nulls & present
    valid = present.andNot(nulls)
    self.start = start
  }

  /// The maximum number of bytes of a column's chunk.
  static func bound(_ column: ColumnBuffer) -> Int {
    if let collections = column.collections { return bound(collections) }
    guard let texts = column.texts else { return 64 + 16 * Mask.slotCount }
    var bytes = (1 + 4 + 1) * Mask.slotCount
    for slot in 0..<Mask.slotCount { bytes += Int(texts.lengths[slot]) }
    // Decimals may become integers of eight bytes.
    return 128 + 16 * texts.outOfLine.count + max(bytes, 8 * Mask.slotCount)
  }

  /// Writes the chunk, if there are values.
  mutating func write() -> Result {
    result.nullCount = nulls.count
    guard !valid.isEmpty else { return result }
    if !nulls.isEmpty {
      result.flags.insert(.nulls)
      put(nulls)
    }
    if let collections = column.collections {
      writeCollections(collections)
      result.length = cursor
      return result
    }
    switch column.type {
    case .bool: writeBools()
    case .int8, .int16, .int32, .int: writeIntegers()
    case .float: writeFloats()
    case .double, .date: writeDoubles()
    case .uuid: writePairs()
    case .decimal:
      if let texts = column.texts, !writeExactDecimals(texts) { writeTexts(texts) }
    case .string, .data:
      if let texts = column.texts { writeTexts(texts) }
    }
    pad()
    result.length = cursor
    return result
  }

  @inline(__always) mutating func put<T: BitwiseCopyable>(_ value: T) {
    start.storeBytes(of: value, toByteOffset: cursor, as: T.self)
    cursor += MemoryLayout<T>.size
  }

  mutating func put(_ mask: Mask) {
    put(mask.w0)
    put(mask.w1)
    put(mask.w2)
    put(mask.w3)
  }

  /// Fills up to a multiple of eight with zeros.
  mutating func pad() {
    while cursor & 7 != 0 { put(UInt8(0)) }
  }

  /// Copies the value of some slot to slots without a value, so that loops need no check.
  private func fillGaps() {
    guard let first = valid.first else { return }
    let words = column.words
    let gaps = Mask(firstCount: slotCount).andNot(valid)
    gaps.forEach { words[$0] = words[first] }
  }

  private func allSame() -> Bool {
    var difference: UInt64 = 0
    let first = column.words[0]
    for slot in 0..<slotCount { difference |= column.words[slot] ^ first }
    return difference == 0
  }

  mutating func range(_ minimum: UInt64, _ maximum: UInt64) {
    result.flags.insert(.range)
    result.minimum = minimum
    result.maximum = maximum
  }

  private mutating func writeBools() {
    fillGaps()
    var mask = Mask.none
    for slot in 0..<slotCount where column.words[slot] != 0 { mask[slot] = true }
    let all = Mask(firstCount: slotCount)
    range(mask == all ? 1 : 0, mask.isEmpty ? 0 : 1)
    if mask.isEmpty || mask == all {
      result.encoding = .same
      put(UInt64(mask.isEmpty ? 0 : 1))
    } else {
      result.encoding = .bits
      put(mask)
    }
  }

  private mutating func writeIntegers() {
    fillGaps()
    let words = column.words
    var low = Int64.max
    var high = Int64.min
    for slot in 0..<slotCount {
      let value = Int64(bitPattern: words[slot])
      low = min(low, value)
      high = max(high, value)
    }
    let base = UInt64(bitPattern: low)
    range(base, UInt64(bitPattern: high))
    let span = UInt64(bitPattern: high) &- base
    if span == 0 {
      result.encoding = .same
      put(base)
    } else {
      let (encoding, layout) = ChunkEncoding.integers(span: span)
      let subtracted = UInt64(bitPattern: layout.base(least: low))
      result.encoding = encoding
      put(layout) { words[$0] &- subtracted }
    }
  }

  private mutating func writeFloats() {
    fillGaps()
    let words = column.words
    if allSame() {
      result.encoding = .same
      put(words[0])
    } else if writeDecimals() {
      return
    } else {
      result.encoding = .float32
      put(.float32) { words[$0] }
    }
    var low = Float.infinity
    var high = -Float.infinity
    var hasNaN = false
    for slot in 0..<slotCount {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: words[slot]))
      low = value < low ? value : low
      high = value > high ? value : high
      hasNaN = hasNaN || value.isNaN
    }
    if hasNaN { result.flags.insert(.nan) }
    if low <= high { range(UInt64(low.bitPattern), UInt64(high.bitPattern)) }
  }

  private mutating func writeDoubles() {
    fillGaps()
    let words = column.words
    if allSame() {
      result.encoding = .same
      put(words[0])
    } else if writeDecimals() {
      return
    } else {
      result.encoding = .float64
      put(.float64) { words[$0] }
    }
    var low = Double.infinity
    var high = -Double.infinity
    var hasNaN = false
    for slot in 0..<slotCount {
      let value = Double(bitPattern: words[slot])
      low = value < low ? value : low
      high = value > high ? value : high
      hasNaN = hasNaN || value.isNaN
    }
    if hasNaN { result.flags.insert(.nan) }
    if low <= high { range(low.bitPattern, high.bitPattern) }
  }

  private mutating func writePairs() {
    let words = column.words
    guard let first = valid.first else { return }
    let (high, low) = (words[2 * first], words[2 * first + 1])
    Mask(firstCount: slotCount).andNot(valid).forEach {
      words[2 * $0] = high
      words[2 * $0 + 1] = low
    }
    var difference: UInt64 = 0
    for slot in 0..<slotCount { difference |= (words[2 * slot] ^ high) | (words[2 * slot + 1] ^ low) }
    if difference == 0 {
      result.encoding = .same
      put(high)
      put(low)
    } else {
      result.encoding = .uuid
      memcpy(start + cursor, words, 16 * slotCount)
      cursor += 16 * slotCount
    }
  }

  /// Writes an entry for each slot.
  @inline(__always) mutating func put(_ layout: NumberBlock.Layout, _ entry: (Int) -> UInt64) {
    cursor += layout.write(slotCount, at: start + cursor, entry)
  }
}
