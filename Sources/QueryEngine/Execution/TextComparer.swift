internal import Storage

/// Compares the texts of a cluster with one needle at their start, their end or whole, straight in memory: for the
/// operators that most queries use. It knows nothing of dictionaries or of texts kept elsewhere.
struct TextComparer: Sendable {
  /// Where the needle must be.
  enum Place: Sendable {
    case whole
    case start
    case end
  }

  let place: Place
  /// Folded already.
  let needle: [UInt8]
  let folding: TextFolding

  init(_ place: Place, _ needle: [UInt8], _ folding: TextFolding) {
    self.place = place
    self.needle = needle
    self.folding = folding
  }

  /// The comparer that answers a question; nil for other questions.
  init?(_ question: TextCondition.Question) {
    switch question {
    case .test(let test):
      switch test.question {
      case .equals(let needle): self.init(.whole, needle, test.folding)
      case .beginsWith(let needle): self.init(.start, needle, test.folding)
      case .endsWith(let needle): self.init(.end, needle, test.folding)
      default: return nil
      }
    case .interval(let lower?, true, let upper?, true) where lower == upper: self.init(.whole, lower, .none)
    case .interval, .oneOf: return nil
    }
  }

  /// The candidates whose text fits. `slowly` answers for texts that must be folded scalar by scalar.
  func mask(_ block: TextBlock, _ candidates: Mask, slowly: (UnsafeRawBufferPointer) -> Bool) -> Mask {
    var found = Mask.none
    needle.withUnsafeBytes { needle in
      if folding.isNone {
        candidates.forEach { slot in if fits(block[slot], needle) { found[slot] = true } }
        return
      }
      candidates.forEach { slot in
        let text = block[slot]
        if block.isASCII {
          if folding.ignoresCase ? fitsIgnoringCase(text, needle) : fits(text, needle) { found[slot] = true }
        } else if slowly(text) {
          found[slot] = true
        }
      }
    }
    return found
  }

  /// Where the needle would have to begin; nil when the text is too short or too long.
  @inline(__always)
  private func start(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Int? {
    switch place {
    case .whole: text.count == needle.count ? 0 : nil
    case .start: text.count >= needle.count ? 0 : nil
    case .end: text.count >= needle.count ? text.count &- needle.count : nil
    }
  }

  @inline(__always)
  private func fits(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    guard let start = start(text, needle) else { return false }
    return Bytes.hasPrefix(UnsafeRawBufferPointer(rebasing: text[start...]), needle)
  }

  @inline(__always)
  private func fitsIgnoringCase(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    guard let start = start(text, needle) else { return false }
    for index in 0..<needle.count where Bytes.lowercased(text[start &+ index]) != needle[index] { return false }
    return true
  }
}
