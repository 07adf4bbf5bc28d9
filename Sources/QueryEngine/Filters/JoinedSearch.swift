internal import Storage

/// Bytes sought in all texts of a block at once, before or instead of asking each. It knows nothing of texts kept
/// elsewhere.
struct JoinedSearch: Sendable {
  /// Folded already, and not empty.
  let needle: [UInt8]
  let folding: TextFolding
  /// Whether texts that contain the needle are the answer, or only those that may be.
  let isWhole: Bool
  private let isASCII: Bool
  private let anchor: FoldedAnchor?

  /// What can be sought to answer a question; nil when there is nothing.
  init?(_ question: StringFilter.Question) {
    guard case .test(let test) = question else { return nil }
    if case .relation(.contains, let needle) = test.question {
      self.init(needle, test.folding, isWhole: true)
    } else if let part = test.part {
      self.init(part.bytes, part.folding, isWhole: false)
    } else {
      return nil
    }
  }

  private init?(_ needle: [UInt8], _ folding: TextFolding, isWhole: Bool) {
    if needle.isEmpty { return nil }
    self.needle = needle
    self.folding = folding
    self.isWhole = isWhole
    isASCII = needle.allSatisfy { $0 < 0x80 }
    anchor = FoldedAnchor(needle, folding)
  }

  /// The slots of a block whose text may pass, and whether all of them do.
  func mask(_ block: TextBlock) -> (Mask, isExact: Bool) {
    if isSure(of: block) {
      // A folded needle that is not ASCII cannot be in texts that are.
      if !folding.isNone, !isASCII { return (.none, true) }
      return (joined(block), isWhole)
    }
    guard let anchor else { return (.all, false) }
    return (anchor.mask(block), isWhole && anchor.isExact)
  }

  /// Whether every slot that `mask` gives has the needle in its text, whatever else the texts have.
  func isSure(of block: TextBlock) -> Bool { folding.isNone || block.isASCII }

  /// One search over all texts; a match tells its slot by where it is.
  private func joined(_ block: TextBlock) -> Mask {
    needle.withUnsafeBytes { needle in
      folding.ignoresCase
        ? block.slots { Bytes.findIgnoringCase(needle, in: $0) } : block.slots { Bytes.find(needle, in: $0) }
    }
  }
}

extension TextBlock {
  /// The slots of the texts in which `find` finds something; it is given what is left of the joined texts.
  @inline(__always)
  func slots(_ find: (UnsafeRawBufferPointer) -> Int?) -> Mask {
    var found = Mask.none
    var slot = 0
    var position = 0
    while position < byteCount,
      let place = find(UnsafeRawBufferPointer(start: bytes + position, count: byteCount &- position))
    {
      position &+= place
      while slot < count, Int(offsets[slot &+ 1]) <= position { slot &+= 1 }
      guard slot < count else { break }
      found[slot] = true
      position = Int(offsets[slot &+ 1])
    }
    return found
  }
}
