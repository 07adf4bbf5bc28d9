import CKernels
import Schema
import Values

/// The bytes of one column's chunk and its directory entry: validated, then split into parts.
///
/// The same code measures the parts for validation and for reading; reading relies on earlier validation.
struct Chunk {
  let bytes: UnsafeRawBufferPointer
  let entry: ClusterEntry
  let type: ScalarType
  /// Which collections it holds; nil for single values.
  let kind: CollectionKind?
  let present: Mask
  let slotCount: Int

  /// Why a chunk is damaged.
  struct Damage: Error {
    let what: String
  }

  /// The start of the bytes. They lie within a cluster or an LMDB value, so they have an address even if there are
  /// none.
  @inline(__always) var base: UnsafeRawPointer { bytes.baseAddress.unsafelyUnwrapped }

  /// The slots that are nil.
  @inline(__always) var nulls: Mask {
    if entry.encoding == ChunkEncoding.absent.rawValue { return present }
    return entry.flags.contains(.nulls) ? Mask(loading: base.assumingMemoryBound(to: UInt64.self)) : .none
  }

  @inline(__always) private var nullsSize: Int { entry.flags.contains(.nulls) ? 32 : 0 }

  /// The slots whose string or collection is an overflow value.
  @inline(__always) var outOfLine: Mask {
    entry.flags.contains(.outOfLine) ? Mask(loading: (base + nullsSize).assumingMemoryBound(to: UInt64.self)) : .none
  }

  /// Size and hash of each value out of line.
  var references: UnsafePointer<UInt64>? {
    entry.flags.contains(.outOfLine) ? (base + (nullsSize + 32)).assumingMemoryBound(to: UInt64.self) : nil
  }

  /// The offset of the values.
  @inline(__always) var valuesPlace: Int {
    entry.flags.contains(.outOfLine) ? nullsSize + 32 + outOfLine.count * 16 : nullsSize
  }

  /// The bytes of the string, in a chunk where all strings are the same.
  @inline(__always) var sameText: UnsafeRawBufferPointer {
    let length = (base + valuesPlace).load(as: UInt64.self)
    return UnsafeRawBufferPointer(start: base + valuesPlace + 8, count: Int(truncatingIfNeeded: length))
  }

  /// The joined strings at an offset of the chunk.
  @inline(__always) private func block(at place: Int) -> TextBlock {
    TextBlock(at: base + place, isASCII: entry.flags.contains(.ascii))
  }

  /// The values. The chunk has been checked.
  @inline(__always) var values: ColumnValues {
    let start = base + valuesPlace
    switch (ChunkEncoding(rawValue: entry.encoding) ?? .absent).form {
    case .absent: return .same(.null)
    case .same: return .same(type.shared(at: start, text: type.value(keptAs: sameText)))
    case .bits: return .bits(start.assumingMemoryBound(to: UInt64.self))
    case .numbers(let layout): return .numbers(numbers(layout))
    case .decimals(let layout): return .numbers(decimals(layout))
    case .uuid: return .uuid(start.assumingMemoryBound(to: UInt64.self))
    case .dictionary:
      return .dictionary(
        codes: start.assumingMemoryBound(to: UInt8.self),
        entries: block(at: valuesPlace + ClusterFormat.aligned(slotCount)))
    case .text: return .text(block(at: valuesPlace))
    case .collection: return collections(isShared: false)
    case .sameCollection: return collections(isShared: true)
    }
  }

  @inline(__always) private func numbers(_ layout: NumberBlock.Layout) -> NumberBlock {
    NumberBlock(
      layout, NumberBlock.Kind(type), base: layout.base(least: Int64(bitPattern: entry.minimum)), base + valuesPlace,
      count: slotCount)
  }

  @inline(__always) private func decimals(_ layout: NumberBlock.Layout) -> NumberBlock {
    NumberBlock(decimals: layout, NumberBlock.Kind(type), at: base + valuesPlace, count: slotCount)
  }
}

extension ScalarType {
  /// The one value that all objects of a column, or all elements of a block, have.
  ///
  /// - Parameter text: A value that is kept as bytes.
  @inline(never) func shared(at start: UnsafeRawPointer, text: @autoclosure () -> Value) -> Value {
    let word = start.load(as: UInt64.self)
    switch self {
    case .bool: return .bool(word & 1 == 1)
    case .int8, .int16, .int32, .int: return .int(Int64(bitPattern: word))
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case .double: return .double(Double(bitPattern: word))
    case .date: return .date(Instant(seconds: Double(bitPattern: word)))
    case .uuid: return .uuid(UUIDBytes(high: word, low: start.load(fromByteOffset: 8, as: UInt64.self)))
    case .string, .data, .decimal: return text()
    }
  }
}

