/// A table from words to consecutive numbers: what groups are found by. A word gets the next number the first time it
/// is asked for.
struct WordTable {
  private var words: [UInt64] = Array(repeating: 0, count: 64)
  /// The number of each place, one more than it is; 0 where there is none.
  private var numbers: [UInt32] = Array(repeating: 0, count: 64)
  private(set) var count = 0

  /// The word's number, and whether it is new.
  @inline(__always)
  mutating func number(of word: UInt64, next: UInt32) -> (number: UInt32, isNew: Bool) {
    var place = Self.hash(word) & (words.count &- 1)
    while numbers[place] != 0 {
      if words[place] == word { return (numbers[place] &- 1, false) }
      place = (place &+ 1) & (words.count &- 1)
    }
    words[place] = word
    numbers[place] = next &+ 1
    count += 1
    if count &* 2 > words.count { grow() }
    return (next, true)
  }

  private mutating func grow() {
    let old = (words, numbers)
    words = Array(repeating: 0, count: old.0.count * 4)
    numbers = Array(repeating: 0, count: old.0.count * 4)
    for (word, number) in zip(old.0, old.1) where number != 0 {
      var place = Self.hash(word) & (words.count &- 1)
      while numbers[place] != 0 { place = (place &+ 1) & (words.count &- 1) }
      words[place] = word
      numbers[place] = number
    }
  }

  @inline(__always)
  private static func hash(_ word: UInt64) -> Int {
    let mixed = (word ^ word &>> 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed ^ mixed &>> 29) &>> 3)
  }
}
