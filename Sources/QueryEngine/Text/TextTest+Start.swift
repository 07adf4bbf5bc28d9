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
    case .equals(let bytes): return Start(bytes, folding, isWhole: true, isAll: true)
    case .beginsWith(let bytes): start = Start(bytes, folding, isWhole: false, isAll: true)
    case .like(let pattern):
      guard case .text(let bytes)? = pattern.parts.first else { return nil }
      start = Start(bytes, folding, isWhole: false, isAll: false)
    case .matches, .isLess, .isLessOrEqual, .isGreater, .isGreaterOrEqual, .contains, .endsWith: return nil
    }
    return start.bytes.isEmpty ? nil : start
  }
}
