internal import CKernels
internal import Schema
internal import Storage
internal import Values

/// Numbers the values of one key of GROUP BY or DISTINCT in the order of their first occurrence. Values that are equal
/// for DISTINCT have the same number.
///
/// A value may have a number before any requested object has the value, because dictionaries are numbered as a whole.
final class GroupKeyEncoder {
  private let expression: VectorExpression
  /// The column that is read, if there is only one.
  var column: Int? { expression.expression.column ?? expression.codedColumn }
  /// The value of each number.
  private var members: [Member] = []
  private let integers: SmallIntegers
  private let words = IntegerHashTable()
  private let texts = StringInterner()
  /// The number of each string, by its number in `texts`.
  private var numbersOfTexts: [UInt32] = []
  private let dictionaries = DictionaryCodeMap()
  private let codes = TableCodeMap()
  private var numbers: [Value: UInt32] = [:]
  private var null: UInt32?
  /// The number of the expression's value if its only column, of strings, is nil.
  private var numberWithoutString: UInt32?
  private var nan: UInt32?
  /// The number of each constant that TERNARY chooses.
  private var constants: [ObjectIdentifier: UInt32] = [:]
  /// The values in sorted order, if the column's numbers are ranks.
  private var ranked: [Value]?

  /// - Parameter isOfMany: Whether there are many keys, for all of which fast tables would take much memory.
  init(_ expression: BoundExpression, _ compiler: FilterCompiler, isOfMany: Bool = false) throws {
    integers = SmallIntegers(acceptsAny: !isOfMany)
    self.expression = try VectorExpression(expression, compiler, isKey: true)
  }

  /// A value, or a reference to it.
  private enum Member {
    case value(Value)
    /// A string, or the bytes of a value, by its number in `texts`: most are never decoded.
    case text(UInt32)
  }

  /// The number of bytes of the interned strings.
  var stringBytes: Int { texts.byteCount }

  /// The number of distinct values.
  var count: Int { members.count }

  /// The value with a number.
  func value(_ number: UInt32) -> Value {
    switch members[Int(number)] {
    case .value(let value): value
    case .text(let text): KeyBytes.value(texts.text(Int(text)), of: expression.expression.type)
    }
  }

  /// Whether a number is that of nil.
  func isNull(_ number: UInt32) -> Bool { number == null }

  /// Partitions the objects of a cluster by the number of their value.
  func read(_ place: ClusterCursor, _ mask: Mask, _ context: ExecutionContext, into parts: GroupPartition) throws {
    parts.clear()
    if let coded = expression.codedColumn, let codes = place.codes(coded), let table = place.table(coded) {
      place.prefetch(coded)
      return try readCodes(codes, table, mask, context, parts)
    }
    if case .choice = expression.node { return try read(expression, place.view(), mask, context, parts) }
    try context.withVector { vector in
      if expression.form.isNumeric, case .column(let column) = expression.node {
        let view = try place.view().column(column)
        try vector.load(view)
        if case .same = view.values, let first = mask.andNot(vector.nulls).first {
          read(vector, Mask(slot: first), parts)
          let number = parts.number(at: first)
          parts.clear()
          parts.append(number, mask.andNot(vector.nulls))
          return parts.append(numberOfNull(in: mask & vector.nulls), mask & vector.nulls)
        }
        return read(vector, mask, parts)
      }
      try expression.evaluate(into: vector, try place.view(), context, wanted: mask)
      if case .gathered(let gathering) = expression.node, gathering.isRanked, let numbers = gathering.numbers {
        ranked = try context.sets().numbers(numbers).ranked
      }
      read(vector, mask, parts)
    }
  }

  /// Partitions objects by each side of a TERNARY separately: a constant is one part for any number of objects.
  private func read(
    _ expression: VectorExpression, _ cluster: ClusterView, _ mask: Mask, _ context: ExecutionContext,
    _ parts: GroupPartition
  ) throws {
    if mask.isEmpty { return }
    switch expression.node {
    case .choice(_, let condition, let yes, let no):
      let chosen = try condition.mask(cluster, mask, context)
      try read(yes, cluster, chosen, context, parts)
      try read(no, cluster, mask.andNot(chosen), context, parts)
    case .constant:
      // Both sides may have the same constant.
      let id = ObjectIdentifier(expression)
      let number = try constants[id] ?? numbers(of: .nothing, expression, context)[0]
      constants[id] = number
      parts.join(number, mask)
    case .column, .objectID, .gathered, .negate, .complement, .arithmetic, .call, .transform, .length, .joined,
      .periodStart, .firstOf, .elementCount, .structCount, .rows:
      // A value of this side may be one of the other.
      parts.useSlots()
      try context.withVector { vector in
        try expression.evaluate(into: vector, cluster, context, wanted: mask)
        // The other side has other strings for the entries of the same dictionary.
        vector.strings.storedDictionary = nil
        read(vector, mask, parts)
      }
    }
  }

