internal import Schema
internal import Storage
internal import Values

/// One key of SORT as a word for each object, in the order of the key; nil and NaN, which come before or after all words,
/// are noted apart.
///
/// Texts are numbered while they are read, and the numbers become places among the distinct texts once all are known. It
/// does not know which objects its words are of.
final class SortColumn {
  private let expression: BoundExpression
  private let isText: Bool
  /// The column that is read as it is, where it is one.
  let column: Int?
  /// What its texts are changed by.
  private let function: TextFunction?
  private lazy var changedTexts = ChangedTexts()
  private let texts = TextNumbers()
  private let dictionaries = DictionaryNumbers()
  /// The word of each object, in the order in which they were read; of nil and NaN any.
  private var words: [UInt64] = []
  /// Which of them are nil, and which NaN.
  private var nulls: [Int] = []
  private var nans: [Int] = []
  /// The digits behind the point of decimals, where all are read as the whole numbers they are kept as.
  private var exponent: Int?
  /// The words of one cluster.
  private let buffer: UnsafeMutablePointer<UInt64>

  /// nil for a key that is neither a number, a date, a Bool nor a text.
  init?(_ key: BoundSortKey, _ entity: StoredEntity) {
    expression = key.expression
    column = expression.column ?? expression.changedColumn?.column
    function = expression.changedColumn?.function
    isText = expression.type == .string && !expression.isVectorizable
    buffer = .allocate(capacity: Mask.slotCount)
    buffer.initialize(repeating: 0, count: Mask.slotCount)
    if expression.isVectorizable { return }
    guard let column, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil
    else { return nil }
    switch entity.columns[column].scalarType {
    case .string, .bool: break
    default: return nil
    }
  }

  deinit { buffer.deallocate() }

  /// Looks through a table that will be read, whether all of it are decimals kept as whole numbers: those have fewer bits
  /// to sort by.
  func prepare(_ table: TableScan) throws {
    guard let column, expression.type == .double || expression.type == .date,
      let rows = try table.column(column)
    else { return }
    exponent = ScaledNumbers.commonExponent(rows, table.count)
  }

  /// Reads the objects of a cluster.
  func read(_ place: ClusterPlace, _ mask: Mask, _ scratch: Scratch) throws {
    if let column, !expression.isVectorizable {
      return try read(try place.view().column(column), mask)
    }
    try scratch.withVector { vector in
      if let exponent, let column {
        guard let fixed = try place.fixed(column), let numbers = fixed.offsets else {
          throw StoreError.corrupted(location: "a column of a table that is not what it was")
        }
        vector.load(wholes: numbers, Int(fixed.slotCount), exponent: exponent)
        vector.nulls = fixed.nulls
      } else {
        try vector.evaluate(expression, try place.view(), scratch, wanted: mask)
      }
      read(vector, mask)
    }
  }

  private func read(_ vector: NumberVector, _ mask: Mask) {
    if vector.isInteger {
      let numbers = vector.integers
      append(mask) { SortableKey.word(numbers[$0]) }
      note(vector.nulls & mask, .none, mask)
    } else {
      let numbers = vector.doubles
      append(mask) { SortableKey.word(numbers[$0]) }
      note(vector.nulls & mask, vector.nans & mask, mask)
    }
  }

  private func read(_ view: ColumnView, _ mask: Mask) throws {
    let nulls = view.nulls & mask
    switch view.values {
    case .bits(let bits): append(mask) { bits[$0 >> 6] >> UInt64($0 & 63) & 1 }
    case .dictionary(let codes, let entries):
      let numbers = dictionaries.numbers(of: entries) { number(of: $0) }
      append(mask) { UInt64(numbers[Int(codes[$0])]) }
    case .same(let value):
      var word: UInt64 = 0
      if case .bool(true) = value { word = 1 }
      if isText, let first = mask.andNot(nulls).first { word = UInt64(number(of: try view.text(at: first))) }
      words.append(contentsOf: repeatElement(word, count: mask.count))
    default:
      try mask.forEach { slot in
        words.append(nulls[slot] ? 0 : UInt64(number(of: try view.text(at: slot))))
      }
    }
    note(nulls, .none, mask)
  }

  private func number(of text: UnsafeRawBufferPointer) -> UInt32 {
    texts.number(of: function.map { changedTexts.text(text, $0) } ?? text)
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

  /// Says which of the objects read last, those of `mask`, are nil and which NaN.
  private func note(_ nulls: Mask, _ nans: Mask, _ mask: Mask) {
    let first = words.count - mask.count
    nulls.forEach { self.nulls.append(first + (mask & Mask(firstCount: $0)).count) }
    nans.forEach { self.nans.append(first + (mask & Mask(firstCount: $0)).count) }
  }

  /// The keys of all objects, once they are read; to be called once.
  func keys(ascending: Bool, _ patience: Patience) throws -> SortKeys {
    if isText { try texts.replaceNumbersByRanks(in: &words, patience) }
    defer { words = [] }
    return try SortKeys(words, nulls: nulls, nans: nans, ascending: ascending, patience)
  }
}

extension ScaledNumbers {
  /// The most digits behind the point that decimals of a table have; nil unless all are kept as whole numbers, which
  /// stay small enough for any two to be different when all are given so many digits.
  fileprivate static func commonExponent(_ rows: ColumnTable, _ count: Int) -> Int? {
    var most = 0
    var greatest = 0.0
    for row in 0..<count {
      let column = rows.rows + row
      switch column.pointee.layout {
      case .scaled8, .scaled16, .scaled32, .scaled40: break
      default: return nil
      }
      most = max(most, Int(column.pointee.exponent))
      greatest = max(
        greatest, abs(Double(bitPattern: column.pointee.minimum)), abs(Double(bitPattern: column.pointee.maximum)))
    }
    return greatest * powerOfTen(most) < Double(limit / 2) ? most : nil
  }
}