extension Chunk {
  /// Checks everything that reading relies on.
  func validate() throws(Damage) {
    guard entry.encoding != ChunkEncoding.absent.rawValue else { return }
    guard Checksum.fits(bytes, entry.checksum) else { throw Damage(what: "the checksum is wrong") }
    guard bytes.count >= nullsSize + (entry.flags.contains(.outOfLine) ? 32 : 0) else { throw tooShort }
    if entry.flags.contains(.nulls) {
      guard nulls.isSubset(of: present), nulls.count == entry.nullCount, nulls != present
      else { throw Damage(what: "its nils are wrong") }
    }
    if entry.flags.contains(.outOfLine) {
      guard !outOfLine.isEmpty, outOfLine.isSubset(of: present.andNot(nulls))
      else { throw Damage(what: "its long values are wrong") }
    }
    guard valuesPlace <= bytes.count else { throw tooShort }
    try validateValues(ChunkEncoding(rawValue: entry.encoding) ?? .absent)
  }

  var tooShort: Damage { Damage(what: "the length is wrong") }

  func expect(_ size: Int) throws(Damage) {
    guard ClusterFormat.aligned(size) == bytes.count - valuesPlace else { throw tooShort }
  }

  private func validateValues(_ encoding: ChunkEncoding) throws(Damage) {
    let start = base + valuesPlace
    switch encoding.form {
    case .absent: try expect(0)
    case .same: try validateSame(start)
    case .bits: try expect(32)
    case .numbers(let layout):
      try expect(layout.size(slotCount))
      let valid = present.andNot(nulls)
      guard numbers(layout).isWithin(entry.minimum, entry.maximum, slotCount, isThere: { valid[$0] }) else {
        throw Damage(what: "a value is out of range")
      }
    case .decimals(let layout):
      try expect(NumberBlock.decimalHeaderSize + layout.size(slotCount))
      let exponent = start.load(fromByteOffset: 8, as: UInt64.self)
      let exponents = type == .decimal ? NumberBlock.exactExponents : NumberBlock.exponents
      guard exponent <= UInt64(exponents.upperBound) else { throw Damage(what: "its point is misplaced") }
      guard decimals(layout).areDecimals(within: entry.minimum, entry.maximum, slotCount) else {
        throw Damage(what: "a value is out of range")
      }
    case .uuid: try expect(slotCount * 16)
    case .dictionary:
      let codesSize = ClusterFormat.aligned(slotCount)
      guard bytes.count - valuesPlace >= codesSize else { throw tooShort }
      let count = try validateBlock(at: valuesPlace + codesSize)
      let codes = start.assumingMemoryBound(to: UInt8.self)
      var highest: UInt8 = 0
      for slot in 0..<slotCount { highest = max(highest, codes[slot]) }
      guard Int(highest) < count else { throw Damage(what: "a code is out of range") }
      if type == .decimal {
        let entries = block(at: valuesPlace + codesSize)
        for entry in 0..<count { try Self.expectDecimal(entries[entry]) }
      }
    case .collection, .sameCollection: try validateCollections()
    case .text:
      guard try validateBlock(at: valuesPlace) == slotCount else { throw Damage(what: "the number of texts is wrong") }
      if type == .decimal {
        let texts = block(at: valuesPlace)
        let valid = present.andNot(nulls)
        for slot in 0..<slotCount where valid[slot] { try Self.expectDecimal(texts[slot]) }
      }
    }
  }

  /// Checks that bytes are those of a decimal number.
  static func expectDecimal(_ bytes: UnsafeRawBufferPointer) throws(Damage) {
    guard DecimalValue(bytes: bytes) != nil else { throw Damage(what: "a decimal number is not valid") }
  }

  private func validateSame(_ start: UnsafeRawPointer) throws(Damage) {
    switch type {
    case .string, .data, .decimal:
      guard bytes.count - valuesPlace >= 8 else { throw tooShort }
      let length = start.load(as: UInt64.self)
      guard length <= UInt64(bytes.count - valuesPlace - 8),
        ClusterFormat.aligned(8 + Int(length)) == bytes.count - valuesPlace
      else { throw tooShort }
      guard type != .string || isUTF8(start + 8, Int(length), texts: 0) else {
        throw Damage(what: "a text is not UTF-8")
      }
      if type == .decimal { try Self.expectDecimal(sameText) }
    case .uuid: try expect(16)
    case .bool, .int8, .int16, .int32, .int, .float, .double, .date:
      try expect(8)
      let word = start.load(as: UInt64.self)
      if type.isInteger || type == .bool {
        guard word == entry.minimum, word == entry.maximum else { throw Damage(what: "a value is out of range") }
      }
    }
  }

  /// Validates the joined strings that fill the rest of the chunk. Returns their number.
  private func validateBlock(at place: Int) throws(Damage) -> Int {
    let count = try TextBlock.validate(
      UnsafeRawBufferPointer(rebasing: bytes[place...]), isASCII: entry.flags.contains(.ascii), type: type)
    guard count <= Mask.slotCount else { throw Damage(what: "the number of texts is wrong") }
    return count
  }

  private func isUTF8(_ start: UnsafeRawPointer, _ count: Int, texts: Int) -> Bool {
    var joints = 0
    return os_is_joined_utf8(start.assumingMemoryBound(to: UInt8.self), count, &joints) && joints == texts
  }
}
