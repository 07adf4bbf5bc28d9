/// An object ID with a word to sort by.
struct KeyedObject {
  var key: UInt64
  var object: UInt64
}

/// Stable radix sorts by unsigned words, from the lowest bits up. Bits that are equal in all words cost nothing.
enum RadixSort {
  /// Below this count, insertion sort is faster and needs no memory.
  private static let few = 64

  /// Sorts by words in which all bits may differ.
  static func sort(_ objects: inout [KeyedObject], _ cancellation: CancellationCheck) throws {
    try sort(&objects, cancellation, digitWidth: 8, digits: 8, filler: KeyedObject(key: 0, object: 0)) { $0.key }
  }

  /// Sorts words by `bits` of their bits, beginning at bit `first`.
  static func sort(_ words: inout [UInt64], from first: Int, bits: Int, _ cancellation: CancellationCheck) throws {
    if bits == 0 { return }
    // Digits of at most 11 bits, whose counters stay in the cache, and as few of them as possible.
    let digits = (bits + 10) / 11
    let shift = UInt64(first)
    try sort(&words, cancellation, digitWidth: (bits + digits - 1) / digits, digits: digits, filler: 0) { $0 &>> shift }
  }

  @inline(__always)
  private static func sort<Entry>(
    _ entries: inout [Entry], _ cancellation: CancellationCheck, digitWidth: Int, digits: Int, filler: Entry,
    _ key: (Entry) -> UInt64
  ) throws {
    let count = entries.count
    if count < few { return insert(&entries, key) }
    let values = 1 << digitWidth
    let mask = UInt64(values - 1)
    try withUnsafeTemporaryAllocation(of: Int.self, capacity: digits * values) { counts in
      guard let counts = counts.baseAddress else { return }
      counts.initialize(repeating: 0, count: digits * values)
      try entries.withUnsafeBufferPointer { source in
        try cancellation.forEachPart(count) { part in
          for entry in UnsafeBufferPointer(rebasing: source[part]) {
            var key = key(entry)
            var digit = counts
            for _ in 0..<digits {
              digit[Int(truncatingIfNeeded: key & mask)] &+= 1
              key &>>= UInt64(digitWidth)
              digit += values
            }
          }
        }
      }
      var other = [Entry](repeating: filler, count: count)
      for digit in 0..<digits {
        let places = counts + digit * values
        let shift = UInt64(digit * digitWidth)
        if places[Int(truncatingIfNeeded: key(entries[0]) &>> shift & mask)] == count { continue }
        var next = 0
        for value in 0..<values {
          let here = places[value]
          places[value] = next
          next += here
        }
        try entries.withUnsafeBufferPointer { source in
          try other.withUnsafeMutableBufferPointer { target in
            guard let target = target.baseAddress else { return }
            try cancellation.forEachPart(count) { part in
              for entry in UnsafeBufferPointer(rebasing: source[part]) {
                let value = Int(truncatingIfNeeded: key(entry) &>> shift & mask)
                target[places[value]] = entry
                places[value] &+= 1
              }
            }
          }
        }
        swap(&entries, &other)
      }
    }
  }

  private static func insert<Entry>(_ entries: inout [Entry], _ key: (Entry) -> UInt64) {
    for index in entries.indices.dropFirst() {
      let moved = entries[index]
      var place = index
      while place > 0, key(entries[place - 1]) > key(moved) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = moved
    }
  }
}
