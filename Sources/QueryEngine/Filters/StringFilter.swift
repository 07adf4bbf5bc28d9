internal import CKernels
internal import PredicateLanguage
internal import Storage
internal import Values

/// A filter on the bytes of a column of strings, Data or Decimals. Each distinct string of a dictionary is tested once; a
/// substring is searched in all joined strings of a cluster at once.
final class StringFilter: ColumnFilter {
  /// The kinds of tests on the bytes.
  enum Question: Sendable {
    case test(TextTest)
    case interval(lower: [UInt8]?, includesLower: Bool, upper: [UInt8]?, includesUpper: Bool)
    case oneOf(TextSet)
    /// The folded string is one of several.
    case foldedOneOf(TextSet, TextFolding)
  }

  let column: Int
  let question: Question
  private let comparer: TextComparer?
  /// The search in all strings of a cluster at once.
  private let search: JoinedSearch?
  /// The pattern of MATCHES.
  private let pattern: TextTest.Pattern?
  /// An equivalent test of plain bytes, if there is one.
  private let plain: PlainTextTest?
  /// Another test of a string.
  private let test: TextTest?
  /// The strings of `oneOf`.
  private let members: TextSet.Members?
  /// The strings of `foldedOneOf`, and the folding.
  private let foldedMembers: (texts: TextSet.Members, folding: TextFolding)?
  /// The interval as a range.
  private let range: TextRange?

  init(column: Int, question: Question) {
    self.column = column
    self.question = question
    members = if case .oneOf(let texts) = question { texts.members } else { nil }
    foldedMembers = if case .foldedOneOf(let texts, let folding) = question { (texts.members, folding) } else { nil }
    plain = if case .test(let test) = question { PlainTextTest(test) } else { nil }
    range =
      if case .interval(let lower, let includesLower, let upper, let includesUpper) = question {
        TextRange(lower: lower, includesLower: includesLower, upper: upper, includesUpper: includesUpper)
      } else {
        nil
      }
    comparer = TextComparer(question)
    search = JoinedSearch(question)
    test = if case .test(let test) = question { test } else { nil }
    pattern = if case .matches(let pattern)? = test?.question { pattern } else { nil }
  }

  deinit {
    plain?.deallocate()
    range?.deallocate()
  }

  /// The test for an interval of strings, Data or Decimals.
  static func question(_ interval: ValueInterval, isOfDecimals: Bool) -> Question {
    func ends(_ bound: ValueInterval.Bound) -> ([UInt8]?, Bool) {
      switch bound {
      case .unbounded: (nil, false)
      case .included(let value): (bytes(value), true)
      case .excluded(let value): (bytes(value), false)
      }
    }
    // NaN is in no interval; its bytes are less than those of all numbers.
    let (lower, includesLower) =
      isOfDecimals && interval.lower.value == nil ? (DecimalValue.leastBytes, true) : ends(interval.lower)
    let (upper, includesUpper) = ends(interval.upper)
    return .interval(lower: lower, includesLower: includesLower, upper: upper, includesUpper: includesUpper)
  }

