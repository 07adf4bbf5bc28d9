internal import Storage
internal import Values

/// Numbers of linked objects by the slots of those who link to them: loops over one link.
extension NumberVector {
  /// Reads, through a to-one link, what the targets have.
  func gather(_ view: ColumnView, _ numbers: GatheredNumbers, _ run: LinkRun) {
    isInteger = numbers.isInteger
    nulls = .all
    guard let links = run.readOne(view, numbers.places) else { return }
    let limit = numbers.limit
    let present = UnsafePointer(numbers.present)
    @inline(__always) func word<T>(
      _ first: Int, _ from: UnsafeMutablePointer<T>, _ to: UnsafeMutablePointer<T>
    ) -> UInt64 {
      var word: UInt64 = 0
      for slot in first..<first &+ 64 {
        let number = links[slot]
        if number >= limit { continue }
        to[slot] = from[Int(truncatingIfNeeded: number)]
        word |= (present[Int(truncatingIfNeeded: number &>> 6)] &>> (number & 63) & 1) &<< UInt64(slot & 63)
      }
      return word
    }
    @inline(__always) func found<T>(_ from: UnsafeMutablePointer<T>, _ to: UnsafeMutablePointer<T>) -> Mask {
      Mask(word(0, from, to), word(64, from, to), word(128, from, to), word(192, from, to))
    }
    let found = isInteger ? found(numbers.integers, integers) : found(numbers.doubles, doubles)
    nulls = ~found.andNot(view.nulls)
  }

  /// How many of its targets each object has in a set.
  func countTargets(_ runs: LinkRuns, in bits: BitWords) {
    isInteger = true
    nulls = .none
    let integers = integers
    for slot in 0..<Mask.slotCount { integers[slot] = Int64(runs.count(slot, in: bits)) }
  }

  /// Reduces what the targets of a to-many link have, those in a set or all.
  func reduce(_ reduction: Reduction, _ runs: LinkRuns, _ numbers: GatheredNumbers, in bits: ObjectBits?) {
    // An object whose list is nil has none, as one whose list is empty.
    isInteger = numbers.isInteger && reduction != .average
    let targets = CountedTargets(numbers, in: bits)
    let missing: Mask =
      switch (reduction, numbers.isInteger) {
      case (.minimum, true): extremes(runs, targets, numbers.integers, integers) { $0 < $1 }
      case (.maximum, true): extremes(runs, targets, numbers.integers, integers) { $0 > $1 }
      case (.minimum, false): extremes(runs, targets, numbers.doubles, doubles) { $0 < $1 }
      case (.maximum, false): extremes(runs, targets, numbers.doubles, doubles) { $0 > $1 }
      case (_, true): sumIntegers(runs, targets, numbers, isAverage: reduction == .average)
      case (_, false): sumDoubles(runs, targets, numbers.doubles, isAverage: reduction == .average)
      }
    nulls = missing
  }

  /// The slots that have none.
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
    _ runs: LinkRuns, _ targets: CountedTargets, _ numbers: GatheredNumbers, isAverage: Bool
  ) -> Mask {
    let values = UnsafePointer(numbers.integers)
    let addable = numbers.addable
    let (integers, doubles) = (integers, doubles)
    return missing { slot in
      let links = runs.targets(of: slot)
      if links.count > addable { return putWide(targets.wideSum(links, values), isAverage, slot) }
      var count = 0
      var sum: Int64 = 0
      if runs.isRange(slot), targets.all(links) {
        count = links.count
        let first = values + (count == 0 ? 0 : Int(truncatingIfNeeded: links[0]))
        for place in 0..<count { sum &+= first[place] }
      } else {
        for target in links {
          let place = targets.place(target)
          if place < 0 { continue }
          sum &+= values[place]
          count &+= 1
        }
      }
      if isAverage {
        doubles[slot] = count == 0 ? 0 : Double(sum) / Double(count)
        return count > 0
      }
      integers[slot] = sum
      return true
    }
  }

  /// Takes a sum that 64 bits might not have held; false where there is no result.
  private func putWide(_ total: (sum: Int128, count: Int), _ isAverage: Bool, _ slot: Int) -> Bool {
    let whole = Int64(exactly: total.sum)
    if isAverage {
      doubles[slot] = total.count == 0 ? 0 : (whole.map { Double($0) } ?? Double(total.sum)) / Double(total.count)
      return total.count > 0
    }
    integers[slot] = whole ?? 0
    return whole != nil
  }

  private func sumDoubles(
    _ runs: LinkRuns, _ targets: CountedTargets, _ values: UnsafeMutablePointer<Double>, isAverage: Bool
  ) -> Mask {
    let doubles = doubles
    return missing { slot in
      var count = 0
      var sum = 0.0
      for target in runs.targets(of: slot) {
        let place = targets.place(target)
        if place < 0 { continue }
        let value = values[place]
        if value.isNaN { continue }
        sum += value
        count &+= 1
      }
      doubles[slot] = !isAverage ? sum : count == 0 ? 0 : sum / Double(count)
      return !isAverage || count > 0
    }
  }

  /// The value of each object's targets before which none comes; NaN is none.
  @inline(__always)
  private func extremes<T: Comparable & Numeric>(
    _ runs: LinkRuns, _ targets: CountedTargets, _ values: UnsafeMutablePointer<T>,
    _ results: UnsafeMutablePointer<T>, _ isBefore: (T, T) -> Bool
  ) -> Mask {
    missing { slot in
      var best: T = 0
      var isThere = false
      for target in runs.targets(of: slot) {
        let place = targets.place(target)
        if place < 0 { continue }
        let value = values[place]
        // NaN is not equal to itself.
        if value != value || isThere && !isBefore(value, best) { continue }
        best = value
        isThere = true
      }
      results[slot] = best
      return isThere
    }
  }
}

/// The targets that count for an aggregate: those with a value, and in a set where there is one.
private struct CountedTargets {
  private let present: UnsafePointer<UInt64>
  private let chosen: UnsafePointer<UInt64>
  private let limit: UInt64
  private let isChosen: Bool

  init(_ numbers: GatheredNumbers, in bits: ObjectBits?) {
    present = UnsafePointer(numbers.present)
    // Without a set, what is present is chosen.
    chosen = bits.map { UnsafePointer($0.words) } ?? present
    limit = min(numbers.limit, bits?.limit ?? .max)
    isChosen = bits != nil
  }

  /// Whether all of some numbers that count up by one count.
  @inline(__always)
  func all(_ targets: UnsafeBufferPointer<UInt64>) -> Bool {
    !isChosen && BitWords(words: present, limit: limit).count(of: targets) == targets.count
  }

  /// The place of a target's value; -1 where it does not count.
  @inline(__always)
  func place(_ target: UInt64) -> Int {
    guard target < limit else { return -1 }
    let word = Int(truncatingIfNeeded: target &>> 6)
    return (present[word] & chosen[word]) &>> (target & 63) & 1 == 0 ? -1 : Int(truncatingIfNeeded: target)
  }

  /// The sum of so many or so great numbers that 64 bits might not do, and how many there are.
  func wideSum(_ links: UnsafeBufferPointer<UInt64>, _ values: UnsafePointer<Int64>) -> (Int128, Int) {
    var sum = Int128(0)
    var count = 0
    for target in links {
      let place = place(target)
      if place < 0 { continue }
      sum &+= Int128(values[place])
      count &+= 1
    }
    return (sum, count)
  }
}
