package import PredicateLanguage
package import Storage
internal import Values

/// A text operator with a constant right side, a text or Data, folded once: the question whether a text is the needle, comes before it,
/// contains it and so on. It does not know where texts are kept; `TextSearch` asks it of a whole cluster.
package struct TextTest: Hashable, Sendable {
  /// What is asked about the folded text.
  package enum Question: Hashable, Sendable {
    case equals([UInt8])
    case isLess([UInt8])
    case isLessOrEqual([UInt8])
    case isGreater([UInt8])
    case isGreaterOrEqual([UInt8])
    case contains([UInt8])
    case beginsWith([UInt8])
    case endsWith([UInt8])
    case like(LikePattern)
    case matches(Pattern)
  }

  package let question: Question
  package let folding: TextFolding

  /// The test of `comparator` with `text`. nil for operators that are none on texts (BETWEEN, IN), and for `!=`, which
  /// is the opposite of `==`.
  package init?(_ comparator: Comparator, _ text: String, folding: TextFolding) throws(RegularExpression.Failure) {
    switch comparator {
    case .equal: question = .equals(folding.fold(text))
    case .less: question = .isLess(folding.fold(text))
    case .lessOrEqual: question = .isLessOrEqual(folding.fold(text))
    case .greater: question = .isGreater(folding.fold(text))
    case .greaterOrEqual: question = .isGreaterOrEqual(folding.fold(text))
    case .contains: question = .contains(folding.fold(text))
    case .beginsWith: question = .beginsWith(folding.fold(text))
    case .endsWith: question = .endsWith(folding.fold(text))
    case .like: question = Question(LikePattern(text, folding: folding))
    case .matches:
      question = .matches(try Pattern(text, ignoringCase: folding.ignoresCase))
      self.folding = .none
      return
    case .notEqual, .between, .isIn, .geoWithin, .text: return nil
    }
    self.folding = folding
  }

  /// The test of `comparator` with Data. nil for operators that are none on the bytes of Data: its order is asked as an
  /// interval.
  package init?(_ comparator: Comparator, _ bytes: [UInt8]) {
    switch comparator {
    case .contains: question = .contains(bytes)
    case .beginsWith: question = .beginsWith(bytes)
    case .endsWith: question = .endsWith(bytes)
    case .like: question = Question(LikePattern(bytes))
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .between, .isIn, .geoWithin,
      .text:
      return nil
    }
    folding = .none
  }

  /// Whether `text` satisfies it. No more of it is folded than it takes to tell.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if folding.isNone { return holds(for: text) }
    switch question {
    case .equals(let needle): return needle.withUnsafeBytes { folding.order(of: text, against: $0) == 0 }
    case .isLess(let needle): return needle.withUnsafeBytes { folding.order(of: text, against: $0) < 0 }
    case .isLessOrEqual(let needle): return needle.withUnsafeBytes { folding.order(of: text, against: $0) <= 0 }
    case .isGreater(let needle): return needle.withUnsafeBytes { folding.order(of: text, against: $0) > 0 }
    case .isGreaterOrEqual(let needle): return needle.withUnsafeBytes { folding.order(of: text, against: $0) >= 0 }
    case .beginsWith(let needle): return needle.withUnsafeBytes { folding.hasPrefix(text, $0) }
    case .endsWith(let needle): return needle.withUnsafeBytes { folding.hasSuffix(text, $0) }
    case .contains, .like, .matches: return folding.withFolded(text) { holds(for: $0) }
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
    case .equals(let needle): needle.withUnsafeBytes { Bytes.areEqual(text, $0) }
    case .isLess(let needle): needle.withUnsafeBytes { Bytes.compare(text, $0) < 0 }
    case .isLessOrEqual(let needle): needle.withUnsafeBytes { Bytes.compare(text, $0) <= 0 }
    case .isGreater(let needle): needle.withUnsafeBytes { Bytes.compare(text, $0) > 0 }
    case .isGreaterOrEqual(let needle): needle.withUnsafeBytes { Bytes.compare(text, $0) >= 0 }
    case .contains(let needle): needle.withUnsafeBytes { Bytes.find($0, in: text) != nil }
    case .beginsWith(let needle): needle.withUnsafeBytes { Bytes.hasPrefix(text, $0) }
    case .endsWith(let needle): needle.withUnsafeBytes { Bytes.hasSuffix(text, $0) }
    case .like(let pattern): pattern.matches(text)
    case .matches(let pattern): pattern.matches(text)
    }
  }
}

extension TextTest.Question {
  /// What a pattern of LIKE asks, in the simplest way.
  fileprivate init(_ pattern: LikePattern) {
    switch pattern.simple {
    case .equals(let bytes): self = .equals(bytes)
    case .beginsWith(let bytes): self = .beginsWith(bytes)
    case .endsWith(let bytes): self = .endsWith(bytes)
    case .contains(let bytes): self = .contains(bytes)
    case nil: self = .like(pattern)
    }
  }
}
