internal import Storage

/// `IN[c]` with several strings: folds each value once and looks it up, instead of comparing it with one after another.
struct FoldedMembership {
  let column: Int
  let folding: TextFolding
  let members: [[UInt8]]

  /// nil for other parts of an OR.
  init?(_ parts: [BoundPredicate]) {
    guard parts.count > 2, case .test(let first) = parts[0], case .text(let test) = first.question else { return nil }
    var members: [[UInt8]] = []
    for part in parts {
      guard case .test(let other) = part, other.column == first.column, case .text(let text) = other.question,
        text.folding == test.folding, case .relation(.equals, let bytes) = text.question
      else { return nil }
      members.append(bytes)
    }
    column = first.column
    folding = test.folding
    self.members = members
  }
}
