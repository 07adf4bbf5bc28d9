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
    if count < 64 {
      // Few objects: insertion keeps ties in order and needs no memory.
      for index in objects.indices.dropFirst() {
        let moved = objects[index]
        var place = index
        while place > 0, objects[place - 1].key > moved.key {
          objects[place] = objects[place - 1]
          place -= 1
        }
        objects[place] = moved
      }
      return
    }
    var counts = [Int](repeating: 0, count: 8 * 256)
    counts.withUnsafeMutableBufferPointer { counts in
      for object in objects {
        for byte in 0..<8 { counts[byte * 256 + Int(object.key >> UInt64(byte * 8) & 255)] += 1 }
      }
    }
    var other = [KeyedObject](repeating: KeyedObject(key: 0, object: 0), count: count)
    for byte in 0..<8 {
      let shift = UInt64(byte * 8)
      let first = Int(objects[0].key >> shift & 255)
      if counts[byte * 256 + first] == count { continue }
      var next = 0
      for digit in byte * 256..<byte * 256 + 256 {
        let here = counts[digit]
        counts[digit] = next
        next += here
      }
      counts.withUnsafeMutableBufferPointer { places in
        other.withUnsafeMutableBufferPointer { target in
          objects.withUnsafeBufferPointer { source in
            for object in source {
              let digit = byte * 256 + Int(object.key >> shift & 255)
              target[places[digit]] = object
              places[digit] &+= 1
            }
          }
        }
      }
      swap(&objects, &other)
    }
  }
}
