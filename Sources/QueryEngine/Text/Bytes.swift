internal import CPlatform
internal import Glibc

/// Runs of bytes compared and searched.
enum Bytes {
  /// `A…Z` as `a…z`, other bytes as they are.
  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// How many bytes the scalar that starts with `byte` takes; 1 for a byte that starts none.
  @inline(__always)
  static func scalarLength(startingWith byte: UInt8) -> Int {
    byte < 0xC2 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 1
  }

  /// Negative, zero or positive, by unsigned bytes; a prefix comes first.
  @inline(__always)
  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let count = min(left.count, right.count)
    if count > 0, let a = left.baseAddress, let b = right.baseAddress {
      let order = memcmp(a, b, count)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  /// Whether both are the same.
  @inline(__always)
  static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    left.count == right.count && hasPrefix(left, right)
  }

  /// Whether `text` starts with `prefix`.
  @inline(__always)
  static func hasPrefix(_ text: UnsafeRawBufferPointer, _ prefix: UnsafeRawBufferPointer) -> Bool {
    guard prefix.count <= text.count else { return false }
    guard prefix.count > 0, let a = text.baseAddress, let b = prefix.baseAddress else { return true }
    return memcmp(a, b, prefix.count) == 0
  }

  /// Whether `text` ends with `suffix`.
  @inline(__always)
  static func hasSuffix(_ text: UnsafeRawBufferPointer, _ suffix: UnsafeRawBufferPointer) -> Bool {
    guard suffix.count <= text.count else { return false }
    guard suffix.count > 0, let a = text.baseAddress, let b = suffix.baseAddress else { return true }
    return memcmp(a + (text.count - suffix.count), b, suffix.count) == 0
  }

  /// Where `needle` first occurs in `text`.
  @inline(__always)
  static func find(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
    let found = text_find(text.baseAddress, text.count, needle.baseAddress, needle.count)
    return found < 0 ? nil : Int(found)
  }

  /// Where `needle`, in lower case, first occurs in ASCII `text` whatever its case.
  @inline(__always)
  static func findIgnoringCase(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
    let found = text_find_ignoring_case(text.baseAddress, text.count, needle.baseAddress, needle.count)
    return found < 0 ? nil : Int(found)
  }
}
