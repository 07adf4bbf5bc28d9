internal import Storage
internal import Values

/// The values of a numeric expression for every object of an entity, by ordinal. Aggregates over links read them.
///
/// It does not depend on the links.
final class LinkedValues {
  private(set) var wholes: PackedIntegers
  let doubles: UnsafeMutablePointer<Double>
  let isInteger: Bool
  /// The objects that have a value other than nil; an ordinal beyond the limit has none.
  let present: UnsafeMutablePointer<UInt64>
  let limit: UInt64
  /// The ordinals of the objects.
  let places: ObjectOrdinals
  /// The bits in which any integer differs from its sign, which bound the magnitude of all.
  private var magnitude: UInt64 = 0
  /// For ranks, the values in sorted order; otherwise empty.
  private(set) var ranked: [Value] = []

  /// Allocates space for all objects with an ordinal.
  init(_ places: ObjectOrdinals, isInteger: Bool) {
    self.places = places
    let count = max(1, places.clusterCount) * Mask.slotCount
    self.isInteger = isInteger
    limit = UInt64(count)
    wholes = PackedIntegers(count: isInteger ? count : 0)
    doubles = .allocate(capacity: isInteger ? 1 : count)
    // Every Double is written before `present` marks it as existing.
    present = BitWords.zeros(count / 64)
  }

  deinit {
    wholes.deallocate()
    doubles.deallocate()
    present.deallocate()
  }

  /// The value of an object, for an expression of a type; nil if the object has none.
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

  /// Copies the values of a cluster.
  func put(_ cluster: UInt64, _ vector: Vector, _ mask: Mask) throws {
    let start = Int(try places.cluster(cluster)) << 8
    let values = mask.andNot(vector.nulls)
    // A vector of nils may have any form.
    if values.isEmpty { return put(values, at: start) }
    guard vector.isInteger || !isInteger && vector.form == .doubles else {
      throw StoreError.unsupported("values of linked objects of another form than their expression's type")
    }
    if !isInteger {
      vector.convertToDoubles()
      (doubles + start).update(from: vector.doubles, count: Mask.slotCount)
    } else {
      magnitude |= wholes.put(vector.integers, values, at: start)
    }
    put(values, at: start)
  }

  /// Copies the values of a cluster directly from memory. Returns false if they must be decoded.
  func put(_ cluster: UInt64, _ column: UnsafePointer<RawColumn>, _ mask: Mask) throws -> Bool {
    guard isInteger else { return false }
    let start = Int(try places.cluster(cluster)) << 8
    let values = mask.andNot(column.pointee.nulls)
    guard let numbers = column.pointee.numbers, numbers.kind == .integers else { return false }
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: Mask.slotCount) { memory in
      guard let integers = memory.baseAddress else { return }
      numbers.copyIntegers(0..<min(Int(column.pointee.slotCount), Mask.slotCount), to: integers)
      magnitude |= wholes.put(integers, values, at: start)
    }
    put(values, at: start)
    return true
  }

  @inline(__always)
  private func put(_ values: Mask, at start: Int) {
    for word in 0..<4 { present[start >> 6 + word] = values.word(word) }
  }

  /// Stores the values of some objects of a cluster, as numbers of distinct values in the order of first occurrence. An
  /// object without a number is nil.
  func put(_ cluster: UInt64, _ numbers: [(slot: Int, number: Int)]) throws {
    let start = Int(try places.cluster(cluster)) << 8
    var values = Mask.none
    for (slot, number) in numbers {
      wholes.put(Int64(number), at: start | slot)
      values[slot] = true
    }
    put(values, at: start)
  }

  /// Replaces numbers in the order of first occurrence by ranks.
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

  /// The number of integers that can be added without overflow; 0 if even two may overflow.
  var addable: Int {
    let free = magnitude.leadingZeroBitCount - 1
    return free > 0 ? 1 << min(free, 40) : 0
  }

  /// The objects that have a value.
  var bits: BitWords { BitWords(words: present, limit: limit) }

  /// Whether the object with an ordinal has a value.
  @inline(__always)
  func has(_ place: UInt64) -> Bool {
    place < limit && present[Int(truncatingIfNeeded: place &>> 6)] &>> (place & 63) & 1 != 0
  }
}
