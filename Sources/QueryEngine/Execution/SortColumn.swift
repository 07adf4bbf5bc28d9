internal import Schema
internal import Storage
internal import Values

/// One key of SORT as a 64-bit word for each object, in the order of the key. nil and NaN, which come before or after
/// all words, are kept separately.
///
/// Strings are interned while they are read; at the end their numbers are replaced by ranks. The class does not know
/// which objects its words belong to.
final class SortColumn {
  private let expression: VectorExpression
  /// The column, if the key is a single column.
  var column: Int? { expression.expression.column ?? expression.codedColumn }
  private let strings = StringInterner()
  private let dictionaries = DictionaryCodeMap()
  /// The word of each object, in the order in which the objects were read; arbitrary for nil and NaN.
  private var words: [UInt64] = []
  /// The positions of nil and of NaN.
  private var nulls: [Int] = []
  private var nans: [Int] = []
  /// The number of decimal places, if all numbers are read as the integers that they are stored as.
  private var exponent: Int?
  /// The words of one cluster.
  private let buffer: UnsafeMutablePointer<UInt64>

  /// Whether a key has words.
  static func exists(for key: BoundSortKey) -> Bool {
    key.expression.keyForm != .values && !key.expression.followsLinksByRow
  }

  /// nil for a key whose values are no numbers, dates, Bools or strings and have no bytes.
  init?(_ key: BoundSortKey, _ compiler: FilterCompiler) throws {
    guard Self.exists(for: key) else { return nil }
    expression = try VectorExpression(key.expression, compiler, isKey: true)
    buffer = .allocate(capacity: Mask.slotCount)
    buffer.initialize(repeating: 0, count: Mask.slotCount)
  }

  deinit { buffer.deallocate() }

  /// The number of bytes of the interned strings.
  var stringBytes: Int { strings.byteCount }

  /// Checks whether the whole column of a table is stored as integers over powers of ten, which are sorted faster than
  /// Doubles, and much faster than the bytes of Decimals.
  func prepare(_ table: TableScan) throws {
    guard let column = expression.storedColumn, let rows = try table.column(column) else { return }
    switch expression.expression.type {
    case .double, .date: exponent = NumberBlock.commonExponent(rows, table.count)
    case .decimal: exponent = try NumberBlock.commonPlaces(column, rows, table)
    case .null, .bool, .int, .float, .number, .string, .uuid, .data, .list, .structure, .object: break
    }
  }

  /// Reads the objects of a cluster.
  func read(_ place: ClusterCursor, _ mask: Mask, _ context: ExecutionContext) throws {
    try context.withVector { vector in
      if let exponent, let column {
        if let fixed = try place.fixed(column), let numbers = fixed.numbers {
          vector.load(wholes: numbers, Int(fixed.slotCount), exponent: exponent)
          vector.nulls = fixed.nulls
        } else {
          try vector.load(wholes: try place.view().column(column), exponent: exponent)
        }
      } else {
        try expression.evaluate(into: vector, try place.view(), context, wanted: mask)
      }
      try read(vector, mask)
    }
  }

  private func read(_ vector: Vector, _ mask: Mask) throws {
    let nulls = vector.nulls & mask
    var nans = Mask.none
    switch vector.form {
    case .integers:
      let numbers = vector.integers
      append(mask) { SortableKey.word(numbers[$0]) }
    case .doubles:
      let numbers = vector.doubles
      append(mask) { SortableKey.word(numbers[$0]) }
      nans = vector.nans & mask
    case .flags:
      let flags = vector.flags
      append(mask) { flags[$0] ? 1 : 0 }
    case .strings: read(vector.strings, nulls, mask)
    case .decimals, .values:
      // A vector of nils may have any form; a key with other values than these has no words.
      guard mask.andNot(nulls).isEmpty else {
        throw StoreError.unsupported("a sort key of another form than its expression's type")
      }
      append(mask) { _ in 0 }
    }
    note(nulls, nans, mask)
  }

  private func read(_ strings: StringVector, _ nulls: Mask, _ mask: Mask) {
    switch strings.layout {
    case .same(let text):
      let word = UInt64(self.strings.number(of: text))
      append(mask) { _ in word }
    case .coded(let codes, _, let entries):
      if let stored = strings.storedDictionary {
        let numbers = dictionaries.numbers(of: stored) { self.strings.number(of: entries[$0]) }
        append(mask) { UInt64(numbers[Int(codes[$0])]) }
      } else {
        append(mask) { UInt64(self.strings.number(of: entries[Int(codes[$0])])) }
      }
    case .block: append(mask) { nulls[$0] ? 0 : UInt64(self.strings.number(of: strings[$0])) }
    }
  }

  /// Appends the words of some slots.
  @inline(__always)
  private func append(_ mask: Mask, _ word: (Int) -> UInt64) {
    let buffer = buffer
    var count = 0
    if mask == .all {
      for slot in 0..<Mask.slotCount { buffer[slot] = word(slot) }
      count = Mask.slotCount
    } else {
      mask.forEach { slot in
        buffer[count] = word(slot)
        count &+= 1
      }
    }
    words.append(contentsOf: UnsafeBufferPointer(start: buffer, count: count))
  }

  /// Records which of the objects just read, those of `mask`, are nil and which NaN.
  private func note(_ nulls: Mask, _ nans: Mask, _ mask: Mask) {
    let first = words.count - mask.count
    nulls.forEach { self.nulls.append(first + (mask & Mask(firstCount: $0)).count) }
    nans.forEach { self.nans.append(first + (mask & Mask(firstCount: $0)).count) }
  }

  /// The sort keys of all objects. Called once, after all objects are read.
  func keys(ascending: Bool, _ cancellation: CancellationCheck) throws -> SortKeys {
    if exponent == nil, expression.form == .strings { try strings.replaceNumbersByRanks(in: &words, cancellation) }
    defer { words = [] }
    return try SortKeys(words, nulls: nulls, nans: nans, ascending: ascending, cancellation)
  }
}
