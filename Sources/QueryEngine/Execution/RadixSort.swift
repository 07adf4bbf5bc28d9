/// Object numbers with a word to sort them by.
struct KeyedObject {
  var key: UInt64
  var object: UInt64
}

/// Stable sort by an unsigned word, a byte at a time from the lowest. Bytes that are the same in all words cost
/// nothing.
enum RadixSort {
  static func sort(_ objects: inout [KeyedObject], _ patience: Patience) throws {
    let count = objects.count
    if count < 64 { return sortFew(&objects) }
    try withUnsafeTemporaryAllocation(of: Int.self, capacity: 8 * 256) { counts in
      counts.initialize(repeating: 0)
      try objects.withUnsafeBufferPointer { source in
        try patience.forEachPart(count) { tally(source[$0], counts) }
      }
      var other = [KeyedObject](unsafeUninitializedCapacity: count) { memory, initialized in
        memory.initialize(repeating: KeyedObject(key: 0, object: 0))
        initialized = count
      }
      for byte in 0..<8 {
        let digits = UnsafeMutableBufferPointer(rebasing: counts[byte * 256..<byte * 256 + 256])
        let shift = UInt64(byte * 8)
        if digits[Int(objects[0].key &>> shift & 255)] == count { continue }
        place(digits)
        try objects.withUnsafeBufferPointer { source in
          try other.withUnsafeMutableBufferPointer { target in
            try patience.forEachPart(count) { spread(source[$0], by: shift, digits, to: target) }
          }
        }
        swap(&objects, &other)
      }
    }
  }

  /// Few objects: insertion keeps ties in order and needs no memory.
  private static func sortFew(_ objects: inout [KeyedObject]) {
    for index in objects.indices.dropFirst() {
      let moved = objects[index]
      var place = index
      while place > 0, objects[place - 1].key > moved.key {
        objects[place] = objects[place - 1]
        place -= 1
      }
      objects[place] = moved
    }
  }

  /// How many words have each value of each byte.
  private static func tally(
    _ objects: Slice<UnsafeBufferPointer<KeyedObject>>, _ counts: UnsafeMutableBufferPointer<Int>
  ) {
    guard let counts = counts.baseAddress else { return }
    for object in UnsafeBufferPointer(rebasing: objects) {
      var key = object.key
      var place = 0
      while place < 8 * 256 {
        counts[place &+ Int(truncatingIfNeeded: key & 255)] &+= 1
        key &>>= 8
        place &+= 256
      }
    }
  }

  /// Makes of how many there are of each byte where those with it begin.
  private static func place(_ digits: UnsafeMutableBufferPointer<Int>) {
    var next = 0
    for digit in digits.indices {
      let here = digits[digit]
      digits[digit] = next
      next += here
    }
  }

  /// Puts some more objects where those with the same byte go on; `digits` has the places.
  private static func spread(
    _ source: Slice<UnsafeBufferPointer<KeyedObject>>, by shift: UInt64, _ digits: UnsafeMutableBufferPointer<Int>,
    to target: UnsafeMutableBufferPointer<KeyedObject>
  ) {
    guard let places = digits.baseAddress, let target = target.baseAddress else { return }
    for object in UnsafeBufferPointer(rebasing: source) {
      let digit = Int(truncatingIfNeeded: object.key &>> shift & 255)
      target[places[digit]] = object
      places[digit] &+= 1
    }
  }
}
