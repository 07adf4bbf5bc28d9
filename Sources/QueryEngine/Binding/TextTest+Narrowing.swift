internal import Storage

extension TextTest {
  /// A prefix that every matching string has after case folding; an index can look for it.
  struct Start: Hashable {
    let bytes: [UInt8]
    let folding: TextFolding
    /// Whether a matching string consists of the prefix alone.
    let isWhole: Bool
    /// Whether every string with the prefix matches.
    let isAll: Bool

    init(_ bytes: [UInt8], _ folding: TextFolding, isWhole: Bool, isAll: Bool) {
      self.bytes = bytes
      self.folding = folding
      self.isWhole = isWhole
      self.isAll = isAll
    }

    /// Matches exactly one string.
    init(_ text: String) { self.init(Array(text.utf8), .none, isWhole: true, isAll: true) }
  }

  /// The required prefix; nil if a matching string may begin with anything.
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

  /// Bytes that every matching string contains after case folding. A scan looks for them in many strings at once, and
  /// the full test runs only on strings that contain them.
  struct Part: Hashable {
    let bytes: [UInt8]
    let folding: TextFolding
  }

  /// The required bytes; nil if there are none, or if finding them is already the whole test.
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
  /// The bytes that a scan looks for before it runs the full test.
  var requiredText: [UInt8]? {
    guard case .test(let test) = self, case .text(let text) = test.question else { return nil }
    return text.part?.bytes
  }
}
