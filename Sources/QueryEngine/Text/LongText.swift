/// Work on one long string, which is done in parts: between two parts it asks whether anybody still waits for the query.
///
/// Functions on strings cannot throw. The result of an interrupted one is meaningless, and its caller discards it.
enum LongText {
  /// Whether the query that the current thread works for is abandoned. It stays on this thread.
  private struct Current: @unchecked Sendable { let isAbandoned: () -> Bool }

  @TaskLocal private static var current: Current?

  /// The number of bytes, or of other steps, between two questions: less than a millisecond's work for most functions.
  static let partSize = 1 << 16

  /// Whether the work can end, with any result.
  static var isAbandoned: Bool { current?.isAbandoned() ?? false }

  /// Runs `body` for a query, which is abandoned once `isAbandoned` returns true.
  static func during<R>(_ isAbandoned: @escaping () -> Bool, _ body: () throws -> R) rethrows -> R {
    try $current.withValue(Current(isAbandoned: isAbandoned), operation: body)
  }

  /// Calls `body` with the parts of UTF-8 text in order; a part ends between two scalars.
  static func forEachPart(of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    while start < text.count {
      if start > 0, isAbandoned { return }
      var end = min(text.count, start + partSize)
      while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
      body(UnsafeRawBufferPointer(rebasing: text[start..<end]))
      start = end
    }
  }

  /// Applies a function whose result for a string is that for its parts, one after the other.
  static func mapped(_ text: String, _ body: (String) -> String) -> String {
    if text.utf8.count <= partSize { return body(text) }
    var text = text
    return text.withUTF8 { utf8 in
      var result = ""
      result.reserveCapacity(utf8.count)
      forEachPart(of: UnsafeRawBufferPointer(utf8)) { result += body(String(decoding: $0, as: UTF8.self)) }
      return result
    }
  }
}
