internal import CPlatform
internal import Storage

/// Texts between two others in the order of their bytes, the ends in memory of their own: to ask counts no references.
///
/// Its memory is its owner's to give back.
struct TextRange {
  private let lower: text_bound
  private let upper: text_bound

  /// An end that is nil is none.
  init(lower: [UInt8]?, includesLower: Bool, upper: [UInt8]?, includesUpper: Bool) {
    self.lower = Self.bound(lower, includesLower)
    self.upper = Self.bound(upper, includesUpper)
  }

  private static func bound(_ bytes: [UInt8]?, _ isIncluded: Bool) -> text_bound {
    guard let bytes else { return text_bound(bytes: nil, count: 0, exists: false, is_included: false) }
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    return text_bound(bytes: memory, count: bytes.count, exists: true, is_included: isIncluded)
  }

  func deallocate() {
    lower.bytes?.deallocate()
    upper.bytes?.deallocate()
  }

  @inline(__always) func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    text_is_between(text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count, lower, upper)
  }

  /// The texts of a block that are within.
  func mask(_ block: TextBlock) -> Mask {
    Mask.filled { texts_between(block.bytes, block.offsets, block.count, lower, upper, $0) }
  }
}
