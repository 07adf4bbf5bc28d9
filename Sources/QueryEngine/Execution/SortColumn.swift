internal import Schema
internal import Storage
internal import Values

/// One key of SORT as a word for each object, in the order of the key; nil and NaN, which come before or after all words,
/// are told apart by a rank.
///
/// Texts are numbered while they are read, and the numbers become places among the distinct texts once all are known. It
/// does not know which objects its words are of.
final class SortColumn {
  private let expression: BoundExpression
  private let isText: Bool
  private var texts = TextNumbers()
  private let dictionaries = DictionaryNumbers()
  /// The word of each object, in the order in which they were read.
  private(set) var words: [UInt64] = []
  /// The rank of each object; empty while all have that of numbers.
  private(set) var ranks: [UInt8] = []

  /// nil for a key that is neither a number, a date, a Bool nor a text.
  init?(_ key: BoundSortKey, _ entity: StoredEntity) {
    expression = key.expression
    isText = expression.type == .string && !expression.isVectorizable
    if expression.isVectorizable { return }
    guard let column = expression.column, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil
    else { return nil }
    switch entity.columns[column].scalarType {
    case .string, .bool: break
    default: return nil
    }
  }

  /// Reads the objects of a cluster.
  func read(_ cluster: ClusterView, _ mask: Mask, _ scratch: Scratch) throws {
    if let column = expression.column, !expression.isVectorizable {
      let view = try cluster.column(column)
      try read(view, mask)
    } else {
      try scratch.withVector { vector in
        try vector.evaluate(expression, cluster, scratch)
        read(vector, mask)
      }
    }
  }

  private func read(_ vector: NumberVector, _ mask: Mask) {
    let nulls = vector.nulls & mask
    // Numbers first: what nil has there is overwritten by its rank.
    if vector.isInteger {
      let numbers = vector.integers
      mask.forEach { words.append(SortableKey.word(numbers[$0])) }
      setRanks(nulls, .none, mask)
    } else {
      let numbers = vector.doubles
      mask.forEach { words.append(SortableKey.word(numbers[$0])) }
      setRanks(nulls, vector.nans & mask, mask)
    }
  }

  private func read(_ view: ColumnView, _ mask: Mask) throws {
    let nulls = view.nulls & mask
    switch view.values {
    case .bits(let bits): mask.forEach { words.append(bits[$0 >> 6] >> UInt64($0 & 63) & 1) }
    case .dictionary(let codes, let entries):
      let numbers = dictionaries.numbers(of: entries) { texts.number(of: $0) }
      mask.forEach { words.append(UInt64(numbers[Int(codes[$0])])) }
    case .same(let value):
      var word: UInt64 = 0
      if case .bool(true) = value { word = 1 }
      if isText, let first = mask.andNot(nulls).first { word = UInt64(texts.number(of: try view.text(at: first))) }
      words.append(contentsOf: repeatElement(word, count: mask.count))
    default:
      try mask.forEach { slot in
        words.append(nulls[slot] ? 0 : UInt64(texts.number(of: try view.text(at: slot))))
      }
    }
    setRanks(nulls, .none, mask)
  }

  /// Says which of the objects read last are nil and which NaN.
  private func setRanks(_ nulls: Mask, _ nans: Mask, _ mask: Mask) {
    let first = words.count - mask.count
    if ranks.isEmpty {
      if (nulls | nans).isEmpty { return }
      ranks.append(contentsOf: repeatElement(SortableKey.Rank.number, count: first))
    }
    mask.forEach { slot in
      ranks.append(
        nulls[slot] ? SortableKey.Rank.null : nans[slot] ? SortableKey.Rank.nan : SortableKey.Rank.number)
    }
  }

  /// To be called once all objects are read.
  func finish(_ patience: Patience) throws {
    guard isText, texts.count > 0 else { return }
    let places = try texts.ranks(patience)
    try patience.forEachPart(words.count) { part in
      for index in part where words[index] < UInt64(places.count) { words[index] = UInt64(places[Int(words[index])]) }
    }
  }
}

extension TextNumbers {
  /// The place of each text in the order of their bytes, by its number.
  func ranks(_ patience: Patience) throws -> [UInt32] {
    var order = try (0..<count).map { number in
      try patience.step()
      return KeyedObject(key: withText(number) { SortableKey.word($0) }, object: UInt64(number))
    }
    try RadixSort.sort(&order, patience)
    // Those with the same beginning by what follows.
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, order[end].key == order[start].key { end += 1 }
      if end - start > 1 {
        try order[start..<end].sort { left, right in
          try patience.step()
          return withText(Int(left.object)) { a in withText(Int(right.object)) { Bytes.compare(a, $0) < 0 } }
        }
      }
      try patience.step(end - start)
      start = end
    }
    var places = [UInt32](repeating: 0, count: count)
    for (place, text) in order.enumerated() { places[Int(text.object)] = UInt32(truncatingIfNeeded: place) }
    return places
  }
}
