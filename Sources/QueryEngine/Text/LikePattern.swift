package import Storage

/// A LIKE pattern: `*` any run, `?` one scalar, `\*` `\?` `\\` literally, the rest as written; over the whole text.
///
/// It is folded when it is made; what it is matched with must be folded likewise. It does not know how texts are kept.
package struct LikePattern: Hashable, Sendable {
  /// A part of the pattern.
  enum Part: Hashable, Sendable {
    case text([UInt8])
    case anyScalar
    case anyRun
  }

  /// What the pattern comes down to when it holds no `?` and `*` only at its ends.
  package enum Simple: Hashable, Sendable {
    case equals([UInt8])
    case beginsWith([UInt8])
    case endsWith([UInt8])
    case contains([UInt8])
  }

  let parts: [Part]
  /// The pattern as bytes with one code a part, for matching.
  private let codes: [UInt16]

  private static let anyRun: UInt16 = 0x100
  private static let anyScalar: UInt16 = 0x101

  /// Reads a pattern. Any text is one: a `\` before anything but `*`, `?` and `\` stands for itself.
  package init(_ pattern: String, folding: TextFolding) {
    var parts: [Part] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = []
    }
    var escaped = false
    for scalar in pattern.unicodeScalars {
      if escaped {
        escaped = false
        if scalar != "*" && scalar != "?" && scalar != "\\" { literal += folding.fold("\\") }
        literal += folding.fold(String(scalar))
        continue
      }
      switch scalar {
      case "\\": escaped = true
      case "*":
        flush()
        if parts.last != .anyRun { parts.append(.anyRun) }
      case "?":
        flush()
        parts.append(.anyScalar)
      default: literal += folding.fold(String(scalar))
      }
    }
    if escaped { literal += folding.fold("\\") }
    flush()
    self.parts = parts
    codes = parts.flatMap { part -> [UInt16] in
      switch part {
      case .text(let bytes): bytes.map(UInt16.init)
      case .anyScalar: [Self.anyScalar]
      case .anyRun: [Self.anyRun]
      }
    }
  }

  /// The longest text that it asks for.
  var longestText: [UInt8] {
    parts.reduce(into: []) { longest, part in
      if case .text(let text) = part, text.count > longest.count { longest = text }
    }
  }

  /// The simple question it comes down to, if it does.
  package var simple: Simple? {
    switch parts.count {
    case 0: return .equals([])
    case 1:
      if case .text(let text) = parts[0] { return .equals(text) }
      if case .anyRun = parts[0] { return .contains([]) }
    case 2:
      if case .text(let text) = parts[0], parts[1] == .anyRun { return .beginsWith(text) }
      if case .text(let text) = parts[1], parts[0] == .anyRun { return .endsWith(text) }
    case 3:
      if case .text(let text) = parts[1], parts[0] == .anyRun, parts[2] == .anyRun { return .contains(text) }
    default: break
    }
    return nil
  }

  /// Whether the whole of `text` matches, in time of at most text × pattern: on a mismatch only the last `*` is tried
  /// again, one scalar further.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    matches(text) {}
  }

  /// The same; `step` is called with every step that is taken.
  @inline(__always)
  func matches(_ text: UnsafeRawBufferPointer, step: () -> Void) -> Bool {
    codes.withUnsafeBufferPointer { codes in
      var position = 0
      var code = 0
      var retryCode = -1
      var retryPosition = 0
      while true {
        step()
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
              position = Swift.min(text.count, position + Bytes.scalarLength(startingWith: text[position]))
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
        retryPosition = Swift.min(text.count, retryPosition + Bytes.scalarLength(startingWith: text[retryPosition]))
        position = retryPosition
        code = retryCode
      }
    }
  }
}
