import Schema
import Values

/// Joined elements of collections, or keys of dictionaries, as they lie in a file.
///
/// ```
///   0  count u32 │ length u32          of the block, header included: a multiple of 8
///   8  encoding u8 │ flags u8 │ 0 u16 │ 0 u32
///  16  minimum u64 │ maximum u64       of whole numbers, which may be kept as offsets from the minimum
///  32  where some are nil: a bit for each element, padded to a multiple of 8
///   …  values: an array with one entry an element, or texts, as in a chunk; the entry of a nil means nothing
/// ```
/// It does not know which object an element belongs to. Reading trusts that `validate` was done.
struct ElementBlock {
  static let headerSize = 32
  /// The flag for strings that are all ASCII.
  static let asciiFlag: UInt8 = 1
  /// The flag of a block in which some elements are nil.
  static let nilsFlag: UInt8 = 2

  let start: UnsafeRawPointer
  let type: ScalarType

  @inline(__always) var count: Int { Int(start.load(as: UInt32.self)) }
  @inline(__always) var length: Int { Int(start.load(fromByteOffset: 4, as: UInt32.self)) }
  private var encoding: UInt8 { start.load(fromByteOffset: 8, as: UInt8.self) }
  private var flags: UInt8 { start.load(fromByteOffset: 9, as: UInt8.self) }
  private var minimum: UInt64 { start.load(fromByteOffset: 16, as: UInt64.self) }
  private var maximum: UInt64 { start.load(fromByteOffset: 24, as: UInt64.self) }
  private var nilsSize: Int { flags & Self.nilsFlag == 0 ? 0 : (count + 63) / 64 * 8 }
  @inline(__always) private var body: UnsafeRawPointer { start + (Self.headerSize + nilsSize) }

  /// A bit for each element, set if it is nil; nil if no element is nil.
  var nils: UnsafePointer<UInt64>? {
    flags & Self.nilsFlag == 0 ? nil : (start + Self.headerSize).assumingMemoryBound(to: UInt64.self)
  }

  /// The elements, one entry each. Strings are never `.same`, so that their bytes can be read.
  @inline(__always) var values: ColumnValues {
    switch (ChunkEncoding(rawValue: encoding) ?? .absent).form {
    // Elements that are kept as bytes have no such encoding.
    case .same: return .same(type.shared(at: body, text: .null))
    case .bits: return .bits(body.assumingMemoryBound(to: UInt64.self))
    case .numbers(let layout): return .numbers(numbers(layout))
    case .uuid: return .uuid(body.assumingMemoryBound(to: UInt64.self))
    case .dictionary:
      return .dictionary(
        codes: body.assumingMemoryBound(to: UInt8.self),
        entries: TextBlock(at: body + ClusterFormat.aligned(count), isASCII: flags & Self.asciiFlag != 0))
    case .text: return .text(TextBlock(at: body, isASCII: flags & Self.asciiFlag != 0))
    case .absent, .collection, .sameCollection, .decimals: return .same(.null)
    }
  }

  @inline(__always) private func numbers(_ layout: NumberBlock.Layout) -> NumberBlock {
    NumberBlock(
      layout, NumberBlock.Kind(type), base: layout.base(least: Int64(bitPattern: minimum)), body, count: count)
  }
}

extension ElementBlock {
  /// The block at the start of `bytes`, which must be aligned to eight bytes; validated so that reading it is safe.
  ///
  /// `writtenAs` is the type of the elements when they were written, which may be a narrower integer.
  init(
    checking bytes: UnsafeRawBufferPointer, type: ScalarType, writtenAs: ScalarType
  ) throws(Chunk.Damage) {
    guard bytes.count >= Self.headerSize, let start = bytes.baseAddress else { throw Self.tooShort }
    self.start = start
    self.type = type
    guard length >= Self.headerSize, length <= bytes.count, length & 7 == 0 else { throw Self.tooShort }
    guard let encoding = ChunkEncoding(rawValue: encoding), encoding.suits(writtenAs), !encoding.isCollection,
      (encoding == .absent) == (count == 0), flags & ~(Self.asciiFlag | Self.nilsFlag) == 0
    else { throw Chunk.Damage(what: "the kind of its elements is wrong") }
    if writtenAs.isInteger, count > 0 {
      let low = Int64(bitPattern: minimum), high = Int64(bitPattern: maximum)
      guard low <= high, writtenAs.integerRange.contains(low), writtenAs.integerRange.contains(high) else {
        throw Self.outOfRange
      }
    }
    guard length - Self.headerSize >= nilsSize else { throw Self.tooShort }
    try validateValues(encoding)
  }

  /// The number of bytes of the values.
  private var bodyLength: Int { length - Self.headerSize - nilsSize }

  private static var tooShort: Chunk.Damage { Chunk.Damage(what: "the length of its elements is wrong") }
  private static var outOfRange: Chunk.Damage { Chunk.Damage(what: "an element is out of range") }

  private func expect(_ size: Int) throws(Chunk.Damage) {
    guard ClusterFormat.aligned(size) == bodyLength else { throw Self.tooShort }
  }

  private func validateValues(_ encoding: ChunkEncoding) throws(Chunk.Damage) {
    switch encoding.form {
    case .absent, .collection, .sameCollection: try expect(0)
    case .decimals: throw Chunk.Damage(what: "the kind of its elements is wrong")
    case .same:
      guard !type.isKeptAsBytes else { throw Chunk.Damage(what: "the kind of its elements is wrong") }
      try expect(type == .uuid ? 16 : 8)
      if type.isInteger {
        let value = body.load(as: Int64.self)
        guard Int64(bitPattern: minimum) <= value, value <= Int64(bitPattern: maximum) else { throw Self.outOfRange }
      }
    case .bits: try expect((count + 63) / 64 * 8)
    case .numbers(let layout):
      try expect(layout.size(count))
      guard numbers(layout).isWithin(minimum, maximum, count, isThere: { _ in true }) else { throw Self.outOfRange }
    case .uuid: try expect(count * 16)
    case .dictionary:
      let codesSize = ClusterFormat.aligned(count)
      guard bodyLength >= codesSize else { throw Self.tooShort }
      let entries = try validateTexts(from: codesSize)
      let codes = body.assumingMemoryBound(to: UInt8.self)
      var highest: UInt8 = 0
      for index in 0..<count { highest = max(highest, codes[index]) }
      guard Int(highest) < entries else { throw Chunk.Damage(what: "a code is out of range") }
      if type == .decimal {
        let block = TextBlock(at: body + codesSize, isASCII: false)
        // Those that are nil may have an entry of their own, without bytes.
        let isSound = (0..<entries).map { DecimalValue(bytes: block[$0]) != nil }
        for index in 0..<count where !isNil(index) && !isSound[Int(codes[index])] {
          try Chunk.expectDecimal(block[Int(codes[index])])
        }
      }
    case .text:
      guard try validateTexts(from: 0) == count else { throw Chunk.Damage(what: "the number of texts is wrong") }
      if type == .decimal {
        let block = TextBlock(at: body, isASCII: false)
        for index in 0..<count where !isNil(index) { try Chunk.expectDecimal(block[index]) }
      }
    }
  }

  private func isNil(_ index: Int) -> Bool { nils.map { $0[index >> 6] >> UInt64(index & 63) & 1 == 1 } ?? false }

  private func validateTexts(from place: Int) throws(Chunk.Damage) -> Int {
    try TextBlock.validate(
      UnsafeRawBufferPointer(start: body + place, count: bodyLength - place),
      isASCII: flags & Self.asciiFlag != 0, type: type)
  }
}
