internal import CPlatform
internal import Storage
internal import Values

/// A column of texts or data asked about by their bytes. Each distinct text of a dictionary is asked about once; a
/// substring is sought in the cluster's joined texts at once.
final class TextCondition: Condition, @unchecked Sendable {
  /// What is asked of the bytes.
  enum Question {
    case test(TextTest)
    case interval(lower: [UInt8]?, includesLower: Bool, upper: [UInt8]?, includesUpper: Bool)
    case oneOf(Set<[UInt8]>)
  }

  let column: Int
  let question: Question
  private let comparer: TextComparer?

  init(column: Int, question: Question) {
    self.column = column
    self.question = question
    comparer = TextComparer(question)
  }

  /// The question that an interval of strings or data asks.
  static func question(_ interval: ValueInterval) -> Question {
    func ends(_ bound: ValueInterval.Bound) -> ([UInt8]?, Bool) {
      switch bound {
      case .unbounded: (nil, false)
      case .included(let value): (bytes(value), true)
      case .excluded(let value): (bytes(value), false)
      }
    }
    let (lower, includesLower) = ends(interval.lower)
    let (upper, includesUpper) = ends(interval.upper)
    return .interval(lower: lower, includesLower: includesLower, upper: upper, includesUpper: includesUpper)
  }

  /// The bytes of a string or of data.
  static func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .string(let text): Array(text.utf8)
    case .data(let bytes): bytes
    default: []
    }
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    if left.isEmpty { return .none }
    switch view.values {
    case .same:
      guard let slot = left.first else { return .none }
      return holds(for: try view.text(at: slot), scratch) ? left : .none
    case .dictionary(let codes, let entries): return inDictionary(codes, entries, view.slotCount, left, scratch)
    case .text(let block):
      if case .test(let test) = question, case .contains(let needle) = test.question,
        let found = try inJoinedTexts(view, block, needle, test.folding, left, scratch)
      {
        return found
      }
      guard let comparer else {
        let narrowed = try narrowed(view, block, left, scratch)
        return try oneByOne(view, narrowed, scratch)
      }
      let distant = view.outOfLine & left
      let near = comparer.mask(block, left.andNot(distant)) { holds(for: $0, scratch) }
      return distant.isEmpty ? near : near | (try oneByOne(view, distant, scratch))
    default: return .none
    }
  }

  /// The candidates that have the bytes which every text that passes must have.
  private func narrowed(
    _ view: ColumnView, _ block: TextBlock, _ candidates: Mask, _ scratch: Scratch
  ) throws -> Mask {
    guard case .test(let test) = question, let part = test.part else { return candidates }
    return try inJoinedTexts(view, block, part.bytes, part.folding, candidates, scratch) ?? candidates
  }

  private func oneByOne(_ view: ColumnView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    var found = Mask.none
    try candidates.forEach { slot in if holds(for: try view.text(at: slot), scratch) { found[slot] = true } }
    return found
  }

  private func inDictionary(
    _ codes: UnsafePointer<UInt8>, _ entries: TextBlock, _ count: Int, _ candidates: Mask, _ scratch: Scratch
  ) -> Mask {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { table in
      guard let base = table.baseAddress else { return .none }
      table.initialize(repeating: 0)
      var any = false
      for entry in 0..<min(256, entries.count) where holds(for: entries[entry], scratch) {
        table[entry] = 1
        any = true
      }
      if !any { return .none }
      return Mask.filled { os_lookup_u8(codes, count, base, $0) } & candidates
    }
  }

  /// One search over all texts; a match tells its slot by where it is. nil when few candidates make that a waste.
  private func inJoinedTexts(
    _ view: ColumnView, _ block: TextBlock, _ needle: [UInt8], _ folding: TextFolding, _ candidates: Mask,
    _ scratch: Scratch
  ) throws -> Mask? {
    if needle.isEmpty { return candidates }
    if candidates.count < 8 { return nil }
    // A folded needle that is not ASCII cannot be in texts that are; one that is can be where other letters fold to it.
    if !folding.isNone && block.isASCII && view.outOfLine.isEmpty && needle.contains(where: { $0 > 0x7F }) {
      return Mask.none
    }
    var found = needle.withUnsafeBytes { needle in
      joined(block, needle, ignoresCase: folding.ignoresCase) & candidates
    }
    var rest = view.outOfLine & candidates
    if !folding.isNone && !block.isASCII {
      candidates.andNot(found | rest).forEach { slot in
        if !Self.isASCII(block[slot]) { rest[slot] = true }
      }
    }
    if !rest.isEmpty { found |= try oneByOne(view, rest, scratch) }
    return found
  }

  private func joined(_ block: TextBlock, _ needle: UnsafeRawBufferPointer, ignoresCase: Bool) -> Mask {
    var found = Mask.none
    var slot = 0
    var position = 0
    while position < block.byteCount {
      let text = UnsafeRawBufferPointer(start: block.bytes + position, count: block.byteCount &- position)
      guard let place = ignoresCase ? Bytes.findIgnoringCase(needle, in: text) : Bytes.find(needle, in: text) else {
        break
      }
      position &+= place
      while slot < block.count, Int(block.offsets[slot &+ 1]) <= position { slot &+= 1 }
      guard slot < block.count else { break }
      found[slot] = true
      position = Int(block.offsets[slot &+ 1])
    }
    return found
  }

  private static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return true }
    return os_is_ascii(base.assumingMemoryBound(to: UInt8.self), text.count, false)
  }

  private func holds(for text: UnsafeRawBufferPointer, _ scratch: Scratch) -> Bool {
    switch question {
    case .test(let test): return test.matches(text, buffer: &scratch.text)
    case .interval(let lower, let includesLower, let upper, let includesUpper):
      if let lower {
        let order = lower.withUnsafeBytes { Bytes.compare(text, $0) }
        if order < 0 || order == 0 && !includesLower { return false }
      }
      if let upper {
        let order = upper.withUnsafeBytes { Bytes.compare(text, $0) }
        if order > 0 || order == 0 && !includesUpper { return false }
      }
      return true
    case .oneOf(let members): return members.contains(Array(text))
    }
  }
}
