import Schema
import Values

/// Joined elements of collections, or keys of dictionaries: a word each, two for a UUID. The bytes of strings are
/// joined, and each string's word is its end offset.
///
/// It can only be appended to. It does not know which object an element belongs to.
struct ElementBuffer {
  let type: ScalarType
  private(set) var count = 0
  private(set) var words: [UInt64] = []
  private(set) var bytes: [UInt8] = []
  /// Whether each element is nil; empty while none is. A nil has a word, or an empty string.
  private var nils: [Bool] = []

  init(_ type: ScalarType) { self.type = type }

  var isText: Bool { type.isKeptAsBytes }

  /// The range of an element's string in `bytes`.
  @inline(__always) func textRange(_ index: Int) -> Range<Int> {
    Range(uncheckedBounds: (index == 0 ? 0 : Int(words[index - 1]), Int(words[index])))
  }

  /// Whether some of the elements are nil.
  func hasNils(_ range: Range<Int>) -> Bool { !nils.isEmpty && nils[range].contains(true) }

  /// Whether an element is nil.
  @inline(__always) func isNil(_ index: Int) -> Bool { !nils.isEmpty && nils[index] }

  private mutating func appendNil() {
    if nils.isEmpty { nils = Array(repeating: false, count: count) }
    switch type {
    case .string, .data, .decimal: words.append(UInt64(bytes.count))
    case .uuid: words += [0, 0]
    // The number before it widens no range.
    case .bool, .int8, .int16, .int32, .int, .float, .double, .date: words.append(words.last ?? 0)
    }
    nils.append(true)
    count += 1
  }

  /// Records whether each of the elements just appended is nil.
  private mutating func note(_ isNil: (Int) -> Bool, of range: Range<Int>, anyNil: Bool) {
    if nils.isEmpty {
      guard anyNil else { return }
      nils = Array(repeating: false, count: count - range.count)
    }
    for index in range { nils.append(isNil(index)) }
  }

  /// Appends a value of the type, or nil.
  mutating func append(_ value: Value) {
    if value.isNull { return appendNil() }
    appendPresent(value)
    if !nils.isEmpty { nils.append(false) }
  }

  private mutating func appendPresent(_ value: Value) {
    switch value {
    case .bool(let value): words.append(value ? 1 : 0)
    case .int(let value): words.append(UInt64(bitPattern: value))
    case .float(let value): words.append(UInt64(value.bitPattern))
    case .double(let value): words.append(value.bitPattern)
    case .date(let value): words.append(value.seconds.bitPattern)
    case .uuid(let value):
      words.append(value.high)
      words.append(value.low)
    case .string(let value): return append(text: value)
    case .data(let value):
      bytes.append(contentsOf: value)
      words.append(UInt64(bytes.count))
    case .decimal(let value):
      value.withBytes { bytes.append(contentsOf: $0) }
      words.append(UInt64(bytes.count))
    case .null, .list, .embedded, .object: return
    }
    count += 1
  }

  mutating func append(text: String) {
    bytes.append(contentsOf: text.utf8)
    words.append(UInt64(bytes.count))
    count += 1
  }

  /// Appends elements of another buffer of the type.
  mutating func append(_ other: ElementBuffer, _ range: Range<Int>) {
    if range.isEmpty { return }
    if isText {
      let start = other.textRange(range.lowerBound).lowerBound
      let shift = UInt64(bytes.count) &- UInt64(start)
      bytes.append(contentsOf: other.bytes[start..<other.textRange(range.upperBound - 1).upperBound])
      for index in range { words.append(other.words[index] &+ shift) }
    } else {
      let width = type == .uuid ? 2 : 1
      words.append(contentsOf: other.words[range.lowerBound * width..<range.upperBound * width])
    }
    count += range.count
    note(other.isNil, of: range, anyNil: other.hasNils(range))
  }

  /// Appends validated elements from a file; `nilBits` marks those that are nil.
  mutating func append(_ values: ColumnValues, _ nilBits: UnsafePointer<UInt64>?, _ range: Range<Int>) {
    appendPresent(values, range)
    func isNil(_ index: Int) -> Bool {
      nilBits.map { $0[index >> 6] >> UInt64(index & 63) & 1 == 1 } ?? false
    }
    note(isNil, of: range, anyNil: range.contains(where: isNil))
  }

  private mutating func appendPresent(_ values: ColumnValues, _ range: Range<Int>) {
    if range.isEmpty { return }
    switch values {
    case .same(let value):
      for _ in range { appendPresent(value) }
      return
    case .bits(let bits): for index in range { words.append(bits[index >> 6] >> UInt64(index & 63) & 1) }
    case .numbers(let numbers): for index in range { words.append(numbers.word(index)) }
    case .uuid(let pairs):
      for place in range.lowerBound * 2..<range.upperBound * 2 { words.append(pairs[place]) }
    case .dictionary(let codes, let entries):
      for index in range {
        bytes.append(contentsOf: entries[Int(codes[index])])
        words.append(UInt64(bytes.count))
      }
    case .text(let block):
      for index in range {
        bytes.append(contentsOf: block[index])
        words.append(UInt64(bytes.count))
      }
    case .collection: return
    }
    count += range.count
  }

  func value(_ index: Int) -> Value {
    if isNil(index) { return .null }
    return switch type {
    case .bool: .bool(words[index] == 1)
    case .int8, .int16, .int32, .int: .int(Int64(bitPattern: words[index]))
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: words[index])))
    case .double: .double(Double(bitPattern: words[index]))
    case .date: .date(Instant(seconds: Double(bitPattern: words[index])))
    case .uuid: .uuid(UUIDBytes(high: words[2 * index], low: words[2 * index + 1]))
    case .string, .data, .decimal:
      bytes.withUnsafeBytes { type.value(keptAs: UnsafeRawBufferPointer(rebasing: $0[textRange(index)])) }
    }
  }

  func text(_ index: Int) -> String { String(decoding: bytes[textRange(index)], as: UTF8.self) }

  /// Whether two runs of elements are equal, bit by bit.
  func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count, nils.isEmpty || nils[left].elementsEqual(nils[right]) else { return false }
    if isText {
      return zip(left, right).allSatisfy { bytes[textRange($0)].elementsEqual(bytes[textRange($1)]) }
    }
    let width = type == .uuid ? 2 : 1
    return words[left.lowerBound * width..<left.upperBound * width].elementsEqual(
      words[right.lowerBound * width..<right.upperBound * width])
  }
}
