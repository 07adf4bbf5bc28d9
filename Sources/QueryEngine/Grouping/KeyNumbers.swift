internal import CPlatform
internal import Schema
internal import Storage
internal import Values

/// Numbers the values of one key of GROUP BY or DISTINCT in the order in which they are met: equal ones have one number,
/// as DISTINCT sees them.
///
/// A value may get a number before any object asked about has it: dictionaries are numbered whole.
final class KeyNumbers {
  private let expression: BoundExpression
  private let isVectorizable: Bool
  /// The column that is read as it is.
  let column: Int?
  /// What its texts are changed by.
  private let function: TextFunction?
  private lazy var changedTexts = ChangedTexts()
  /// What each number stands for.
  private var members: [Member] = []
  private let integers = SmallIntegers()
  private let words = WordTable()
  private let texts = TextNumbers()
  /// The number of each text, by its number among texts.
  private var numbersOfTexts: [UInt32] = []
  private let dictionaries = DictionaryNumbers()
  private let codes = CodeNumbers()
  private var numbers: [Value: UInt32] = [:]
  private var null: UInt32?
  private var nan: UInt32?
  /// The values in order, where numbers are their places.
  private var ranked: [Value]?

  init(_ expression: BoundExpression) {
    self.expression = expression.prepared
    isVectorizable = expression.isVectorizable
    column = expression.column ?? expression.changedColumn?.column
    function = expression.changedColumn?.function
  }

  /// A value, or where it is.
  private enum Member {
    case value(Value)
    /// A text by its number among texts: most are never shown.
    case text(UInt32)
  }

  /// How many numbers there are.
  var count: Int { members.count }

  /// The value of a number.
  func value(_ number: UInt32) -> Value {
    switch members[Int(number)] {
    case .value(let value): value
    case .text(let text): .string(String(decoding: texts.text(Int(text)), as: UTF8.self))
    }
  }

  /// Whether a number is that of nil.
  func isNull(_ number: UInt32) -> Bool { number == null }

  /// Parts the objects of a cluster by the number of their value.
  func read(_ place: ClusterPlace, _ mask: Mask, _ scratch: Scratch, into parts: ClusterParts) throws {
    parts.clear()
    if let column {
      if let codes = place.codes(column), let table = place.table(column) {
        place.prefetch(column)
        readCodes(codes, table, mask, parts)
      } else {
        try readColumn(try place.view().column(column), mask, scratch, parts)
      }
    } else if isVectorizable {
      try scratch.withVector { vector in
        try vector.evaluate(expression, try place.view(), scratch, wanted: mask)
        if case .gathered(let gathering) = expression, gathering.isRanked, let numbers = gathering.numbers {
          ranked = try scratch.sets().numbers(numbers).ranked
        }
        readNumbers(vector, mask, parts)
      }
    } else {
      let row = ClusterRow(try place.view(), scratch)
      parts.useSlots()
      try mask.forEach { slot in
        row.slot = slot
        parts.slots[slot] = number(of: try expression.value(in: row))
      }
    }
  }

  // MARK: Columns

  private func readColumn(_ view: ColumnView, _ mask: Mask, _ scratch: Scratch, _ parts: ClusterParts) throws {
    let nulls = mask & view.nulls
    if !nulls.isEmpty { parts.append(numberOfNull(), nulls) }
    let rest = mask.andNot(nulls)
    guard let first = rest.first else { return }
    switch view.values {
    case _ where isVectorizable:
      scratch.withVector { vector in
        vector.load(view)
        guard case .same = view.values else { return readNumbers(vector, rest, parts) }
        parts.append(number(vector, first), rest)
      }
    case .same: parts.append(try number(at: first, of: view), rest)
    case .bits(let words):
      let set = Mask(loading: words)
      parts.append(number(of: .bool(false)), rest.andNot(set))
      parts.append(number(of: .bool(true)), rest & set)
    case .dictionary(let codes, let entries): readCodes(codes, entries, view, rest, parts)
    default:
      parts.useSlots()
      try rest.forEach { parts.slots[$0] = try number(at: $0, of: view) }
    }
  }

  private func readCodes(
    _ codes: UnsafePointer<UInt8>, _ entries: TextBlock, _ view: ColumnView, _ mask: Mask, _ parts: ClusterParts
  ) {
    let numbers = dictionaries.numbers(of: entries) { number(ofText: $0, view.type) }
    part(mask, codes, view.slotCount, numbers, entries.count, parts)
  }

  /// Parts objects by codes of a dictionary whose texts have been numbered.
  private func part(
    _ mask: Mask, _ codes: UnsafePointer<UInt8>, _ slotCount: Int, _ numbers: UnsafePointer<UInt32>, _ count: Int,
    _ parts: ClusterParts
  ) {
    if parts.hasRoom(for: count) {
      var left = mask
      for code in 0..<count where !left.isEmpty {
        var same = left
        // What is left in the end has the last code.
        if code < count - 1 {
          same &= Mask.filled { os_compare_u8(codes, slotCount, UInt8(truncatingIfNeeded: code), .equal, $0) }
        }
        // Changed, several texts may be one.
        if function == nil { parts.append(numbers[code], same) } else { parts.join(numbers[code], same) }
        left = left.andNot(same)
      }
    } else {
      parts.useSlots()
      let slots = parts.slots
      mask.forEach { slots[$0] = numbers[Int(codes[$0])] }
    }
  }

