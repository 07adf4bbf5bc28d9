internal import Storage

extension TextTest {
  /// What every text that passes a test begins with, once it is folded: what an index can look for.
  struct Start: Hashable {
    let bytes: [UInt8]
    let folding: TextFolding
    /// Whether the text is no longer than that.
    let isWhole: Bool
    /// Whether every text that is so passes the test.
    let isAll: Bool

    init(_ bytes: [UInt8], _ folding: TextFolding, isWhole: Bool, isAll: Bool) {
      self.bytes = bytes
      self.folding = folding
      self.isWhole = isWhole
      self.isAll = isAll
    }

    /// The text and no other.
    init(_ text: String) { self.init(Array(text.utf8), .none, isWhole: true, isAll: true) }
  }

  /// nil when a text that passes may begin in any way.
  var start: Start? {
    let start: Start
    switch question {
    case .relation(let relation, let bytes):
      guard let anchors = relation.anchors, anchors.isAtStart else { return nil }
      if anchors.isAtEnd { return Start(bytes, folding, isWhole: true, isAll: true) }
      start = Start(bytes, folding, isWhole: false, isAll: true)
    case .like(let pattern):
      guard case .text(let bytes)? = pattern.parts.first else { return nil }
      start = Start(bytes, folding, isWhole: false, isAll: false)
    case .matches(let pattern):
      start = Start(pattern.start, pattern.folding, isWhole: false, isAll: false)
    }
    return start.bytes.isEmpty ? nil : start
  }

  /// Bytes that every text that passes contains, once it is folded: what can be sought in many texts at once, before
  /// the test itself is asked about those that have them.
  struct Part: Hashable {
    let bytes: [UInt8]
    let folding: TextFolding
  }

  /// nil when there are none, or looking for them is the whole test.
  var part: Part? {
    let part: Part
    switch question {
    case .like(let pattern): part = Part(bytes: pattern.longestText, folding: folding)
    case .matches(let pattern): part = Part(bytes: pattern.part, folding: pattern.folding)
    case .relation: return nil
    }
    return part.bytes.isEmpty ? nil : part
  }
}

extension BoundPredicate {
  /// What a test of a column looks for first, before it is asked in full.
  var requiredText: [UInt8]? {
    guard case .test(let test) = self, case .text(let text) = test.question else { return nil }
    return text.part?.bytes
  }
}
