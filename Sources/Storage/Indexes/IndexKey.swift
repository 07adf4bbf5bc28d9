package import Schema
package import Values

/// Values as bytes whose unsigned order is the language's sort order: nil, NaN, −∞ … +∞, and so for every type.
///
/// Every element of a key tells its own end, so the keys of tuples are those of their elements joined, and the first
/// columns encode to the beginning of the key:
///
/// ```
/// nil      00
/// Bool     01 │ 00 or 01
/// integers 01 │ 8 bytes, big-endian, sign bit turned
/// Double   01 │ 8 bytes, big-endian: sign bit turned, negative numbers inverted; NaN is zero, -0.0 is 0.0
/// Float    01 │ 4 bytes likewise
/// UUID     01 │ 16 bytes
/// text     01 │ its bytes, with 00 as 00 FF │ 00
/// ```
/// LMDB's keys end at 511 bytes: one over 500 becomes its first 484 bytes and 16 bytes of hash. So keys that share
/// 484 bytes are in no particular order, and an index that has such keys must look at the objects again.
package enum IndexKey {
  /// The longest key kept as it is.
  package static let longest = 500
  /// How much is kept of a longer one.
  package static let keptPrefix = 484

  /// The key of a tuple of values, and whether it had to be shortened.
  package static func encode(_ values: [Value], types: [ScalarType]) -> [UInt8] { [] }

  /// The exclusive end of all keys that begin with `key`; nil when nothing comes after them.
  package static func encodePrefixUpperBound(_ key: [UInt8]) -> [UInt8]? { nil }
}