  private func readCodes(
    _ column: UnsafePointer<FixedColumn>, _ table: ColumnTable, _ mask: Mask, _ parts: ClusterParts
  ) {
    let nulls = mask & column.pointee.nulls
    if !nulls.isEmpty { parts.append(numberOfNull(), nulls) }
    codes.withNumbers(ofDictionary: column, in: table) {
      number(ofText: $0, .string)
    } _: { numbers, count in
      part(
        mask.andNot(nulls), column.pointee.values.assumingMemoryBound(to: UInt8.self), Int(column.pointee.slotCount),
        numbers, count, parts)
    }
  }

  /// Whether every value that a cluster may have has a number of which `isKnown` is true. That is told quickly or not at
  /// all.
  func hasNothingNew(_ place: ClusterPlace, _ mask: Mask, _ isKnown: (UInt32) -> Bool) -> Bool {
    guard let column, let entries = place.codes(column) else { return false }
    guard codes.areKnown(ofDictionary: entries, isKnown) else { return false }
    return (null.map(isKnown) ?? false) || (mask & entries.pointee.nulls).isEmpty
  }

  /// The number of the value of a slot that is not nil.
  private func number(at slot: Int, of view: ColumnView) throws -> UInt32 {
    switch view.type {
    case .string, .data:
      if case .collection = view.values { break }
      return number(ofText: try view.text(at: slot), view.type)
    default: break
    }
    return number(of: try view.value(at: slot))
  }

  private func number(ofText text: UnsafeRawBufferPointer, _ type: ScalarType) -> UInt32 {
    let text = function.map { changedTexts.text(text, $0) } ?? text
    let number = texts.number(of: text)
    if Int(number) == numbersOfTexts.count {
      numbersOfTexts.append(add(type == .data ? .value(.data(Array(text))) : .text(number)))
    }
    return numbersOfTexts[Int(number)]
  }

  // MARK: Numbers

  private func readNumbers(_ vector: NumberVector, _ mask: Mask, _ parts: ClusterParts) {
    let nulls = mask & vector.nulls
    if !nulls.isEmpty { parts.append(numberOfNull(), nulls) }
    let rest = mask.andNot(nulls)
    if rest.isEmpty { return }
    parts.useSlots()
    readNumbers(vector, rest, parts.slots)
  }

  private func readNumbers(_ vector: NumberVector, _ mask: Mask, _ slots: UnsafeMutablePointer<UInt32>) {
    if vector.isInteger {
      readIntegers(vector.integers, mask, slots)
    } else {
      readDoubles(vector.doubles, mask, slots)
    }
  }

  /// The number of a slot that is not nil.
  private func number(_ vector: NumberVector, _ slot: Int) -> UInt32 {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Mask.slotCount) { slots in
      guard let base = slots.baseAddress else { return 0 }
      readNumbers(vector, Mask(slot: slot), base)
      return base[slot]
    }
  }

  private func readIntegers(
    _ numbers: UnsafePointer<Int64>, _ mask: Mask, _ slots: UnsafeMutablePointer<UInt32>
  ) {
    mask.forEach { slot in
      let number = numbers[slot]
      if let entry = integers.entry(of: number) {
        if entry.pointee == SmallIntegers.none { entry.pointee = add(value(number)) }
        slots[slot] = entry.pointee
      } else {
        let (found, isNew) = words.number(of: SortableKey.word(number), next: UInt32(truncatingIfNeeded: members.count))
        if isNew { _ = add(value(number)) }
        slots[slot] = found
      }
    }
  }

  private func readDoubles(
    _ numbers: UnsafePointer<Double>, _ mask: Mask, _ slots: UnsafeMutablePointer<UInt32>
  ) {
    var last: (word: UInt64, number: UInt32)?
    mask.forEach { slot in
      let number = numbers[slot]
      if number.isNaN {
        slots[slot] = numberOfNaN(value(number))
        return
      }
      let word = SortableKey.word(number)
      if let last, last.word == word {
        slots[slot] = last.number
        return
      }
      let (found, isNew) = words.number(of: word, next: UInt32(truncatingIfNeeded: members.count))
      if isNew { _ = add(value(number + 0)) }
      last = (word, found)
      slots[slot] = found
    }
  }

  /// A whole number as a value of the key's type: where it is a place, what stands there.
  private func value(_ number: Int64) -> Value {
    guard let ranked else { return .int(number) }
    let place = Int(clamping: number)
    return ranked.indices.contains(place) ? ranked[place] : .null
  }

  /// A number as a value of the key's type.
  private func value(_ number: Double) -> Value {
    switch expression.type {
    case .float: .float(Float(number))
    case .date: .date(Instant(seconds: number))
    default: .double(number)
    }
  }

  // MARK: Values

  /// The number of one value of any kind.
  private func number(of value: Value) -> UInt32 {
    if value.isNull { return numberOfNull() }
    let key = DistinctKey.of(value)
    if let known = numbers[key] { return known }
    let number = add(Self.shown(value))
    numbers[key] = number
    return number
  }

  private func add(_ value: Value) -> UInt32 { add(.value(value)) }

  private func add(_ member: Member) -> UInt32 {
    members.append(member)
    return UInt32(truncatingIfNeeded: members.count - 1)
  }

  private func numberOfNull() -> UInt32 {
    if let null { return null }
    let number = add(.null)
    null = number
    return number
  }

  private func numberOfNaN(_ value: Value) -> UInt32 {
    if let nan { return nan }
    let number = add(value)
    nan = number
    return number
  }

  /// -0.0 is shown as what it is equal to.
  private static func shown(_ value: Value) -> Value {
    switch value {
    case .double(let number): .double(number + 0)
    case .float(let number): .float(number + 0)
    default: value
    }
  }
}
