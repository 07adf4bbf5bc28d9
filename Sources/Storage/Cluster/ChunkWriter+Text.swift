import CKernels
import CXXHash
import Glibc
import Schema

extension ChunkWriter {
  /// Writes strings: a single one if all are the same, with a dictionary if that saves a quarter, otherwise one after
  /// another.
  mutating func writeTexts(_ texts: TextBuffer) {
    let long = texts.outOfLine & valid
    if long.isEmpty, let dictionary = Dictionary(texts, valid: valid) {
      if dictionary.count == 1 {
        writeSame(texts, dictionary.firstSlots[0])
        return
      }
      let entryBytes = dictionary.byteCount + 5 * dictionary.count
      if slotCount + entryBytes < (dictionary.totalBytes + 5 * slotCount) * 3 / 4 {
        writeDictionary(texts, dictionary)
        return
      }
    }
    if !long.isEmpty { writeReferences(texts.long, long) }
    result.encoding = .text
    let inline = valid.andNot(long)
    writeBlock(texts, count: slotCount) { inline[$0] ? $0 : nil }
    if long.isEmpty { findRange(texts, slots: valid) }
  }

  private mutating func writeSame(_ texts: TextBuffer, _ slot: Int) {
    result.encoding = .same
    let text = texts.text(slot)
    put(UInt64(text.count))
    if let bytes = text.baseAddress { memcpy(start + cursor, bytes, text.count) }
    cursor += text.count
    findRange(texts, slots: Mask(slot: slot))
  }

  /// Writes the mask of the overflow values, and their sizes and hashes.
  mutating func writeReferences(_ long: OverflowValues, _ slots: Mask) {
    result.flags.insert(.outOfLine)
    put(slots)
    slots.forEach { slot in
      let (size, hash) = long.reference(slot)
      put(size)
      put(hash)
    }
  }

  private mutating func writeDictionary(_ texts: TextBuffer, _ dictionary: borrowing Dictionary) {
    result.encoding = .dictionary
    let order = Self.order(texts, dictionary)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Mask.slotCount) { ranks in
      for (rank, code) in order.enumerated() { ranks[code] = UInt8(truncatingIfNeeded: rank) }
      for slot in 0..<slotCount { put(ranks[Int(dictionary.codes[slot])]) }
    }
    pad()
    var slots = Mask.none
    for code in 0..<dictionary.count { slots[dictionary.firstSlots[code]] = true }
    let firstSlots = dictionary.firstSlots
    writeBlock(texts, count: dictionary.count) { firstSlots[order[$0]] }
    findRange(texts, slots: slots)
  }

  /// The codes in the order in which their strings are written. Few strings are sorted, so that clusters with the same
  /// strings have identical dictionaries.
  private static func order(_ texts: TextBuffer, _ dictionary: borrowing Dictionary) -> [Int] {
    var order = Array(0..<dictionary.count)
    guard dictionary.count <= 16 else { return order }
    let firstSlots = dictionary.firstSlots
    order.sort { compare(texts.text(firstSlots[$0]), texts.text(firstSlots[$1])) < 0 }
    return order
  }

  /// Writes joined strings: for each entry the string of the slot that `slotOfEntry` returns, or an empty one.
  private mutating func writeBlock(_ texts: TextBuffer, count: Int, _ slotOfEntry: (Int) -> Int?) {
    put(UInt32(truncatingIfNeeded: count))
    let byteCountPlace = cursor
    put(UInt32(0))
    let offsets = (start + cursor).bindMemory(to: UInt32.self, capacity: count + 1)
    cursor += 4 * (count + 1)
    let bytes = start + cursor
    var used = 0
    for entry in 0..<count {
      offsets[entry] = UInt32(truncatingIfNeeded: used)
      if let slot = slotOfEntry(entry) {
        let length = Int(texts.lengths[slot])
        memcpy(bytes + used, texts.bytes + Int(texts.starts[slot]), length)
        used &+= length
      }
      bytes.storeBytes(of: 0xFF, toByteOffset: used, as: UInt8.self)
      used &+= 1
    }
    offsets[count] = UInt32(truncatingIfNeeded: used)
    start.storeBytes(of: UInt32(truncatingIfNeeded: used), toByteOffset: byteCountPlace, as: UInt32.self)
    // In Data 0xFF may be a byte of a value, so Data is never marked as ASCII.
    if column.type == .string, os_is_ascii(bytes.assumingMemoryBound(to: UInt8.self), used, true) {
      result.flags.insert(.ascii)
    }
    cursor += used
  }

  /// Finds the minimum and maximum string, if both are short enough for the directory.
  private mutating func findRange(_ texts: TextBuffer, slots: Mask) {
    guard column.type == .string, let first = slots.first else { return }
    var least = first
    var greatest = first
    slots.forEach { slot in
      if Self.compare(texts.text(slot), texts.text(least)) < 0 { least = slot }
      if Self.compare(texts.text(slot), texts.text(greatest)) > 0 { greatest = slot }
    }
    guard texts.lengths[least] <= UInt32(ClusterFormat.longestRangeText),
      texts.lengths[greatest] <= UInt32(ClusterFormat.longestRangeText)
    else { return }
    result.leastText = least
    result.greatestText = greatest
  }

  @inline(__always)
  private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    guard let start = a.baseAddress, let other = b.baseAddress else { return a.count - b.count }
    let order = memcmp(start, other, min(a.count, b.count))
    return order != 0 ? Int(order) : a.count - b.count
  }
}

