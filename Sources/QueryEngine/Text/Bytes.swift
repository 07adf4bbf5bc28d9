internal import CKernels
internal import Glibc

/// Compares and searches sequences of bytes.
enum Bytes {
  /// The length in bytes of the scalar that starts with `byte`; 1 for a byte that cannot start a scalar.
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

  /// Whether both have the same bytes.
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

  /// The offset of the first occurrence of `needle` in `text`, or nil.
  @inline(__always)
  static func find(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
    let found = text_find(text.baseAddress, text.count, needle.baseAddress, needle.count)
    return found < 0 ? nil : Int(found)
  }

  /// The offset of the first occurrence of `needle`, in lower case, in ASCII `text` regardless of case, or nil.
  @inline(__always)
  static func findIgnoringCase(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
    let found = text_find_ignoring_case(text.baseAddress, text.count, needle.baseAddress, needle.count)
    return found < 0 ? nil : Int(found)
  }
}
