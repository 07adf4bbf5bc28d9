/// Object numbers with a word to sort them by.
struct KeyedObject {
  var key: UInt64
  var object: UInt64
}

/// Stable sort by an unsigned word, a byte at a time from the lowest. Bytes that are the same in all words cost
/// nothing.
enum RadixSort {
  static func sort(_ objects: inout [KeyedObject]) {
    let count = objects.count
    if count < 64 { return sortFew(&objects) }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 8 * 256) { counts in
      counts.initialize(repeating: 0)
      objects.withUnsafeBufferPointer { tally($0, counts) }
      var other = [KeyedObject](unsafeUninitializedCapacity: count) { memory, initialized in
        memory.initialize(repeating: KeyedObject(key: 0, object: 0))
        initialized = count
      }
      for byte in 0..<8 {
        let digits = UnsafeMutableBufferPointer(rebasing: counts[byte * 256..<byte * 256 + 256])
        let shift = UInt64(byte * 8)
        if digits[Int(objects[0].key &>> shift & 255)] == count { continue }
        objects.withUnsafeBufferPointer { source in
          other.withUnsafeMutableBufferPointer { spread(source, by: shift, digits, to: $0) }
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
    _ objects: UnsafeBufferPointer<KeyedObject>, _ counts: UnsafeMutableBufferPointer<Int>
  ) {
    guard let counts = counts.baseAddress else { return }
    for object in objects {
      var key = object.key
      var place = 0
      while place < 8 * 256 {
        counts[place &+ Int(truncatingIfNeeded: key & 255)] &+= 1
        key &>>= 8
        place &+= 256
      }
    }
  }

  /// Puts objects where those with the same byte begin; `digits` has how many there are of each.
  private static func spread(
    _ source: UnsafeBufferPointer<KeyedObject>, by shift: UInt64, _ digits: UnsafeMutableBufferPointer<Int>,
    to target: UnsafeMutableBufferPointer<KeyedObject>
  ) {
    guard let places = digits.baseAddress, let target = target.baseAddress else { return }
    var next = 0
    for digit in 0..<256 {
      let here = places[digit]
      places[digit] = next
      next += here
    }
    for object in source {
      let digit = Int(truncatingIfNeeded: object.key &>> shift & 255)
      target[places[digit]] = object
      places[digit] &+= 1
    }
  }
}
