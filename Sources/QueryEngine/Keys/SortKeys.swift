/// The keys of objects for one key of SORT: words that ascend in the order asked for, and take as few bits as that needs.
///
/// nil and NaN have words of their own before or behind all others; where there is no room for those they are put in
/// their place after the sort.
struct SortKeys {
  private let words: [UInt64]
  /// How many of the lowest bits of words may differ.
  private let bits: Int
  /// nil and NaN where they have no word: 0 and 1 where they come before all others, 3 and 2 where behind.
  private var ranks: [UInt8] = []

  /// The keys by words; `nulls` and `nans` are the places of those that have none, ascending.
  init(
    _ words: [UInt64], nulls: [Int], nans: [Int], ascending: Bool, _ cancellation: CancellationCheck
  ) throws {
    var words = words
    let (least, greatest) = Self.edges(words, without: nulls, nans)
    let span = greatest - least
    // Two words before the least or behind the greatest.
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

  /// The least and the greatest word, leaving out some places.
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

  /// Places put in order, those with equal keys as they were; all of them in insertion order when none are given.
  func sorted(_ order: [UInt64], _ cancellation: CancellationCheck) throws -> [UInt64] {
    let places = order.isEmpty ? (0..<UInt64(words.count)).map { $0 } : order
    let sorted = try inOrder(places, cancellation) { words[Int($0)] }
    if ranks.isEmpty { return sorted }
    return (0...3).flatMap { rank in sorted.filter { ranks[Int($0)] == rank } }
  }

  /// Objects put in order, those with equal keys as they are: one for each place, ascending.
  func sorted(objects: [UInt64], _ cancellation: CancellationCheck) throws -> [UInt64] {
    if !ranks.isEmpty { return try sorted([], cancellation).map { objects[Int($0)] } }
    var place = 0
    return try inOrder(objects, cancellation) { _ in
      defer { place &+= 1 }
      return words[place]
    }
  }

  /// Numbers put in order by words, asked for one after another.
  @inline(__always)
  private func inOrder(
    _ numbers: [UInt64], _ cancellation: CancellationCheck, _ word: (UInt64) -> UInt64
  ) throws -> [UInt64] {
    let first = numbers.min() ?? 0
    let width = 64 - ((numbers.max() ?? 0) - first).leadingZeroBitCount
    // Key and number fit in one word.
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
