internal import CKernels
internal import Storage

/// Compares the strings of a cluster with a needle at their start, their end or as a whole, directly in memory, for the
/// most frequent operators. Dictionaries and overflow strings are not covered.
struct TextComparer: Sendable {
  /// The position of the needle.
  let place: text_place
  /// Already folded.
  let needle: [UInt8]
  let folding: TextFolding

  init(_ place: text_place, _ needle: [UInt8], _ folding: TextFolding) {
    self.place = place
    self.needle = needle
    self.folding = folding
  }

  /// The comparer for a test; nil for other tests.
  init?(_ question: StringFilter.Question) {
    switch question {
    case .test(let test):
      guard case .relation(let relation, let needle) = test.question, let place = relation.place else { return nil }
      self.init(place, needle, test.folding)
    case .interval(let lower?, true, let upper?, true) where lower == upper: self.init(.whole, lower, .none)
    case .interval, .oneOf, .foldedOneOf: return nil
    }
  }

  /// The candidates whose string matches. `slowly` tests a single string with any folding.
  func mask(_ block: TextBlock, _ candidates: Mask, slowly: (UnsafeRawBufferPointer) -> Bool) -> Mask {
    // With few candidates comparing all strings is a waste.
    guard folding.isNone || block.isASCII, candidates.count >= 16 else {
      var found = Mask.none
      candidates.forEach { slot in if slowly(block[slot]) { found[slot] = true } }
      return found
    }
    return needle.withUnsafeBufferPointer { needle in
      Mask.filled {
        text_fits(
          block.bytes, block.offsets, block.count, needle.baseAddress, needle.count, place, folding.ignoresCase, $0)
      } & candidates
    }
  }
}

extension StringRelation {
  /// The compared part of a string; nil if the relation compares neither end, or is an order.
  fileprivate var place: text_place? {
    switch anchors {
    case (true, true)?: .whole
    case (true, false)?: .start
    case (false, true)?: .end
    case (false, false)?, nil: nil
    }
  }
}
