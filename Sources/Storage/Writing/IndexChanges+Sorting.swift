internal import Glibc

extension IndexChanges {
  /// Sorts the changes by key, object and time. Lookups find nothing afterwards, until all changes are removed.
  ///
  /// Many changes are sorted by the prefixes of their keys with a radix sort, from the last byte to the first, which
  /// moves only these prefixes; keys with equal prefixes are then compared.
  mutating func sort() {
    forgetLookUps()
    if changes.count < 4_096 {
      let bytes = bytes
      changes.sort { Self.precedes($0, $1, bytes) }
      return
    }
    let count = changes.count
    var items = UnsafeMutableBufferPointer<Item>.allocate(capacity: count)
    var spare = UnsafeMutableBufferPointer<Item>.allocate(capacity: count)
    defer {
      items.deallocate()
      spare.deallocate()
    }
    var common = (all: UInt64.max, any: UInt64.min)
    for position in 0..<count {
      let prefix = changes[position].prefix
      common = (common.all & prefix, common.any | prefix)
      items[position] = Item(prefix: prefix, position: UInt32(truncatingIfNeeded: position))
    }
    let different = common.all ^ common.any
    for shift in stride(from: UInt64(0), to: 64, by: 8) where different >> shift & 0xFF != 0 {
      Self.distribute(items, into: spare, shift: shift)
      swap(&items, &spare)
    }
    arrange(by: UnsafeBufferPointer(items))
  }

  /// The prefix of a key, and the position of its change.
  private struct Item {
    var prefix: UInt64
    var position: UInt32
  }

  /// One pass of a radix sort by one byte; stable.
  private static func distribute(
    _ items: UnsafeMutableBufferPointer<Item>, into other: UnsafeMutableBufferPointer<Item>, shift: UInt64
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      places.initialize(repeating: 0)
      for item in items { places[Int(truncatingIfNeeded: item.prefix >> shift & 0xFF)] += 1 }
      var place = 0
      for byte in 0..<256 { (places[byte], place) = (place, place + places[byte]) }
      for item in items {
        let byte = Int(truncatingIfNeeded: item.prefix >> shift & 0xFF)
        other[places[byte]] = item
        places[byte] += 1
      }
    }
  }

  /// Arranges the changes in the order of the items, and sorts those with equal prefixes by all criteria.
  private mutating func arrange(by items: UnsafeBufferPointer<Item>) {
    var sorted: [Change] = []
    sorted.reserveCapacity(changes.count)
    for item in items { sorted.append(changes[Int(item.position)]) }
    let bytes = bytes
    sorted.withUnsafeMutableBufferPointer { sorted in
      var start = 0
      while start < sorted.count {
        var end = start + 1
        var isSorted = true
        while end < sorted.count, sorted[end].prefix == sorted[start].prefix {
          if isSorted, Self.precedes(sorted[end], sorted[end - 1], bytes) { isSorted = false }
          end += 1
        }
        if !isSorted { sorted[start..<end].sort { Self.precedes($0, $1, bytes) } }
        start = end
      }
    }
    changes = sorted
  }
}
