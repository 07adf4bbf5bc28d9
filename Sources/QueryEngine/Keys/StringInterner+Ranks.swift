internal import Storage

/// The order of numbered texts.
extension StringInterner {
  /// Makes numbers of texts their places in the order of their bytes.
  func replaceNumbersByRanks(in words: inout [UInt64], _ cancellation: CancellationCheck) throws {
    let places = try ranks(cancellation)
    try cancellation.forEachPart(words.count) { part in
      for index in part where words[index] < UInt64(places.count) { words[index] = UInt64(places[Int(words[index])]) }
    }
  }

  /// The place of each text in the order of their bytes, by its number.
  private func ranks(_ cancellation: CancellationCheck) throws -> [UInt32] {
    var order = try (0..<count).map { number in
      try cancellation.step()
      return KeyedObject(key: beginning(of: number, from: 0), object: UInt64(number))
    }
    try RadixSort.sort(&order, cancellation)
    try sortRuns(of: &order, 0..<order.count, from: Self.step, cancellation)
    var places = [UInt32](repeating: 0, count: count)
    for (place, text) in order.enumerated() { places[Int(text.object)] = UInt32(truncatingIfNeeded: place) }
    return places
  }

  /// How many bytes one word of a text holds.
  private static let step = 8
  /// Texts that are the same up to here are few, and are compared byte for byte.
  private static let farthest = 64

  /// Puts texts in order that are sorted by what stands before a byte: those that are the same up to there by what follows.
  private func sortRuns(
    of order: inout [KeyedObject], _ range: Range<Int>, from offset: Int, _ cancellation: CancellationCheck
  ) throws {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, order[end].key == order[start].key { end += 1 }
      try cancellation.step(end - start)
      if end - start > 1 { try sort(&order, start..<end, from: offset, cancellation) }
      start = end
    }
  }

  /// Puts texts in order that are the same before a byte.
  private func sort(
    _ order: inout [KeyedObject], _ range: Range<Int>, from offset: Int, _ cancellation: CancellationCheck
  ) throws {
    var offset = offset
    while offset < Self.farthest, range.count > 2 {
      var isSame = true
      for place in range {
        order[place].key = beginning(of: Int(order[place].object), from: offset)
        isSame = isSame && order[place].key == order[range.lowerBound].key
      }
      offset += Self.step
      if isSame { continue }
      try order[range].sort { left, right in
        try cancellation.step()
        return left.key < right.key
      }
      return try sortRuns(of: &order, range, from: offset, cancellation)
    }
    try order[range].sort { left, right in
      try cancellation.step()
      return Bytes.compare(text(Int(left.object)), text(Int(right.object))) < 0
    }
  }

  /// The word of what a text goes on with from a byte on.
  private func beginning(of number: Int, from offset: Int) -> UInt64 {
    SortableKey.word(UnsafeRawBufferPointer(rebasing: text(number).dropFirst(offset)))
  }
}
