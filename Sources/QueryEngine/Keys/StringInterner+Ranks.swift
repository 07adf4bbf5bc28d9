internal import Storage

/// Ranks of interned strings.
extension StringInterner {
  /// Replaces the numbers of strings by their ranks in the order of their bytes.
  func replaceNumbersByRanks(in words: inout [UInt64], _ cancellation: CancellationCheck) throws {
    let places = try ranks(cancellation)
    try cancellation.forEachPart(words.count) { part in
      for index in part where words[index] < UInt64(places.count) { words[index] = UInt64(places[Int(words[index])]) }
    }
  }

  /// The rank of each string, by its number.
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

  /// The number of bytes of a string in one word.
  private static let step = 8
  /// Few strings are equal up to here; they are compared byte by byte.
  private static let farthest = 64

  /// Completes the order of strings that are sorted by the bytes before an offset: sorts runs of equal prefixes by the
  /// following bytes.
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

  /// Sorts strings that are equal before an offset.
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

  /// The word of a string's bytes from an offset on.
  private func beginning(of number: Int, from offset: Int) -> UInt64 {
    SortableKey.word(UnsafeRawBufferPointer(rebasing: text(number).dropFirst(offset)))
  }
}
