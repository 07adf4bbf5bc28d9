internal import Storage
internal import Values

/// Numbers of linked objects for the slots that link to them: loops over a single link.
extension Vector {
  /// Reads the values of the targets of a to-one link.
  func gather(_ view: ColumnView, _ numbers: LinkedValues, _ run: ClusterLinkReader) {
    isInteger = numbers.isInteger
    nulls = .all
    guard let links = run.readOne(view, numbers.places) else { return }
    let limit = numbers.limit
    let present = UnsafePointer(numbers.present)
    @inline(__always) func word<T, Result>(
      _ first: Int, _ from: UnsafePointer<T>, _ to: UnsafeMutablePointer<Result>, _ convert: (T) -> Result
    ) -> UInt64 {
      var word: UInt64 = 0
      for slot in first..<first &+ 64 {
        let number = links[slot]
        if number >= limit { continue }
        to[slot] = convert(from[Int(truncatingIfNeeded: number)])
        word |= (present[Int(truncatingIfNeeded: number &>> 6)] &>> (number & 63) & 1) &<< UInt64(slot & 63)
      }
      return word
    }
    @inline(__always) func all<T, Result>(
      _ from: UnsafePointer<T>, _ to: UnsafeMutablePointer<Result>, _ convert: (T) -> Result
    ) -> Mask {
      Mask(
        word(0, from, to, convert), word(64, from, to, convert), word(128, from, to, convert),
        word(192, from, to, convert))
    }
    @inline(__always) func whole<T: FixedWidthInteger>(_ type: T.Type) -> Mask {
      all(numbers.wholes.values(type), integers) { Int64(truncatingIfNeeded: $0) }
    }
    let found: Mask
    if isInteger {
      switch numbers.wholes.width {
      case .bits8: found = whole(Int8.self)
      case .bits16: found = whole(Int16.self)
      case .bits32: found = whole(Int32.self)
      case .bits64: found = whole(Int64.self)
      }
    } else {
      found = all(UnsafePointer(numbers.doubles), doubles) { $0 }
    }
    nulls = ~found.andNot(view.nulls)
  }

  /// Counts each object's targets in a set.
  func countTargets(_ runs: ClusterLinks, in bits: BitWords) {
    isInteger = true
    nulls = .none
    let integers = integers
    for slot in 0..<Mask.slotCount { integers[slot] = Int64(runs.count(slot, in: bits)) }
  }

  /// Aggregates the values of the targets of a to-many link: those in a set, or all. A list that is nil has no targets,
  /// like an empty one.
  func reduce(_ function: AggregateFunction, _ runs: ClusterLinks, _ numbers: LinkedValues, in bits: ObjectBits?) throws
  {
    let type: ExpressionType = numbers.isInteger ? .int : .double
    let targets = CountedTargets(numbers, in: bits)
    isInteger = if case .int? = function.type(of: type) { true } else { false }
    nulls = .none
    if numbers.isInteger, function == .sum || function == .average {
      nulls = sumIntegers(runs, targets, numbers, isAverage: function == .average)
    } else {
      try function.accumulate(
        type,
        TargetTotals(function: function, type: type, vector: self, runs: runs, targets: targets, numbers: numbers))
    }
  }

  /// The slots for which `isThere` returns false.
  @inline(__always)
  private func missing(_ isThere: (Int) -> Bool) -> Mask {
    @inline(__always) func word(_ first: Int) -> UInt64 {
      var word: UInt64 = 0
      for bit in 0..<64 { word |= (isThere(first &+ bit) ? 0 : 1) &<< UInt64(bit) }
      return word
    }
    return Mask(word(0), word(64), word(128), word(192))
  }

  private func sumIntegers(
    _ runs: ClusterLinks, _ targets: CountedTargets, _ numbers: LinkedValues, isAverage: Bool
  ) -> Mask {
    let addable = numbers.addable
    @inline(__always) func sum<T: FixedWidthInteger>(_ type: T.Type) -> Mask {
      let values = numbers.wholes.values(type)
      if targets.hasAll(ofRangesIn: runs) {
        return sumRanges(runs, targets, values, numbers.bits, addable, isAverage)
      }
      return missing { self.sum(runs, $0, targets, values, addable, isAverage) }
    }
    switch numbers.wholes.width {
    case .bits8: return sum(Int8.self)
    case .bits16: return sum(Int16.self)
    case .bits32: return sum(Int32.self)
    case .bits64: return sum(Int64.self)
    }
  }

