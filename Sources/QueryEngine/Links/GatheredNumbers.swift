internal import Storage
internal import Values

/// The values of a numeric expression for every object of an entity, by number: what aggregates over links gather from.
///
/// It does not know who links there.
final class GatheredNumbers {
  private(set) var integers: UnsafeMutablePointer<Int64>
  private(set) var doubles: UnsafeMutablePointer<Double>
  let isInteger: Bool
  /// The objects that have a value which is not nil; a number beyond the limit has none.
  private(set) var present: UnsafeMutablePointer<UInt64>
  private(set) var limit: UInt64
  /// Of numbers that are places in an order: the values in that order.
  private(set) var ranked: [Value] = []

  /// Room for the objects of a number of clusters.
  init(clusters: Int, isInteger: Bool) {
    let count = max(1, clusters) * Mask.slotCount
    self.isInteger = isInteger
    limit = UInt64(count)
    integers = .allocate(capacity: isInteger ? count : 1)
    doubles = .allocate(capacity: isInteger ? 1 : count)
    present = .allocate(capacity: count / 64)
    // Every number that `present` says is there is written before it is read.
    present.initialize(repeating: 0, count: count / 64)
  }

  deinit {
    integers.deallocate()
    doubles.deallocate()
    present.deallocate()
  }

  /// Takes the values of a cluster.
  func put(_ cluster: UInt64, _ vector: NumberVector, _ mask: Mask) {
    grow(toHold: cluster)
    let start = Int(cluster) << 8
    if isInteger {
      if vector.isInteger {
        (integers + start).update(from: vector.integers, count: Mask.slotCount)
      }
    } else {
      vector.convertToDoubles()
      (doubles + start).update(from: vector.doubles, count: Mask.slotCount)
    }
    let values = mask.andNot(vector.nulls)
    for word in 0..<4 { present[start >> 6 + word] = values.word(word) }
  }

  /// Takes a value for each of some objects of a cluster, by its number in the order in which values were first met;
  /// none is nil.
  func put(_ cluster: UInt64, _ numbers: [(slot: Int, number: Int)]) {
    grow(toHold: cluster)
    var values = Mask.none
    for (slot, number) in numbers {
      integers[Int(cluster) << 8 | slot] = Int64(number)
      values[slot] = true
    }
    let start = Int(cluster) << 2
    for word in 0..<4 { present[start + word] = values.word(word) }
  }

  /// Makes the numbers of values, as they were met, their places in order.
  func rank(_ met: [Value]) {
    let order = met.indices.sorted { SortOrder.compare(met[$0], met[$1]) < 0 }
    var places = [Int64](repeating: 0, count: met.count)
    for (place, number) in order.enumerated() { places[number] = Int64(place) }
    ranked = order.map { met[$0] }
    for word in 0..<Int(limit / 64) {
      var left = present[word]
      while left != 0 {
        let object = word << 6 | left.trailingZeroBitCount
        integers[object] = places[Int(integers[object])]
        left &= left &- 1
      }
    }
  }

  private func grow(toHold cluster: UInt64) {
    if cluster < limit >> 8 { return }
    let count = Int(max(cluster + 1, limit >> 7)) << 8
    func grown<T>(_ old: UnsafeMutablePointer<T>, from used: Int, to count: Int, _ zero: T) -> UnsafeMutablePointer<T> {
      let new = UnsafeMutablePointer<T>.allocate(capacity: count)
      new.initialize(repeating: zero, count: count)
      new.update(from: old, count: used)
      old.deallocate()
      return new
    }
    if isInteger { integers = grown(integers, from: Int(limit), to: count, 0) }
    if !isInteger { doubles = grown(doubles, from: Int(limit), to: count, 0) }
    present = grown(present, from: Int(limit) / 64, to: count / 64, 0)
    limit = UInt64(count)
  }

  /// Whether an object has a value.
  @inline(__always)
  func has(_ number: UInt64) -> Bool {
    number < limit && present[Int(truncatingIfNeeded: number &>> 6)] &>> (number & 63) & 1 != 0
  }
}

extension NumberVector {
  /// Reads, through a to-one link, what the targets have.
  func gather(_ view: ColumnView, _ numbers: GatheredNumbers) {
    isInteger = numbers.isInteger
    var found = Mask.none
    if isInteger {
      LinkWalk.toOne(view, Mask(firstCount: view.slotCount)) { slot, number in
        if numbers.has(number) {
          integers[slot] = numbers.integers[Int(truncatingIfNeeded: number)]
          found[slot] = true
        }
      }
    } else {
      LinkWalk.toOne(view, Mask(firstCount: view.slotCount)) { slot, number in
        if numbers.has(number) {
          doubles[slot] = numbers.doubles[Int(truncatingIfNeeded: number)]
          found[slot] = true
        }
      }
    }
    nulls = ~found
  }