  /// Partitions the objects of a cluster, or the entries of a dictionary, by the number of their value.
  private func read(_ vector: Vector, _ mask: Mask, _ parts: GroupPartition) {
    let nulls = mask & vector.nulls
    if !nulls.isEmpty { parts.append(numberOfNull(), nulls) }
    let rest = mask.andNot(nulls)
    if rest.isEmpty { return }
    switch vector.form {
    case .integers:
      parts.useSlots()
      readIntegers(vector.integers, rest, parts.slots)
    case .doubles:
      parts.useSlots()
      readDoubles(vector.doubles, rest, parts.slots)
    case .flags:
      parts.append(number(of: .bool(false)), rest.andNot(vector.flags))
      parts.append(number(of: .bool(true)), rest & vector.flags)
    case .strings: read(vector.strings, rest, parts)
    case .decimals, .values:
      parts.useSlots()
      rest.forEach { parts.slots[$0] = number(of: vector.value(at: $0, of: expression.expression.type)) }
    }
  }

  private func read(_ strings: StringVector, _ mask: Mask, _ parts: GroupPartition) {
    switch strings.layout {
    case .same(let text): parts.append(number(ofText: text), mask)
    case .coded(let codes, let count, let entries):
      guard let stored = strings.storedDictionary else {
        parts.useSlots()
        return mask.forEach { parts.slots[$0] = number(ofText: entries[Int(codes[$0])]) }
      }
      let numbers = dictionaries.numbers(of: stored) { number(ofText: entries[$0]) }
      part(mask, codes, count, numbers, entries.count, parts)
    case .block:
      parts.useSlots()
      mask.forEach { parts.slots[$0] = number(ofText: strings[$0]) }
    }
  }

  /// Partitions objects by the codes of a dictionary whose strings are numbered.
  private func part(
    _ mask: Mask, _ codes: UnsafePointer<UInt8>, _ slotCount: Int, _ numbers: UnsafePointer<UInt32>, _ count: Int,
    _ parts: GroupPartition
  ) {
    if parts.hasRoom(for: count) {
      let isPlain = expression.expression.column != nil
      var left = mask
      for code in 0..<count where !left.isEmpty {
        var same = left
        // The remaining objects have the last code.
        if code < count - 1 {
          same &= Mask.filled { os_compare_u8(codes, slotCount, UInt8(truncatingIfNeeded: code), .equal, $0) }
        }
        // The expression may map several entries to the same value.
        if isPlain { parts.append(numbers[code], same) } else { parts.join(numbers[code], same) }
        left = left.andNot(same)
      }
    } else {
      parts.useSlots()
      let slots = parts.slots
      mask.forEach { slots[$0] = numbers[Int(codes[$0])] }
    }
  }

  /// Partitions objects by the codes of a table's dictionary. The expression is evaluated once for each entry.
  private func readCodes(
    _ column: UnsafePointer<RawColumn>, _ table: ColumnTable, _ mask: Mask, _ context: ExecutionContext,
    _ parts: GroupPartition
  ) throws {
    let nulls = mask & column.pointee.nulls
    if !nulls.isEmpty {
      let number = try numberWithoutString ?? numbers(of: .nothing, expression, context)[0]
      numberWithoutString = number
      parts.append(number, nulls)
    }
    try codes.withNumbers(ofDictionary: column, in: table) { entries in
      try numbers(of: .dictionary(entries), expression, context)
    } _: { numbers, count in
      part(
        mask.andNot(nulls), column.pointee.values.assumingMemoryBound(to: UInt8.self), Int(column.pointee.slotCount),
        numbers, count, parts)
    }
  }

  /// The number of the expression's value for each entry of a dictionary, and for nil.
  private func numbers(
    of input: VectorInput, _ expression: VectorExpression, _ context: ExecutionContext
  ) throws -> [UInt32] {
    let all = input.present
    let own = GroupPartition()
    try context.withVector { vector in
      try expression.evaluate(into: vector, input, context, wanted: all)
      read(vector, all, own)
    }
    return (0..<all.count).map { own.number(at: $0) }
  }

  /// Whether `isKnown` returns true for the number of every value that the cluster may have. Returns false if that
  /// cannot be decided quickly.
  func hasNothingNew(_ place: ClusterCursor, _ mask: Mask, _ isKnown: (UInt32) -> Bool) -> Bool {
    guard let column = expression.codedColumn, let entries = place.codes(column),
      codes.areKnown(ofDictionary: entries, isKnown)
    else { return false }
    return (numberWithoutString.map(isKnown) ?? false) || (mask & entries.pointee.nulls).isEmpty
  }

  private func number(ofText text: UnsafeRawBufferPointer) -> UInt32 {
    let number = texts.number(of: text)
    if Int(number) == numbersOfTexts.count { numbersOfTexts.append(add(.text(number))) }
    return numbersOfTexts[Int(number)]
  }

  // MARK: Numbers

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

  /// An integer as a value of the key's type; a rank becomes the value with that rank.
  private func value(_ number: Int64) -> Value {
    guard let ranked else { return .int(number) }
    let place = Int(clamping: number)
    return ranked.indices.contains(place) ? ranked[place] : .null
  }

  /// A number as a value of the key's type.
  private func value(_ number: Double) -> Value {
    switch expression.expression.type {
    case .float: .float(Float(number))
    case .date: .date(Instant(seconds: number))
    default: .double(number)
    }
  }

  // MARK: Values

  /// The number of a value of any type.
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

  private func numberOfNull(in mask: Mask) -> UInt32 { mask.isEmpty ? 0 : numberOfNull() }

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

  /// -0.0 is replaced by 0.0, which it equals.
  private static func shown(_ value: Value) -> Value {
    switch value {
    case .double(let number): .double(number + 0)
    case .float(let number): .float(number + 0)
    default: value
    }
  }
}
