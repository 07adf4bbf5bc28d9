internal import Storage

/// Searches bytes in all strings of a block at once, before or instead of testing each string. Overflow strings are not
/// covered.
struct JoinedSearch: Sendable {
  /// Folded and not empty.
  let needle: [UInt8]
  let folding: TextFolding
  /// Whether every string with the needle passes; otherwise these strings must be tested.
  let isWhole: Bool
  private let isASCII: Bool
  private let anchor: FoldedAnchor?

  /// The search for a test; nil if there is nothing to search for.
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
    // The byte between the joined strings may also be one of Data, and would be found where it is none.
    if needle.isEmpty || needle.contains(0xFF) { return nil }
    self.needle = needle
    self.folding = folding
    self.isWhole = isWhole
    isASCII = needle.allSatisfy { $0 < 0x80 }
    anchor = FoldedAnchor(needle, folding)
  }

  /// The slots of a block whose string may pass, and whether all of them do.
  func mask(_ block: TextBlock) -> (Mask, isExact: Bool) {
    if isSure(of: block) {
      // An ASCII string does not contain a folded needle with other bytes.
      if !folding.isNone, !isASCII { return (.none, true) }
      return (joined(block), isWhole)
    }
    guard let anchor else { return (.all, false) }
    return (anchor.mask(block), isWhole && anchor.isExact)
  }

  /// Whether the string of every slot in the result of `mask` contains the needle.
  func isSure(of block: TextBlock) -> Bool { folding.isNone || block.isASCII }

  /// Searches all strings at once; the position of a match determines its slot.
  private func joined(_ block: TextBlock) -> Mask {
    needle.withUnsafeBytes { needle in
      folding.ignoresCase
        ? block.slots { Bytes.findIgnoringCase(needle, in: $0) } : block.slots { Bytes.find(needle, in: $0) }
    }
  }
}

extension TextBlock {
  /// The slots of the strings in which `find` finds a match. It is called with the remaining part of the joined
  /// strings.
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
