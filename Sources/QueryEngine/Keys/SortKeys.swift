/// The keys of objects for one key of SORT: words in the requested order, with as few significant bits as possible.
///
/// nil and NaN have words before or after all others. If there is no room for these words, nil and NaN are moved into
/// place after the sort.
struct SortKeys {
  private let words: [UInt64]
  /// The number of lowest bits that may differ between words.
  private let bits: Int
  /// Ranks of nil and NaN if they have no words: 0 and 1 before all others, 3 and 2 after them.
  private var ranks: [UInt8] = []

  /// Makes keys from words; `nulls` and `nans` are the positions of nil and NaN, ascending.
  init(
    _ words: [UInt64], nulls: [Int], nans: [Int], ascending: Bool, _ cancellation: CancellationCheck
  ) throws {
    var words = words
    let (least, greatest) = Self.edges(words, without: nulls, nans)
    let span = greatest - least
    // Reserves two words before the smallest or after the largest.
    let isRoom = span <= UInt64.max - 2
    let (ofNull, ofNaN): (UInt64, UInt64) = isRoom ? (ascending ? (0, 1) : (span + 2, span + 1)) : (0, 0)
    let start = isRoom && ascending ? least &- 2 : least
    try cancellation.forEachPart(words.count) { part in
      for index in part { words[index] = ascending ? words[index] &- start : greatest &- words[index] }
    }
    for place in nulls { words[place] = ofNull }
    for place in nans { words[place] = ofNaN }
    let hasOthers = !nulls.isEmpty || !nans.isEmpty
    if !isRoom, hasOthers {
      ranks = [UInt8](repeating: ascending ? 2 : 1, count: words.count)
      for place in nulls { ranks[place] = ascending ? 0 : 3 }
      for place in nans { ranks[place] = ascending ? 1 : 2 }
    }
    self.words = words
    bits = 64 - (isRoom ? span + 2 : span).leadingZeroBitCount
  }

  /// The smallest and the largest word, skipping some positions.
  private static func edges(_ words: [UInt64], without nulls: [Int], _ nans: [Int]) -> (UInt64, UInt64) {
    var least = UInt64.max
    var greatest: UInt64 = 0
    let others = nans.isEmpty ? nulls : (nulls + nans).sorted()
    words.withUnsafeBufferPointer { words in
      var start = 0
      for index in 0...others.count {
        let end = index < others.count ? others[index] : words.count
        for place in start..<end {
          least = min(least, words[place])
          greatest = max(greatest, words[place])
        }
        start = end + 1
      }
    }
    return least <= greatest ? (least, greatest) : (0, 0)
  }

  /// Sorts positions by their keys; ties keep their order. Without given positions it sorts all.
  func sorted(_ order: [UInt64], _ cancellation: CancellationCheck) throws -> [UInt64] {
    let places = order.isEmpty ? (0..<UInt64(words.count)).map { $0 } : order
    let sorted = try inOrder(places, cancellation) { words[Int($0)] }
    if ranks.isEmpty { return sorted }
    return (0...3).flatMap { rank in sorted.filter { ranks[Int($0)] == rank } }
  }

  /// The positions of rows in the order of several keys; ties keep their order. `keys` makes those of one key of SORT
  /// when they are needed.
  static func order(
    _ count: Int, _ cancellation: CancellationCheck, _ keys: (Int) throws -> SortKeys
  ) throws -> [UInt64] {
    var order: [UInt64] = []
    // Sorts by the least significant key first: each pass is stable, so it keeps the order of the passes before it.
    for key in (0..<count).reversed() {
      try cancellation.check()
      order = try keys(key).sorted(order, cancellation)
    }
    return order
  }

  /// Sorts objects by their keys; ties keep their order. There is one object for each position, ascending.
  func sorted(objects: [UInt64], _ cancellation: CancellationCheck) throws -> [UInt64] {
    if !ranks.isEmpty { return try sorted([], cancellation).map { objects[Int($0)] } }
    var place = 0
    return try inOrder(objects, cancellation) { _ in
      defer { place &+= 1 }
      return words[place]
    }
  }

  /// Sorts numbers by words. `word` is called for the numbers in order.
  @inline(__always)
  private func inOrder(
    _ numbers: [UInt64], _ cancellation: CancellationCheck, _ word: (UInt64) -> UInt64
  ) throws -> [UInt64] {
    let first = numbers.min() ?? 0
    let width = 64 - ((numbers.max() ?? 0) - first).leadingZeroBitCount
    // If key and number fit one word, that word is sorted.
    guard bits + width <= 64 else {
      var keyed = numbers.map { KeyedObject(key: word($0), object: $0) }
      try RadixSort.sort(&keyed, cancellation)
      return keyed.map(\.object)
    }
    var entries = numbers.map { word($0) << UInt64(width) | ($0 &- first) }
    try RadixSort.sort(&entries, from: width, bits: bits, cancellation)
    let mask = (UInt64(1) << UInt64(width)) &- 1
    for index in entries.indices { entries[index] = entries[index] & mask &+ first }
    return entries
  }
}
