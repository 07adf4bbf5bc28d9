package import PredicateLanguage
package import Storage
internal import Values

/// A string operator with a constant right side, a string or Data, which is folded once. It does not depend on where
/// strings are stored; `StringFilter` applies it to whole clusters.
package struct TextTest: Hashable, Sendable {
  /// The kinds of tests of the folded string.
  package enum Question: Hashable, Sendable {
    /// The string satisfies a relation to some bytes.
    case relation(StringRelation, [UInt8])
    case like(LikePattern)
    case matches(Pattern)
  }

  package let question: Question
  package let folding: TextFolding

  /// The test of `comparator` with a string. nil for operators without strings (BETWEEN, IN), and for `!=`, which is
  /// the opposite of `==`.
  package init?(_ comparator: Comparator, _ text: String, folding: TextFolding) throws(RegularExpression.Failure) {
    switch comparator.family {
    case .string(.like): question = Question(LikePattern(text, folding: folding))
    case .string(.matches):
      question = .matches(try Pattern(text, ignoringCase: folding.ignoresCase))
      self.folding = .none
      return
    case .string, .relation:
      guard let relation = StringRelation(comparator) else { return nil }
      question = .relation(relation, folding.fold(text))
    case .range, .membership, .place, .fullText: return nil
    }
    self.folding = folding
  }

  /// The test of `comparator` with Data. nil for operators that do not apply to the bytes of Data; its order is tested
  /// as an interval.
  package init?(_ comparator: Comparator, _ bytes: [UInt8]) {
    switch comparator.family {
    case .string(.like): question = Question(LikePattern(bytes))
    case .string:
      guard let relation = StringRelation(comparator) else { return nil }
      question = .relation(relation, bytes)
    case .relation, .range, .membership, .place, .fullText: return nil
    }
    folding = .none
  }

  /// Whether `text` passes. Folds only as much of it as needed.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if folding.isNone { return holds(for: text) }
    if text.count > LongText.partSize { return folding.withFoldedParts(text) { holds(for: $0) } }
    switch question {
    case .relation(let relation, let needle):
      return needle.withUnsafeBytes { relation.holds(text, $0, folding: folding) }
    case .like, .matches: return folding.withFolded(text) { holds(for: $0) }
    }
  }

  /// Whether a value passes; false for other types than string and Data.
  func matches(_ value: Value) -> Bool {
    switch value {
    case .string(var text): text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    case .data(let bytes): bytes.withUnsafeBytes { matches($0) }
    case .null, .bool, .int, .float, .double, .decimal, .date, .uuid, .list, .embedded, .object: false
    }
  }

  /// Whether a folded string passes.
  func holds(for text: UnsafeRawBufferPointer) -> Bool {
    switch question {
    case .relation(let relation, let needle): needle.withUnsafeBytes { relation.holds(text, $0) }
    case .like(let pattern): pattern.matches(text)
    case .matches(let pattern): pattern.matches(text)
    }
  }
}

extension TextTest.Question {
  /// The test of a LIKE pattern: a relation if that is equivalent, otherwise the pattern.
  fileprivate init(_ pattern: LikePattern) {
    self = pattern.relation.map { .relation($0, $1) } ?? .like(pattern)
  }
}
