internal import CKernels
internal import Storage

extension TextTest {
  /// A compiled regular expression with its literal parts. Patterns with the same text are equal.
  package struct Pattern: Hashable, Sendable {
    let expression: RegularExpression
    let ignoresCase: Bool
    /// The prefix of every match, folded by `folding`.
    let start: [UInt8]
    /// A part of every match, folded by `folding`.
    let part: [UInt8]
    /// The folding of strings before `start` and `part` are searched; it may fold more than the pattern does.
    let folding: TextFolding

    init(_ pattern: String, ignoringCase: Bool) throws(RegularExpression.Failure) {
      expression = try RegularExpression(pattern, ignoringCase: ignoringCase)
      ignoresCase = ignoringCase
      let literals = PatternLiterals(pattern, ignoringCase: ignoringCase)
      folding = TextFolding(ignoresCase: literals.ignoresCase, ignoresDiacritics: false)
      start = folding.fold(literals.start)
      part = folding.fold(literals.part)
    }

    /// Whether the whole string matches.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
      let found = matches(in: Mask(slot: 0), by: expression, havingPart: false) { _ in text }
      return !found.isEmpty
    }

    /// Those of some slots whose whole string matches `expression`, which is this pattern's or a copy. `havingPart`
    /// states that all of them contain the required part.
    @inline(__always)
    func matches(
      in slots: Mask, by expression: RegularExpression, havingPart: Bool, _ text: (Int) -> UnsafeRawBufferPointer
    ) -> Mask {
      start.withUnsafeBytes { start in
        part.withUnsafeBytes { part in
          let ignoresCase = folding.ignoresCase
          let asksPart = !havingPart && part.count > 0 && (ignoresCase || part.count != start.count)
          var found = Mask.none
          slots.forEach { slot in
            let text = text(slot)
            if !ignoresCase, !Bytes.hasPrefix(text, start) { return }
            if asksPart, !Self.mayHave(part, text, ignoringCase: ignoresCase) { return }
            if expression.matches(text) { found[slot] = true }
          }
          return found
        }
      }
    }

    /// Whether a string may contain a part. Returns true if that cannot be decided quickly.
    private static func mayHave(
      _ part: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, ignoringCase: Bool
    ) -> Bool {
      if !ignoringCase { return Bytes.find(part, in: text) != nil }
      guard let base = text.baseAddress, os_is_ascii(base.assumingMemoryBound(to: UInt8.self), text.count, false)
      else { return true }
      return Bytes.findIgnoringCase(part, in: text) != nil
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
