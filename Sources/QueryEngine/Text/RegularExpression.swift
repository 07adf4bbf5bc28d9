internal import CRE2

/// A pattern for MATCHES, compiled by RE2. It matches the whole string in linear time and is thread-safe.
package final class RegularExpression: @unchecked Sendable {
  /// The reason why a pattern is invalid, and the range of bytes with the error.
  package struct Failure: Error, Hashable, Sendable {
    package let message: String
    package let offset: Int
    package let count: Int
  }

  /// The pattern as written.
  package let pattern: String
  private let compiled: OpaquePointer

  /// Compiles a pattern.
  package init(_ pattern: String, ignoringCase: Bool) throws(Failure) {
    var error = CRE2_OK
    var offset = 0
    var count = 0
    var text = pattern
    let compiled = text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        cre2_compile($0.baseAddress, $0.count, ignoringCase, &error, &offset, &count)
      }
    }
    guard let compiled else {
      let quote = String(decoding: Array(pattern.utf8)[offset..<offset + count], as: UTF8.self)
      throw Failure(message: Self.message(error, quote), offset: offset, count: count)
    }
    self.pattern = pattern
    self.compiled = compiled
  }

  deinit { cre2_free(compiled) }

  /// A copy for another thread: threads that share a compiled pattern contend for it. Returns itself if there is no
  /// memory for a copy.
  func copied(ignoringCase: Bool) -> RegularExpression {
    (try? RegularExpression(pattern, ignoringCase: ignoringCase)) ?? self
  }

  /// Whether the whole text matches.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    cre2_matches(compiled, text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count)
  }

  private static func message(_ error: cre2_error, _ quote: String) -> String {
    switch error {
    case CRE2_BAD_ESCAPE:
      if let digit = quote.dropFirst().first, digit.isNumber, digit != "0" {
        return "'\(quote)' refers back to a group, which a search in linear time cannot do"
      }
      return "'\(quote)' is not an escape of regular expressions"
    case CRE2_BAD_CHARACTER_CLASS: return "'\(quote)' is not a range or class of characters"
    case CRE2_MISSING_BRACKET: return "a ']' is missing after '\(quote)'"
    case CRE2_MISSING_PARENTHESIS: return "a parenthesis has no partner in '\(quote)'"
    case CRE2_TRAILING_BACKSLASH: return "the pattern ends with a lone '\\'"
    case CRE2_NOTHING_TO_REPEAT: return "there is nothing for '\(quote)' to repeat"
    case CRE2_BAD_REPEAT: return "'\(quote)' is not a repetition of at most 1000 times"
    case CRE2_BAD_GROUP:
      return "'\(quote)' is not supported: looking ahead or behind cannot be done in linear time"
    case CRE2_BAD_UTF8: return "the pattern is not UTF-8"
    case CRE2_TOO_LARGE: return "the pattern is too large"
    case CRE2_OUT_OF_MEMORY: return "there is not enough memory for the pattern"
    default: return "the pattern is not a regular expression"
    }
  }
}
