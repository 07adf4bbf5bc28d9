internal import CPlatform
internal import Storage

extension TextTest {
  /// A compiled regular expression with the letters that it needs, equal to others of the same text.
  package struct Pattern: Hashable, Sendable {
    let expression: RegularExpression
    let ignoresCase: Bool
    /// What texts that match begin with, folded by `folding`.
    let start: [UInt8]
    /// What they contain, folded likewise.
    let part: [UInt8]
    /// How texts are folded before `start` and `part` are looked for; it may fold more than the pattern does.
    let folding: TextFolding

    init(_ pattern: String, ignoringCase: Bool) throws(RegularExpression.Failure) {
      expression = try RegularExpression(pattern, ignoringCase: ignoringCase)
      ignoresCase = ignoringCase
      let literals = PatternLiterals(pattern, ignoringCase: ignoringCase)
      folding = TextFolding(ignoresCase: literals.ignoresCase, ignoresDiacritics: false)
      start = folding.fold(literals.start)
      part = folding.fold(literals.part)
    }

    /// Whether the whole text matches.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool { mayMatch(text) && expression.matches(text) }

    /// Whether a text has the letters that the pattern needs. That is told quickly or not at all.
    func mayMatch(_ text: UnsafeRawBufferPointer) -> Bool {
      guard folding.ignoresCase else {
        return start.withUnsafeBytes { Bytes.hasPrefix(text, $0) }
          && (part.count == start.count || part.withUnsafeBytes { Bytes.find($0, in: text) != nil })
      }
      guard let base = text.baseAddress,
        os_is_ascii(base.assumingMemoryBound(to: UInt8.self), text.count, false)
      else { return true }
      return part.withUnsafeBytes { Bytes.findIgnoringCase($0, in: text) != nil }
    }

    package static func == (left: Pattern, right: Pattern) -> Bool {
      left.expression.pattern.utf8.elementsEqual(right.expression.pattern.utf8)
        && left.ignoresCase == right.ignoresCase
    }

    package func hash(into hasher: inout Hasher) {
      for byte in expression.pattern.utf8 { hasher.combine(byte) }
      hasher.combine(ignoresCase)
    }
  }
}
