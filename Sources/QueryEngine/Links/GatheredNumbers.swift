internal import Storage
internal import Values

/// The values of a numeric expression for every object of an entity, by place: what aggregates over links gather from.
///
/// It does not know who links there.
final class GatheredNumbers {
  let integers: UnsafeMutablePointer<Int64>
  let doubles: UnsafeMutablePointer<Double>
  let isInteger: Bool
  /// The objects that have a value which is not nil; a place beyond the limit has none.
  let present: UnsafeMutablePointer<UInt64>
  let limit: UInt64
  /// Where the objects stand.
  let places: ObjectPlaces
  /// The bits in which any whole number is unlike its sign: how great they are at most.
  private var magnitude: UInt64 = 0
  /// Of numbers that are places in an order: the values in that order.
  private(set) var ranked: [Value] = []

  /// Room for all objects that have a place.
  init(_ places: ObjectPlaces, isInteger: Bool) {
    self.places = places
    let count = max(1, places.clusterCount) * Mask.slotCount
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

  /// The value of an object, as an expression of a type has it; nil where there is none.
  func value(_ object: UInt64, of type: ExpressionType) -> Value {
    let object = places.place(object)
    guard has(object) else { return .null }
    let place = Int(truncatingIfNeeded: object)
    if !ranked.isEmpty { return ranked[Int(integers[place])] }
    if isInteger { return .int(integers[place]) }
    switch type {
    case .float: return .float(Float(doubles[place]))
    case .date: return .date(Instant(seconds: doubles[place]))
    default: return .double(doubles[place])
    }
  }

  /// Takes the values of a cluster.
  func put(_ cluster: UInt64, _ vector: NumberVector, _ mask: Mask) throws {
    let start = Int(try places.cluster(cluster)) << 8
    if isInteger {
      if vector.isInteger {
        let (from, to) = (vector.integers, integers + start)
        var bits: Int64 = 0
        for slot in 0..<Mask.slotCount {
          let number = from[slot]
          to[slot] = number
          bits |= number ^ (number &>> 63)
        }
        magnitude |= UInt64(bitPattern: bits)
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
  func put(_ cluster: UInt64, _ numbers: [(slot: Int, number: Int)]) throws {
    let start = Int(try places.cluster(cluster)) << 8
    var values = Mask.none
    for (slot, number) in numbers {
      integers[start | slot] = Int64(number)
      values[slot] = true
    }
    for word in 0..<4 { present[start >> 6 + word] = values.word(word) }
  }

  /// Makes the numbers of values, as they were met, their places in order.
  func rank(_ met: [Value], _ patience: Patience) throws {
    let order = try met.indices.sorted(patience) { SortOrder.compare(met[$0], met[$1]) < 0 }
    var places = [Int64](repeating: 0, count: met.count)
    for (place, number) in order.enumerated() { places[number] = Int64(place) }
    ranked = order.map { met[$0] }
    for word in 0..<Int(limit / 64) {
      try patience.step(64)
      var left = present[word]
      while left != 0 {
        let object = word << 6 | left.trailingZeroBitCount
        integers[object] = places[Int(integers[object])]
        left &= left &- 1
      }
    }
  }

  /// How many whole numbers may be added without going over; none where even two might.
  var addable: Int {
    let free = magnitude.leadingZeroBitCount - 1
    return free > 0 ? 1 << min(free, 40) : 0
  }

  /// Whether the object at a place has a value.
  @inline(__always)
  func has(_ place: UInt64) -> Bool {
    place < limit && present[Int(truncatingIfNeeded: place &>> 6)] &>> (place & 63) & 1 != 0
  }
}
