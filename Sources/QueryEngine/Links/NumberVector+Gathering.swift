internal import Storage
internal import Values

/// Numbers of linked objects by the slots of those who link to them: loops over one link.
extension NumberVector {
  /// Reads, through a to-one link, what the targets have.
  func gather(_ view: ColumnView, _ numbers: GatheredNumbers, _ run: LinkRun) {
    isInteger = numbers.isInteger
    nulls = .all
    guard let links = run.readOne(view) else { return }
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
  func countTargets(_ run: LinkRun, in bits: ObjectBits) {
    isInteger = true
    nulls = .none
    for slot in 0..<Mask.slotCount { integers[slot] = Int64(run.count(slot, in: bits)) }
  }

  /// Reduces what the targets of a to-many link have, those in a set or all.
  func reduce(_ reduction: Reduction, _ run: LinkRun, _ numbers: GatheredNumbers, in bits: ObjectBits?) {
    isInteger = numbers.isInteger && reduction != .average
    integers.update(repeating: 0, count: Mask.slotCount)
    doubles.update(repeating: 0, count: Mask.slotCount)
    // An object whose list is nil has none, as one whose list is empty.
    nulls = reduction == .sum ? .none : .all
    if numbers.isInteger {
      switch reduction {
      case .minimum: extremes(run, numbers, bits, numbers.integers, integers) { $0 < $1 }
      case .maximum: extremes(run, numbers, bits, numbers.integers, integers) { $0 > $1 }
      default: sumIntegers(run, numbers, bits, isAverage: reduction == .average)
      }
    } else {
      switch reduction {
      case .minimum: extremes(run, numbers, bits, numbers.doubles, doubles) { $0 < $1 }
      case .maximum: extremes(run, numbers, bits, numbers.doubles, doubles) { $0 > $1 }
      default: sumDoubles(run, numbers, bits, isAverage: reduction == .average)
      }
    }
  }

  private func sumIntegers(_ run: LinkRun, _ numbers: GatheredNumbers, _ bits: ObjectBits?, isAverage: Bool) {
    let values = UnsafePointer(numbers.integers)
    let addable = numbers.addable
    let targets = CountedTargets(numbers, in: bits)
    var missing = nulls
    for slot in 0..<Mask.slotCount {
      let links = run.targets(of: slot)
      if links.isEmpty { continue }
      var count = 0
      var sum: Int64 = 0
      var wide: Int128?
      if links.count > addable {
        (wide, count) = targets.wideSum(links, values)
      } else if bits == nil, run.isRange(slot), numbers.hasAll(of: links) {
        let first = values + Int(truncatingIfNeeded: links[0])
        for place in 0..<links.count { sum &+= first[place] }
        count = links.count
      } else {
        for target in links {
          let place = targets.place(target)
          if place < 0 { continue }
          sum &+= values[place]
          count &+= 1
        }
      }
      if isAverage {
        if count == 0 { continue }
        // Making a Double of 128 bits is many times the work of all before.
        doubles[slot] =
          (wide.map { Int64(exactly: $0).map { Double($0) } ?? Double($0) } ?? Double(sum)) / Double(count)
        missing[slot] = false
      } else if let wide {
        integers[slot] = Int64(exactly: wide) ?? 0
        missing[slot] = Int64(exactly: wide) == nil
      } else {
        integers[slot] = sum
      }
    }
    nulls = missing
  }

  private func sumDoubles(_ run: LinkRun, _ numbers: GatheredNumbers, _ bits: ObjectBits?, isAverage: Bool) {
    let values = UnsafePointer(numbers.doubles)
    let targets = CountedTargets(numbers, in: bits)
    var missing = nulls
    for slot in 0..<Mask.slotCount {
      var count = 0
      var sum = 0.0
      for target in run.targets(of: slot) {
        let place = targets.place(target)
        if place < 0 { continue }
        let value = values[place]
        if value.isNaN { continue }
        sum += value
        count &+= 1
      }
      if !isAverage {
        doubles[slot] = sum
      } else if count > 0 {
        doubles[slot] = sum / Double(count)
        missing[slot] = false
      }
    }
    nulls = missing
  }

  /// The value of each object's targets before which none comes; NaN is none.
  @inline(__always)
  private func extremes<T: Comparable>(
    _ run: LinkRun, _ numbers: GatheredNumbers, _ bits: ObjectBits?, _ values: UnsafeMutablePointer<T>,
    _ results: UnsafeMutablePointer<T>, _ isBefore: (T, T) -> Bool
  ) {
    let targets = CountedTargets(numbers, in: bits)
    var missing = nulls
    for slot in 0..<Mask.slotCount {
      var best: T?
      for target in run.targets(of: slot) {
        let place = targets.place(target)
        if place < 0 { continue }
        let value = values[place]
        // NaN is not equal to itself.
        if value != value { continue }
        if let known = best, !isBefore(value, known) { continue }
        best = value
      }
      guard let best else { continue }
      results[slot] = best
      missing[slot] = false
    }
    nulls = missing
  }
}

/// The targets that count for an aggregate: those with a value, and in a set where there is one.
private struct CountedTargets {
  private let present: UnsafePointer<UInt64>
  private let chosen: UnsafePointer<UInt64>
  private let limit: UInt64

  init(_ numbers: GatheredNumbers, in bits: ObjectBits?) {
    present = UnsafePointer(numbers.present)
    // Without a set, what is present is chosen.
    chosen = bits.map { UnsafePointer($0.words) } ?? present
    limit = min(numbers.limit, bits?.limit ?? .max)
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
