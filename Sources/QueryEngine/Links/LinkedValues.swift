internal import Storage
internal import Values

/// The values of a numeric expression for every object of an entity, by place: what aggregates over links gather from.
///
/// It does not know who links there.
final class LinkedValues {
  private(set) var wholes: PackedIntegers
  let doubles: UnsafeMutablePointer<Double>
  let isInteger: Bool
  /// The objects that have a value which is not nil; a place beyond the limit has none.
  let present: UnsafeMutablePointer<UInt64>
  let limit: UInt64
  /// Where the objects stand.
  let places: ObjectOrdinals
  /// The bits in which any whole number is unlike its sign: how great they are at most.
  private var magnitude: UInt64 = 0
  /// Of numbers that are places in an order: the values in that order.
  private(set) var ranked: [Value] = []

  /// Room for all objects that have a place.
  init(_ places: ObjectOrdinals, isInteger: Bool) {
    self.places = places
    let count = max(1, places.clusterCount) * Mask.slotCount
    self.isInteger = isInteger
    limit = UInt64(count)
    wholes = PackedIntegers(count: isInteger ? count : 0)
    doubles = .allocate(capacity: isInteger ? 1 : count)
    // Every Double that `present` says is there is written before it is read.
    present = BitWords.zeros(count / 64)
  }

  deinit {
    wholes.deallocate()
    doubles.deallocate()
    present.deallocate()
  }

  /// The value of an object, as an expression of a type has it; nil where there is none.
  func value(_ object: UInt64, of type: ExpressionType) -> Value {
    let object = places.place(object)
    guard has(object) else { return .null }
    let place = Int(truncatingIfNeeded: object)
    if !ranked.isEmpty { return ranked[Int(wholes[place])] }
    if isInteger { return .int(wholes[place]) }
    switch type {
    case .float: return .float(Float(doubles[place]))
    case .date: return .date(Instant(seconds: doubles[place]))
    default: return .double(doubles[place])
    }
  }

  /// Takes the values of a cluster.
  func put(_ cluster: UInt64, _ vector: Vector, _ mask: Mask) throws {
    let start = Int(try places.cluster(cluster)) << 8
    let values = mask.andNot(vector.nulls)
    if !isInteger {
      vector.convertToDoubles()
      (doubles + start).update(from: vector.doubles, count: Mask.slotCount)
    } else if vector.isInteger {
      magnitude |= wholes.put(vector.integers, values, at: start)
    }
    put(values, at: start)
  }

  /// Takes the values of a cluster as they lie in memory; false where they must be seen in another way.
  func put(_ cluster: UInt64, _ column: UnsafePointer<RawColumn>, _ mask: Mask) throws -> Bool {
    guard isInteger else { return false }
    let start = Int(try places.cluster(cluster)) << 8
    let values = mask.andNot(column.pointee.nulls)
    let (base, bytes) = (column.pointee.base, column.pointee.values)
    let count = min(Int(column.pointee.slotCount), Mask.slotCount)
    let found: UInt64?
    switch column.pointee.layout {
    case .offsets8: found = wholes.put(bytes.assumingMemoryBound(to: UInt8.self), count, base: base, values, at: start)
    case .offsets16:
      found = wholes.put(bytes.assumingMemoryBound(to: UInt16.self), count, base: base, values, at: start)
    case .offsets32:
      found = wholes.put(bytes.assumingMemoryBound(to: UInt32.self), count, base: base, values, at: start)
    default: found = nil
    }
    guard let found else { return false }
    magnitude |= found
    put(values, at: start)
    return true
  }

  @inline(__always)
  private func put(_ values: Mask, at start: Int) {
    for word in 0..<4 { present[start >> 6 + word] = values.word(word) }
  }

  /// Takes a value for each of some objects of a cluster, by its number in the order in which values were first met;
  /// none is nil.
  func put(_ cluster: UInt64, _ numbers: [(slot: Int, number: Int)]) throws {
    let start = Int(try places.cluster(cluster)) << 8
    var values = Mask.none
    for (slot, number) in numbers {
      wholes.put(Int64(number), at: start | slot)
      values[slot] = true
    }
    put(values, at: start)
  }

  /// Makes the numbers of values, as they were met, their places in order.
  func rank(_ met: [Value], _ cancellation: CancellationCheck) throws {
    let order = try met.indices.sorted(cancellation) { SortOrder.compare(met[$0], met[$1]) < 0 }
    var places = [Int64](repeating: 0, count: met.count)
    for (place, number) in order.enumerated() { places[number] = Int64(place) }
    ranked = order.map { met[$0] }
    for word in 0..<Int(limit / 64) {
      try cancellation.step(64)
      var left = present[word]
      while left != 0 {
        let object = word << 6 | left.trailingZeroBitCount
        wholes.put(places[Int(wholes[object])], at: object)
        left &= left &- 1
      }
    }
  }

  /// How many whole numbers may be added without going over; none where even two might.
  var addable: Int {
    let free = magnitude.leadingZeroBitCount - 1
    return free > 0 ? 1 << min(free, 40) : 0
  }

  /// Those that have a value.
  var bits: BitWords { BitWords(words: present, limit: limit) }

  /// Whether the object at a place has a value.
  @inline(__always)
  func has(_ place: UInt64) -> Bool {
    place < limit && present[Int(truncatingIfNeeded: place &>> 6)] &>> (place & 63) & 1 != 0
  }
}