  /// Sums over ranges of a run of values, as the difference of the running sums at the end and the start of the range.
  /// Running sums may wrap around; a difference is correct if it fits 64 bits.
  @inline(__always)
  private func sumRanges<T: FixedWidthInteger>(
    _ runs: ClusterLinks, _ targets: CountedTargets, _ values: UnsafePointer<T>, _ bits: BitWords, _ addable: Int,
    _ isAverage: Bool
  ) -> Mask {
    let count = runs.consecutive
    let first = values + Int(truncatingIfNeeded: runs.first)
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: count + 1) { memory in
      // The buffer has room for at least one sum, so it has an address.
      let sums = memory.baseAddress.unsafelyUnwrapped
      var sum: Int64 = 0
      for place in 0..<count {
        sums[place] = sum
        sum &+= Int64(truncatingIfNeeded: first[place])
      }
      sums[count] = sum
      // A position without a value holds 0, so only the count must exclude it.
      let areAllThere = bits.count(of: count, from: runs.first) == count
      return missing { slot in
        guard runs.isRange(slot), runs.count(slot) <= addable else {
          return self.sum(runs, slot, targets, values, addable, isAverage)
        }
        let sum = sums[runs.ends[slot]] &- sums[runs.starts[slot]]
        let count = areAllThere || !isAverage ? runs.count(slot) : runs.count(slot, in: bits)
        return put(WholeSum(Int128(sum), of: count), isAverage, slot)
      }
    }
  }

  /// The sum of the targets' values of one slot, added one by one.
  @inline(__always)
  private func sum<T: FixedWidthInteger>(
    _ runs: ClusterLinks, _ slot: Int, _ targets: CountedTargets, _ values: UnsafePointer<T>, _ addable: Int,
    _ isAverage: Bool
  ) -> Bool {
    if runs.count(slot) > addable { return put(targets.sum(runs, slot, values), isAverage, slot) }
    var count = 0
    var sum: Int64 = 0
    runs.forEachTarget(of: slot) { target in
      let place = targets.place(target)
      if place < 0 { return }
      sum &+= Int64(truncatingIfNeeded: values[place])
      count &+= 1
    }
    return put(WholeSum(Int128(sum), of: count), isAverage, slot)
  }

  /// Stores a sum or an average. Returns false if the slot has no result.
  @inline(__always)
  private func put(_ sum: WholeSum, _ isAverage: Bool, _ slot: Int) -> Bool {
    if isAverage {
      let average = sum.average
      doubles[slot] = average ?? 0
      return average != nil
    }
    let total = sum.total
    integers[slot] = total ?? 0
    return total != nil
  }

  /// Stores a number of the vector's form, or nil.
  @inline(__always)
  func put(_ value: Value, at slot: Int) throws {
    switch value {
    case .int(let number) where isInteger: integers[slot] = number
    case .double(let number) where !isInteger: doubles[slot] = number
    case .null:
      if isInteger { integers[slot] = 0 } else { doubles[slot] = 0 }
      nulls[slot] = true
    case .int, .double, .bool, .float, .decimal, .string, .date, .uuid, .data, .list, .embedded, .object:
      throw Self.unexpected(value, isInteger ? "an Int" : "a Double")
    }
  }
}

/// An aggregate of the values of each object's targets.
private struct TargetTotals: AccumulatorUse {
  let function: AggregateFunction
  let type: ExpressionType
  let vector: Vector
  let runs: ClusterLinks
  let targets: CountedTargets
  let numbers: LinkedValues

  func callAsFunction<Total: Accumulator>(_ empty: Total) throws {
    @inline(__always) func each<T>(_ values: UnsafePointer<T>, _ add: (inout Total, T) -> Void) throws {
      for slot in 0..<Mask.slotCount {
        var total = empty
        runs.forEachTarget(of: slot) { target in
          let place = targets.place(target)
          if place >= 0 { add(&total, values[place]) }
        }
        try vector.put(total.value(function, of: type), at: slot)
      }
    }
    @inline(__always) func wholes<T: FixedWidthInteger>(_ type: T.Type) throws {
      try each(numbers.wholes.values(type)) { $0.add(Int64(truncatingIfNeeded: $1)) }
    }
    if !numbers.isInteger { return try each(UnsafePointer(numbers.doubles)) { $0.add($1) } }
    switch numbers.wholes.width {
    case .bits8: try wholes(Int8.self)
    case .bits16: try wholes(Int16.self)
    case .bits32: try wholes(Int32.self)
    case .bits64: try wholes(Int64.self)
    }
  }
}

/// The targets that count for an aggregate: those with a value and, if there is a set, in the set.
private struct CountedTargets {
  private let present: UnsafePointer<UInt64>
  private let chosen: UnsafePointer<UInt64>
  private let limit: UInt64
  private let isChosen: Bool

  init(_ numbers: LinkedValues, in bits: ObjectBits?) {
    present = UnsafePointer(numbers.present)
    // Without a set, the present objects are selected.
    chosen = bits.map { UnsafePointer($0.words) } ?? present
    limit = min(numbers.limit, bits?.limit ?? .max)
    isChosen = bits != nil
  }

  /// Whether the runs are ranges in which every value counts.
  func hasAll(ofRangesIn runs: ClusterLinks) -> Bool {
    !isChosen && runs.consecutive > 0 && runs.first < limit && UInt64(runs.consecutive) <= limit - runs.first
  }

  /// The ordinal of a target; -1 if it does not count.
  @inline(__always)
  func place(_ target: UInt64) -> Int {
    guard target < limit else { return -1 }
    let word = Int(truncatingIfNeeded: target &>> 6)
    return (present[word] & chosen[word]) &>> (target & 63) & 1 == 0 ? -1 : Int(truncatingIfNeeded: target)
  }

  /// The sum of the values of a slot's targets, which may exceed 64 bits.
  func sum<T: FixedWidthInteger>(_ runs: ClusterLinks, _ slot: Int, _ values: UnsafePointer<T>) -> WholeSum {
    var sum = WholeSum()
    runs.forEachTarget(of: slot) { target in
      let place = place(target)
      if place >= 0 { sum.add(Int64(truncatingIfNeeded: values[place])) }
    }
    return sum
  }
}