  /// The bytes of a string, Data or Decimal.
  static func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .string(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .decimal(let number): number.withBytes { Array($0) }
    default: []
    }
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    if left.isEmpty { return .none }
    switch view.values {
    case .same:
      guard let slot = left.first else { return .none }
      return holds(for: try view.text(at: slot)) ? left : .none
    case .dictionary(let codes, let entries): return inDictionary(codes, entries, view.slotCount, left)
    case .text(let block):
      let distant = view.outOfLine & left
      let near = left.andNot(distant)
      let found = inBlock(block, near)
      return distant.isEmpty ? found : found | (try oneByOne(view, distant))
    default: return .none
    }
  }

  func prepare(_ scan: TableFilterScan) throws {
    try scan.prepare(column)
    guard let table = scan.column(column), !table.dictionaries.isEmpty,
      CodeAnswers.pay(for: table.dictionaries.count, clusters: scan.rowCount)
    else { return }
    scan.keep(
      CodeAnswers(table.dictionaries) { texts in
        oneByOne(Mask(firstCount: min(texts.count, Mask.slotCount)), nil) { texts[$0] }
      }, of: self)
  }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    let expression = pattern.map { pattern in
      rows.scan.own(pattern.expression, of: self) { pattern.expression.copied(ignoringCase: pattern.ignoresCase) }
    }
    prefetchFew(rows)
    if let answers: CodeAnswers = rows.scan.finding(of: self) {
      return try narrow(rows, context, expression) { answers.mask($0, $1) }
    }
    let dictionaries = rows.scan.column(column)?.dictionaries ?? []
    try dictionaries.withUnsafeBufferPointer { dictionaries in
      try narrow(rows, context, expression) { column, candidates in
        let number = Int(column.pointee.base)
        guard dictionaries.indices.contains(number) else { return nil }
        return inDictionary(column, dictionaries[number], candidates, expression)
      }
    }
  }

  /// Narrows rows; `codes` evaluates those with a dictionary. Inlined for each way to evaluate codes, so that the fast
  /// loop contains no code of the slow one.
  @inline(__always)
  private func narrow(
    _ rows: ScanRows, _ context: ExecutionContext, _ expression: RegularExpression?,
    codes: (UnsafePointer<RawColumn>, Mask) -> Mask?
  ) throws {
    try rows.narrow(column, self, context) { column, candidates in
      switch column.pointee.layout {
      case .codes: return codes(column, candidates)
      case .texts:
        let left = candidates.andNot(column.pointee.nulls)
        if left.count >= Self.few { return inBlock(column.pointee.texts, left, expression) }
        return oneByOne(left, expression) { column.pointee.text($0) }
      default: return nil
      }
    }
  }

  /// With fewer candidates a search of the whole block is a waste.
  private static let few = 8

  /// Prefetches strings that will be read one by one: first their offsets, then their bytes.
  private func prefetchFew(_ rows: ScanRows) {
    guard let table = rows.scan.column(column) else { return }
    withExtendedLifetime(table) {
      let columns = table.rows
      var areThere = false
      for isText in [false, true] where !isText || areThere {
        for row in rows.indices where columns[row].layout == .texts {
          let candidates = rows[row]
          if candidates.isEmpty || candidates.count >= Self.few { continue }
          areThere = true
          let column = columns + row
          candidates.forEach { slot in
            let offsets = UnsafeRawPointer(column.pointee.textOffsets(slot))
            os_prefetch(isText ? column.pointee.text(slot).baseAddress ?? offsets : offsets)
          }
        }
      }
    }
  }

  /// The candidates in a block whose string passes.
  func inBlock(_ block: TextBlock, _ candidates: Mask) -> Mask { inBlock(block, candidates, pattern?.expression) }

  private func inBlock(_ block: TextBlock, _ candidates: Mask, _ expression: RegularExpression?) -> Mask {
    if let comparer { return comparer.mask(block, candidates) { holds(for: $0) } }
    if let range, candidates.count >= Self.few { return range.mask(block) & candidates }
    var left = candidates
    var isSought = false
    if let search, candidates.count >= Self.few {
      let (found, isExact) = search.mask(block)
      left = left & found
      if isExact { return left }
      isSought = search.isSure(of: block)
    }
    return oneByOne(left, expression, havingPart: isSought) { block[$0] }
  }

  /// Tests the strings of some slots one by one. `havingPart` states that all of them contain the required bytes.
  @inline(__always)
  private func oneByOne(
    _ slots: Mask, _ expression: RegularExpression?, havingPart: Bool = false,
    _ text: (Int) -> UnsafeRawBufferPointer
  ) -> Mask {
    if let pattern, let expression {
      return pattern.matches(in: slots, by: expression, havingPart: havingPart, text)
    }
    var found = Mask.none
    slots.forEach { slot in if holds(for: text(slot)) { found[slot] = true } }
    return found
  }

  private func oneByOne(_ view: ColumnView, _ candidates: Mask) throws -> Mask {
    var found = Mask.none
    try candidates.forEach { slot in if holds(for: try view.text(at: slot)) { found[slot] = true } }
    return found
  }

  /// The candidates whose dictionary entry passes.
  func inDictionary(
    _ codes: UnsafePointer<UInt8>, _ entries: TextBlock, _ count: Int, _ candidates: Mask
  ) -> Mask {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { table in
      guard let base = table.baseAddress else { return .none }
      table.initialize(repeating: 0)
      var any = false
      for entry in 0..<min(256, entries.count) where holds(for: entries[entry]) {
        table[entry] = 1
        any = true
      }
      if !any { return .none }
      return Mask.filled { os_lookup_u8(codes, count, base, $0) } & candidates
    }
  }

  /// The candidates whose dictionary entry passes, from raw memory. With few candidates only their own entries are
  /// tested.
  private func inDictionary(
    _ column: UnsafePointer<RawColumn>, _ entries: TextBlock, _ candidates: Mask, _ expression: RegularExpression?
  ) -> Mask {
    let left = candidates.andNot(column.pointee.nulls)
    let codes = column.pointee.values.assumingMemoryBound(to: UInt8.self)
    let count = min(entries.count, Mask.slotCount)
    StepCounter.add(min(left.count, count))
    if left.count < Self.few {
      var known = Mask.none
      left.forEach { if Int(codes[$0]) < count { known[$0] = true } }
      return oneByOne(known, expression) { entries[Int(codes[$0])] }
    }
    let passing = inBlock(entries, Mask(firstCount: count), expression)
    if passing.isEmpty { return .none }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Mask.slotCount) { table in
      guard let base = table.baseAddress else { return .none }
      table.initialize(repeating: 0)
      passing.forEach { base[$0] = 1 }
      return Mask.filled { os_lookup_u8(codes, Int(column.pointee.slotCount), base, $0) } & left
    }
  }

  /// Whether a string passes.
  @inline(__always)
  func holds(for text: UnsafeRawBufferPointer) -> Bool {
    if let plain { return plain.holds(for: text) }
    if let members { return members.contains(text) }
    if let range { return range.contains(text) }
    if let foldedMembers { return foldedMembers.folding.withFolded(text) { foldedMembers.texts.contains($0) } }
    return test?.matches(text) ?? false
  }
}