  /// How many of its targets each object has in a set; all of them without a set.
  func countTargets(_ view: ColumnView, in bits: ObjectBits?) throws {
    isInteger = true
    nulls = .none
    for slot in 0..<Mask.slotCount { integers[slot] = 0 }
    let integers = integers
    guard let bits else {
      try LinkWalk.toMany(view, Mask(firstCount: view.slotCount)) { slot, range, _ in
        integers[slot] = Int64(range.count)
      }
      return
    }
    if bits.count == 0 { return }
    let words = UnsafePointer(bits.words)
    let limit = bits.limit
    try LinkWalk.toMany(view, Mask(firstCount: view.slotCount)) { slot, range, number in
      var count: UInt64 = 0
      var place = range.lowerBound
      while place < range.upperBound {
        let target = number[place]
        if target < limit { count &+= words[Int(truncatingIfNeeded: target &>> 6)] &>> (target & 63) & 1 }
        place &+= 1
      }
      integers[slot] = Int64(truncatingIfNeeded: count)
    }
  }

  /// Reduces what the targets of a to-many link have, those in a set or all.
  func reduce(
    _ reduction: Reduction, _ view: ColumnView, _ numbers: GatheredNumbers, in bits: ObjectBits?
  ) throws {
    nulls = .none
    isInteger = numbers.isInteger && reduction != .average
    fillZeroes()
    // An object whose list is nil has none, as one whose list is empty.
    if reduction != .sum { nulls = .all }
    if numbers.isInteger {
      try reduceIntegers(reduction, view, numbers, bits)
    } else {
      try reduceDoubles(reduction, view, numbers, bits)
    }
  }

  private func fillZeroes() {
    if isInteger {
      integers.update(repeating: 0, count: Mask.slotCount)
    } else {
      doubles.update(repeating: 0, count: Mask.slotCount)
    }
  }

  private func reduceIntegers(
    _ reduction: Reduction, _ view: ColumnView, _ numbers: GatheredNumbers, _ bits: ObjectBits?
  ) throws {
    let values = UnsafePointer(numbers.integers)
    let (wholes, reals) = (integers, doubles)
    var missing = nulls
    let targets = CountedTargets(numbers, in: bits)
    try LinkWalk.toMany(view, Mask(firstCount: view.slotCount)) { slot, range, links in
      var count = 0
      var sum = Int128(0)
      var best: Int64 = 0
      var place = range.lowerBound
      while place < range.upperBound {
        let number = targets.place(links[place])
        place &+= 1
        if number < 0 { continue }
        let value = values[number]
        switch reduction {
        case .minimum: best = count == 0 ? value : min(best, value)
        case .maximum: best = count == 0 ? value : max(best, value)
        default: sum &+= Int128(value)
        }
        count &+= 1
      }
      switch reduction {
      case .average:
        if count == 0 { return }
        // Making a Double of 128 bits is many times the work of all before.
        reals[slot] = (Int64(exactly: sum).map { Double($0) } ?? Double(sum)) / Double(count)
        missing[slot] = false
      case .sum:
        if let whole = Int64(exactly: sum) { wholes[slot] = whole } else { missing[slot] = true }
      default:
        if count == 0 { return }
        wholes[slot] = best
        missing[slot] = false
      }
    }
    nulls = missing
  }

  private func reduceDoubles(
    _ reduction: Reduction, _ view: ColumnView, _ numbers: GatheredNumbers, _ bits: ObjectBits?
  ) throws {
    let values = UnsafePointer(numbers.doubles)
    let results = doubles
    var missing = nulls
    let targets = CountedTargets(numbers, in: bits)
    try LinkWalk.toMany(view, Mask(firstCount: view.slotCount)) { slot, range, links in
      var count = 0
      var sum = 0.0
      var best = 0.0
      var place = range.lowerBound
      while place < range.upperBound {
        let number = targets.place(links[place])
        place &+= 1
        if number < 0 { continue }
        let value = values[number]
        if value.isNaN { continue }
        switch reduction {
        case .minimum: best = count == 0 || value < best ? value : best
        case .maximum: best = count == 0 || value > best ? value : best
        default: sum += value
        }
        count &+= 1
      }
      switch reduction {
      case .average:
        if count == 0 { return }
        results[slot] = sum / Double(count)
      case .sum: results[slot] = sum
      default:
        if count == 0 { return }
        results[slot] = best
      }
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
}
