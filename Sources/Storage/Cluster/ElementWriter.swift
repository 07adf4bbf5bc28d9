import CKernels
import CXXHash
import Glibc
import Schema

/// Writes joined elements as an `ElementBlock`, in the cheapest encoding that fits.
///
/// The owner must provide enough aligned memory: `bound` returns how much.
struct ElementWriter {
  private let start: UnsafeMutableRawPointer
  /// The number of bytes written.
  private(set) var cursor = 0
  private var flags: UInt8 = 0

  init(at start: UnsafeMutableRawPointer) { self.start = start }

  /// The maximum number of bytes of a block of some elements.
  static func bound(_ elements: ElementBuffer, _ range: Range<Int>) -> Int {
    let nils = elements.hasNils(range) ? (range.count + 63) / 64 * 8 : 0
    guard elements.isText, let last = range.last else { return ElementBlock.headerSize + nils + 16 * range.count + 8 }
    let bytes = elements.textRange(last).upperBound - elements.textRange(range.lowerBound).lowerBound
    return ElementBlock.headerSize + nils + 32 + 6 * range.count + bytes
  }

  /// The bytes of an overflow value with elements and their keys.
  static func bytes(_ elements: ElementBuffer, _ keys: ElementBuffer?) -> [UInt8] {
    let bound =
      bound(elements, 0..<elements.count) + (keys.map { Self.bound($0, 0..<$0.count) } ?? 0)
    // Whole words, so that the memory is aligned to eight bytes.
    let words = [UInt64](unsafeUninitializedCapacity: bound / 8 + 1) { buffer, count in
      guard let address = buffer.baseAddress else { return }
      let start = UnsafeMutableRawPointer(address)
      var writer = ElementWriter(at: start)
      writer.write(elements, 0..<elements.count)
      var used = writer.cursor
      if let keys {
        var keyWriter = ElementWriter(at: start + used)
        keyWriter.write(keys, 0..<keys.count)
        used += keyWriter.cursor
      }
      count = used / 8
    }
    return words.withUnsafeBytes { Array($0) }
  }

  /// Writes the block of some elements.
  mutating func write(_ elements: ElementBuffer, _ range: Range<Int>) {
    cursor = ElementBlock.headerSize
    if elements.hasNils(range) { writeNils(elements, range) }
    var minimum: UInt64 = 0
    var maximum: UInt64 = 0
    let encoding: ChunkEncoding
    if range.isEmpty {
      encoding = .absent
    } else if elements.isText {
      encoding = writeTexts(elements, range)
    } else {
      encoding = elements.words.withUnsafeBufferPointer { words in
        let width = elements.type == .uuid ? 2 : 1
        let used = UnsafeBufferPointer(rebasing: words[range.lowerBound * width..<range.upperBound * width])
        switch elements.type {
        case .bool: return writeBools(used)
        case .int8, .int16, .int32, .int: return writeIntegers(used, &minimum, &maximum)
        case .float: return writeReals(used, .float32, .float32)
        case .double, .date: return writeReals(used, .float64, .float64)
        case .uuid: return writePairs(used)
        case .string, .data, .decimal: return .absent
        }
      }
    }
    while cursor & 7 != 0 { put(UInt8(0)) }
    let length = cursor
    cursor = 0
    put(UInt32(truncatingIfNeeded: range.count))
    put(UInt32(truncatingIfNeeded: length))
    put(encoding.rawValue)
    put(flags)
    put(UInt16(0))
    put(UInt32(0))
    put(minimum)
    put(maximum)
    cursor = length
  }

  private mutating func writeNils(_ elements: ElementBuffer, _ range: Range<Int>) {
    flags |= ElementBlock.nilsFlag
    for first in stride(from: range.lowerBound, to: range.upperBound, by: 64) {
      var bits: UInt64 = 0
      for index in first..<min(first + 64, range.upperBound) where elements.isNil(index) {
        bits |= 1 << UInt64(index - first)
      }
      put(bits)
    }
  }

  @inline(__always) private mutating func put<T: BitwiseCopyable>(_ value: T) {
    start.storeBytes(of: value, toByteOffset: cursor, as: T.self)
    cursor += MemoryLayout<T>.size
  }

  // MARK: Numbers

  private func areSame(_ words: UnsafeBufferPointer<UInt64>, every width: Int = 1) -> Bool {
    for index in words.indices.dropFirst(width) where words[index] != words[index % width] { return false }
    return true
  }

  private mutating func writeBools(_ words: UnsafeBufferPointer<UInt64>) -> ChunkEncoding {
    if areSame(words) {
      put(words[0])
      return .same
    }
    var place = 0
    while place < words.count {
      var bits: UInt64 = 0
      for bit in 0..<min(64, words.count - place) { bits |= (words[place + bit] & 1) << UInt64(bit) }
      put(bits)
      place += 64
    }
    return .bits
  }

