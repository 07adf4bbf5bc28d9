internal import CPlatform
internal import Storage

/// Compares the texts of a cluster with one needle at their start, their end or whole, straight in memory: for the
/// operators that most queries use. It knows nothing of dictionaries or of texts kept elsewhere.
struct TextComparer: Sendable {
  /// Where the needle must be.
  let place: text_place
  /// Folded already.
  let needle: [UInt8]
  let folding: TextFolding

  init(_ place: text_place, _ needle: [UInt8], _ folding: TextFolding) {
    self.place = place
    self.needle = needle
    self.folding = folding
  }

  /// The comparer that answers a question; nil for other questions.
  init?(_ question: StringFilter.Question) {
    switch question {
    case .test(let test):
      guard case .relation(let relation, let needle) = test.question, let place = relation.place else { return nil }
      self.init(place, needle, test.folding)
    case .interval(let lower?, true, let upper?, true) where lower == upper: self.init(.whole, lower, .none)
    case .interval, .oneOf, .foldedOneOf: return nil
    }
  }

  /// The candidates whose text fits. `slowly` answers for a single text, however it is folded.
  func mask(_ block: TextBlock, _ candidates: Mask, slowly: (UnsafeRawBufferPointer) -> Bool) -> Mask {
    // Few are not worth asking about all.
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
  /// The end of a string that is compared; nil where it is neither, or the relation is an order.
  fileprivate var place: text_place? {
    switch anchors {
    case (true, true)?: .whole
    case (true, false)?: .start
    case (false, true)?: .end
    case (false, false)?, nil: nil
    }
  }
}
