internal import CKernels
internal import Storage

/// A range of strings in the order of their bytes, with its bounds in plain memory, so that tests count no references.
///
/// Its owner must free the memory. Nobody writes to it, so threads may share it.
struct TextRange: @unchecked Sendable {
  private let lower: text_bound
  private let upper: text_bound

  /// A bound that is nil is unbounded.
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

  /// The strings of a block that are in the range.
  func mask(_ block: TextBlock) -> Mask {
    Mask.filled { texts_between(block.bytes, block.offsets, block.count, lower, upper, $0) }
  }
}