  private mutating func writeIntegers(
    _ words: UnsafeBufferPointer<UInt64>, _ minimum: inout UInt64, _ maximum: inout UInt64
  ) -> ChunkEncoding {
    var low = Int64.max
    var high = Int64.min
    for word in words {
      low = min(low, Int64(bitPattern: word))
      high = max(high, Int64(bitPattern: word))
    }
    let base = UInt64(bitPattern: low)
    minimum = base
    maximum = UInt64(bitPattern: high)
    let span = maximum &- base
    if span == 0 {
      put(base)
      return .same
    }
    let (encoding, layout) = ChunkEncoding.integers(span: span)
    let subtracted = UInt64(bitPattern: layout.base(least: low))
    cursor += layout.write(words.count, at: start + cursor) { words[$0] &- subtracted }
    return encoding
  }

  private mutating func writeReals(
    _ words: UnsafeBufferPointer<UInt64>, _ encoding: ChunkEncoding, _ layout: NumberBlock.Layout
  ) -> ChunkEncoding {
    if areSame(words) {
      put(words[0])
      return .same
    }
    cursor += layout.write(words.count, at: start + cursor) { words[$0] }
    return encoding
  }

  private mutating func writePairs(_ words: UnsafeBufferPointer<UInt64>) -> ChunkEncoding {
    if areSame(words, every: 2) {
      put(words[0])
      put(words[1])
      return .same
    }
    for word in words { put(word) }
    return .uuid
  }

  // MARK: Texts

  /// Writes strings: with a dictionary if that saves a quarter, otherwise one after another.
  private mutating func writeTexts(_ elements: ElementBuffer, _ range: Range<Int>) -> ChunkEncoding {
    elements.bytes.withUnsafeBytes { bytes in
      func text(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[elements.textRange(index)])
      }
      if let dictionary = Dictionary(range, text) {
        for code in dictionary.codes { put(code) }
        while cursor & 7 != 0 { put(UInt8(0)) }
        writeBlock(dictionary.firsts, isString: elements.type == .string, text)
        return .dictionary
      }
      writeBlock(range, isString: elements.type == .string, text)
      return .text
    }
  }

  /// Writes the joined strings of some elements.
  private mutating func writeBlock(
    _ indices: some Collection<Int>, isString: Bool, _ text: (Int) -> UnsafeRawBufferPointer
  ) {
    put(UInt32(truncatingIfNeeded: indices.count))
    let byteCountPlace = cursor
    put(UInt32(0))
    var used = 0
    put(UInt32(0))
    for index in indices {
      used += text(index).count + 1
      put(UInt32(truncatingIfNeeded: used))
    }
    let first = start + cursor
    for index in indices {
      let text = text(index)
      if let address = text.baseAddress { memcpy(start + cursor, address, text.count) }
      cursor += text.count
      put(0xFF as UInt8)
    }
    start.storeBytes(of: UInt32(truncatingIfNeeded: used), toByteOffset: byteCountPlace, as: UInt32.self)
    // In Data 0xFF may be a byte of a value, so Data is never marked as ASCII.
    if isString, os_is_ascii(first.assumingMemoryBound(to: UInt8.self), used, true) { flags |= ElementBlock.asciiFlag }
  }

  /// The distinct strings among elements, in the order of their first occurrence.
  private struct Dictionary {
    /// A code for each element.
    private(set) var codes: [UInt8] = []
    /// The element of each string's first occurrence.
    private(set) var firsts: [Int] = []

    /// The size of the hash table. Its slots hold a code plus 1; 0 is empty.
    private static let places = 1024
    private static let most = 256

    /// nil if there are too many distinct strings for a dictionary to be worthwhile.
    init?(_ range: Range<Int>, _ text: (Int) -> UnsafeRawBufferPointer) {
      var distinctBytes = 0
      var totalBytes = 0
      codes.reserveCapacity(range.count)
      let fits = withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.places) { table in
        table.initialize(repeating: 0)
        for index in range {
          let own = text(index)
          totalBytes += own.count
          var place = Int(truncatingIfNeeded: XXH3_64bits(own.baseAddress, own.count)) & (Self.places - 1)
          while table[place] != 0, !text(firsts[Int(table[place]) - 1]).elementsEqual(own) {
            place = (place + 1) & (Self.places - 1)
          }
          if table[place] == 0 {
            guard firsts.count < Self.most else { return false }
            firsts.append(index)
            distinctBytes += own.count
            table[place] = UInt16(firsts.count)
          }
          codes.append(UInt8(truncatingIfNeeded: table[place] - 1))
          if codes.count >= 48, codes.count & 15 == 0, firsts.count * 8 > codes.count * 7 { return false }
        }
        return true
      }
      guard fits, range.count + distinctBytes + 5 * firsts.count < (totalBytes + 5 * range.count) * 3 / 4 else {
        return nil
      }
    }
  }
}
