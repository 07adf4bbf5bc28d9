package import PredicateLanguage
package import Storage
internal import Values

/// A text operator with a constant right side, a text or Data, folded once: the question whether a text is the needle, comes before it,
/// contains it and so on. It does not know where texts are kept; `TextSearch` asks it of a whole cluster.
package struct TextTest: Hashable, Sendable {
  /// What is asked about the folded text.
  package enum Question: Hashable, Sendable {
    /// Whether it is in a relation to some bytes.
    case relation(StringRelation, [UInt8])
    case like(LikePattern)
    case matches(Pattern)
  }

  package let question: Question
  package let folding: TextFolding

  /// The test of `comparator` with `text`. nil for operators that are none on texts (BETWEEN, IN), and for `!=`, which
  /// is the opposite of `==`.
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

  /// The test of `comparator` with Data. nil for operators that are none on the bytes of Data: its order is asked as an
  /// interval.
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

  /// Whether `text` satisfies it. No more of it is folded than it takes to tell.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if folding.isNone { return holds(for: text) }
    switch question {
    case .relation(let relation, let needle):
      return needle.withUnsafeBytes { relation.holds(text, $0, folding: folding) }
    case .like, .matches: return folding.withFolded(text) { holds(for: $0) }
    }
  }

  /// Whether a text or Data satisfies it; nothing else does.
  func matches(_ value: Value) -> Bool {
    switch value {
    case .string(var text): text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    case .data(let bytes): bytes.withUnsafeBytes { matches($0) }
    case .null, .bool, .int, .float, .double, .date, .uuid, .list, .embedded, .object: false
    }
  }

  /// Whether a text that is folded already satisfies it.
  func holds(for text: UnsafeRawBufferPointer) -> Bool {
    switch question {
    case .relation(let relation, let needle): needle.withUnsafeBytes { relation.holds(text, $0) }
    case .like(let pattern): pattern.matches(text)
    case .matches(let pattern): pattern.matches(text)
    }
  }
}

extension TextTest.Question {
  /// The question of a LIKE pattern, without the pattern where it says no more than a relation.
  fileprivate init(_ pattern: LikePattern) {
    self = pattern.relation.map { .relation($0, $1) } ?? .like(pattern)
  }
}
