package import Storage

/// A LIKE pattern over the whole string: `*` matches any run, `?` one scalar, `\*` `\?` `\\` the literal character,
/// everything else itself. On Data `?` matches one byte.
///
/// The pattern is folded when it is created; strings must be folded likewise before matching.
package struct LikePattern: Hashable, Sendable {
  /// A part of the pattern.
  enum Part: Hashable, Sendable {
    case text([UInt8])
    case anyScalar
    case anyRun
  }

  let parts: [Part]
  /// The pattern as bytes with one code for each part, for matching.
  private let codes: [UInt16]
  /// Whether `?` matches one byte instead of one scalar.
  private let isOfBytes: Bool

  private static let anyRun: UInt16 = 0x100
  private static let anyScalar: UInt16 = 0x101

  /// Parses a pattern. Every string is valid: a `\` before anything but `*`, `?` and `\` stands for itself.
  package init(_ pattern: String, folding: TextFolding) {
    self.init(pattern.unicodeScalars.lazy.map { ($0, folding.fold(String($0))) }, isOfBytes: false)
  }

  /// Parses a pattern for Data.
  package init(_ pattern: [UInt8]) {
    self.init(pattern.lazy.map { (Unicode.Scalar($0), [$0]) }, isOfBytes: true)
  }

  /// - Parameter elements: Each element of the pattern, and the bytes that it matches if it is no wildcard.
  private init(_ elements: some Sequence<(Unicode.Scalar, [UInt8])>, isOfBytes: Bool) {
    var parts: [Part] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = []
    }
    let backslash = [UInt8(ascii: "\\")]
    var escaped = false
    for (element, bytes) in elements {
      if escaped {
        escaped = false
        if element != "*" && element != "?" && element != "\\" { literal += backslash }
        literal += bytes
        continue
      }
      switch element {
      case "\\": escaped = true
      case "*":
        flush()
        if parts.last != .anyRun { parts.append(.anyRun) }
      case "?":
        flush()
        parts.append(.anyScalar)
      default: literal += bytes
      }
    }
    if escaped { literal += backslash }
    flush()
    self.parts = parts
    self.isOfBytes = isOfBytes
    codes = parts.flatMap { part -> [UInt16] in
      switch part {
      case .text(let bytes): bytes.map(UInt16.init)
      case .anyScalar: [Self.anyScalar]
      case .anyRun: [Self.anyRun]
      }
    }
  }

  /// The longest literal part of the pattern.
  var longestText: [UInt8] {
    parts.reduce(into: []) { longest, part in
      if case .text(let text) = part, text.count > longest.count { longest = text }
    }
  }

  /// The equivalent relation of a pattern without `?` and with `*` only at its ends; nil for any other pattern.
  package var relation: (StringRelation, [UInt8])? {
    let relation = StringRelation(isAtStart: parts.first != .anyRun, isAtEnd: parts.last != .anyRun)
    let middle = parts.filter { $0 != .anyRun }
    // A `*` in the middle splits it into several parts.
    switch (middle.count, middle.first) {
    case (0, _): return (relation, [])
    case (1, .text(let text)?): return (relation, text)
    default: return nil
    }
  }

  /// The number of bytes that `?` matches.
  @inline(__always)
  private func length(startingWith byte: UInt8) -> Int { isOfBytes ? 1 : Bytes.scalarLength(startingWith: byte) }

  /// Whether the whole of `text` matches, in time of at most text × pattern: on a mismatch only the last `*` is
  /// retried, one scalar further.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    let (most, isOver) = text.count.multipliedReportingOverflow(by: codes.count)
    if !isOver, most <= LongText.partSize { return matches(text) { true } }
    var steps = 0
    return matches(text) {
      steps &+= 1
      return steps & (LongText.partSize - 1) != 0 || !LongText.isAbandoned
    }
  }

  /// Matches as above; calls `step` at every step, and ends with any result once it returns false.
  @inline(__always)
  func matches(_ text: UnsafeRawBufferPointer, step: () -> Bool) -> Bool {
    codes.withUnsafeBufferPointer { codes in
      var position = 0
      var code = 0
      var retryCode = -1
      var retryPosition = 0
      while true {
        if !step() { return false }
        if code < codes.count {
          let wanted = codes[code]
          if wanted == Self.anyRun {
            retryCode = code + 1
            retryPosition = position
            code += 1
            continue
          }
          if position < text.count {
            if wanted == Self.anyScalar {
              position = Swift.min(text.count, position + length(startingWith: text[position]))
              code += 1
              continue
            }
            if wanted == UInt16(text[position]) {
              position += 1
              code += 1
              continue
            }
          }
        } else if position == text.count {
          return true
        }
        guard retryCode >= 0, retryPosition < text.count else { return false }
        retryPosition = Swift.min(text.count, retryPosition + length(startingWith: text[retryPosition]))
        position = retryPosition
        code = retryCode
      }
    }
  }
}
