import Schema

/// The bytes of a cluster: one LMDB value with 256 slots of one entity, column by column. Little-endian.
///
/// ```
///   0  magic "OSCL"    u32 │ version u16 │ columns u16
///   8  checksum        u64   XXH3-64 of bytes 16 ..< directory length, seeded with the first eight bytes
///  16  entity          u32 │ directory length u32 (header, entries and range texts)
///  24  cluster number  u64
///  32  transaction     u64   that wrote it
///  40  total length    u32 │ 0 u32
///  48  presence        4 × u64
///  80  entries, 48 bytes each, one a column:
///        0 column number u32 │ encoding u8 │ type u8 │ flags u16
///        8 place u32 │ length u32          from the start of the cluster, both multiples of 8
///       16 checksum u64                    XXH3-64 of the chunk
///       24 null count u16 │ 0 u16 │ 0 u32
///       32 minimum u64 │ maximum u64       bits of the number; for text: place u32, length u32 among the range texts
///   …  range texts
///   …  chunks, each: [nulls 4 × u64] [out of line 4 × u64, then size u64 and hash u64 of each] values
/// ```
/// Strings are stored as `count u32 │ byte count u32 │ offsets (count + 1) × u32 │ bytes`, with 0xFF after each string;
/// a dictionary has one code byte for each slot before that, padded to a multiple of 8. Everything else is an array
/// with one entry for each slot. Collections are `offsets (slots + 1) × u32`, padded to a multiple of 8, which are the
/// start of each slot's elements, then an `ElementBlock` of all elements and, for dictionaries, one of their keys; if
/// all are the same, the offsets are 0 and the number of elements. Scaled numbers are
/// `base i64 │ exponent u64 │ offsets`; offsets of 40 bits are their upper 32 bits, padded to a multiple of 8, then the
/// lowest 8. The stored size of an overflow string is its length; that of an overflow collection has its length in the
/// low half and the number of its elements in the high half. Slots without a value hold an undefined entry that is safe
/// to read.
@usableFromInline enum ClusterFormat {
  static let magic: UInt32 = 0x4C43_534F
  static let version: UInt16 = 0

  static let headerSize = 80
  static let entrySize = 48

  /// The offsets of the header's fields.
  enum Header {
    static let magic = 0
    static let version = 4
    static let columnCount = 6
    static let checksum = 8
    static let entity = 16
    static let directoryLength = 20
    static let number = 24
    static let transaction = 32
    static let totalLength = 40
    static let presence = 48
  }

  /// The offsets of a directory entry's fields.
  enum Entry {
    static let number = 0
    static let encoding = 4
    static let type = 5
    static let flags = 6
    static let place = 8
    static let length = 12
    static let checksum = 16
    static let nullCount = 24
    static let reserved = 26
    static let minimum = 32
    static let maximum = 40
  }

  /// Longer strings and collections are overflow values, with their size and hash in the chunk.
  static let longestInlineText = 2048
  /// Longer strings are not stored as a minimum or maximum.
  static let longestRangeText = 32

  /// The checksum in the bytes of a cluster, which have a header.
  static func checksum(in cluster: [UInt8]) -> UInt64 {
    cluster.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: Header.checksum, as: UInt64.self) }
  }

  /// `n` rounded up to a multiple of eight.
  @inlinable @inline(__always) static func aligned(_ n: Int) -> Int { (n &+ 7) & ~7 }
}

/// How the values of a chunk are laid out.
enum ChunkEncoding: UInt8 {
  /// No object has a value; there is no chunk.
  case absent = 0
  /// All values are the same; it is stored once.
  case same = 1
  case bits = 2
  /// Offsets from the minimum.
  case int8 = 3
  case int16 = 4
  case int32 = 5
  case int64 = 6
  case float32 = 7
  case float64 = 8
  case uuid = 9
  case dictionary = 10
  case text = 11
  /// Elements of all collections one after another.
  case collection = 12
  /// All collections are the same; it is stored once.
  case sameCollection = 13
  /// Integers over a power of ten, as offsets from the smallest; those of 64 bits as they are.
  case scaled8 = 14
  case scaled16 = 15
  case scaled32 = 16
  case scaled40 = 17
  case scaled64 = 18

  /// The kind of an encoding, regardless of the layout of its numbers.
  enum Form {
    case absent, same, bits, uuid, dictionary, text, collection, sameCollection
    case numbers(NumberBlock.Layout)
    case decimals(NumberBlock.Layout)
  }

  /// The kind of the encoding, with the layout of its numbers.
  @inline(__always) var form: Form {
    switch self {
    case .absent: .absent
    case .same: .same
    case .bits: .bits
    case .int8: .numbers(.offsets8)
    case .int16: .numbers(.offsets16)
    case .int32: .numbers(.offsets32)
    case .int64: .numbers(.int64)
    case .float32: .numbers(.float32)
    case .float64: .numbers(.float64)
    case .uuid: .uuid
    case .dictionary: .dictionary
    case .text: .text
    case .collection: .collection
    case .sameCollection: .sameCollection
    case .scaled8: .decimals(.offsets8)
    case .scaled16: .decimals(.offsets16)
    case .scaled32: .decimals(.offsets32)
    case .scaled40: .decimals(.offsets40)
    case .scaled64: .decimals(.int64)
    }
  }

  /// Whether the encoding is for collections.
  @inline(__always) var isCollection: Bool { self == .collection || self == .sameCollection }
}

/// Properties of a chunk in its directory entry.
struct ChunkFlags: OptionSet {
  let rawValue: UInt16

  /// The chunk begins with a mask of the slots that are nil.
  static let nulls = ChunkFlags(rawValue: 1)
  /// Some value is NaN.
  static let nan = ChunkFlags(rawValue: 2)
  /// All strings are ASCII.
  static let ascii = ChunkFlags(rawValue: 4)
  /// The chunk is a separate LMDB value.
  static let elsewhere = ChunkFlags(rawValue: 8)
  /// The entry has the minimum and maximum of the values, without NaN.
  static let range = ChunkFlags(rawValue: 16)
  /// Some strings or collections are separate LMDB values.
  static let outOfLine = ChunkFlags(rawValue: 32)
  /// The collections are dictionaries: their elements have keys.
  static let keyed = ChunkFlags(rawValue: 64)

  static let known: ChunkFlags = [.nulls, .nan, .ascii, .elsewhere, .range, .outOfLine, .keyed]
}

extension ScalarType {
  /// The type's number in a file.
  var code: UInt8 {
    switch self {
    case .bool: 1
    case .int8: 2
    case .int16: 3
    case .int32: 4
    case .int: 5
    case .float: 6
    case .double: 7
    case .string: 8
    case .date: 9
    case .uuid: 10
    case .data: 11
    case .decimal: 12
    }
  }

  /// The range of integers of this type; the full range for other types.
  var integerRange: ClosedRange<Int64> {
    switch self {
    case .int8: Int64(Int8.min)...Int64(Int8.max)
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    default: .min ... .max
    }
  }
}