extension ChunkWriter {
  /// The distinct strings of a column, in the order of their first occurrence.
  struct Dictionary {
    private(set) var count = 0
    /// The code of each slot; 0 for those without a value.
    private(set) var codes: [UInt8]
    /// The slot of each string's first occurrence.
    private(set) var firstSlots: [Int] = []
    /// The number of bytes of the distinct strings, and of all strings.
    private(set) var byteCount = 0
    private(set) var totalBytes = 0

    /// The size of the hash table. Its slots hold a code plus 1; 0 is empty.
    private static let places = 512

    /// nil if too many strings are distinct for a dictionary to be worthwhile.
    init?(_ texts: TextBuffer, valid: Mask) {
      codes = [UInt8](repeating: 0, count: Mask.slotCount)
      firstSlots.reserveCapacity(64)
      var seen = 0
      let isWorthIt = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.places) { table in
        table.initialize(repeating: 0)
        var word = 0
        while word < 4 {
          var bits = valid.word(word)
          while bits != 0 {
            enter(texts, word &* 64 &+ bits.trailingZeroBitCount, table)
            bits &= bits &- 1
            seen += 1
          }
          if seen >= 48, count * 8 > seen * 7 { return false }
          word += 1
        }
        return true
      }
      guard isWorthIt else { return nil }
    }

    @inline(__always)
    private mutating func enter(_ texts: TextBuffer, _ slot: Int, _ table: UnsafeMutableBufferPointer<UInt16>) {
      let text = texts.text(slot)
      totalBytes += text.count
      var place = Int(truncatingIfNeeded: XXH3_64bits(text.baseAddress, text.count)) & (Self.places - 1)
      while table[place] != 0 {
        let code = Int(table[place]) - 1
        let other = firstSlots[code]
        if texts.lengths[other] == texts.lengths[slot], Self.isEqual(texts.text(other), text) {
          codes[slot] = UInt8(truncatingIfNeeded: code)
          return
        }
        place = (place + 1) & (Self.places - 1)
      }
      table[place] = UInt16(count + 1)
      codes[slot] = UInt8(truncatingIfNeeded: count)
      firstSlots.append(slot)
      byteCount += text.count
      count += 1
    }

    @inline(__always)
    private static func isEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
      guard let start = a.baseAddress, let other = b.baseAddress else { return true }
      return memcmp(start, other, a.count) == 0
    }
  }
}
