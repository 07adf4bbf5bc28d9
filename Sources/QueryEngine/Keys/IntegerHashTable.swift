/// A hash table from words to consecutive numbers, which are assigned on first use. Groups are found by it.
///
/// It uses plain memory, since it is looked up for every object.
final class IntegerHashTable {
  private var words: UnsafeMutablePointer<UInt64>
  /// The number in each slot of the table plus 1; 0 if the slot is empty.
  private var numbers: UnsafeMutablePointer<UInt32>
  /// The number of slots, a power of two.
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 64
    words = Self.zeros(capacity)
    numbers = Self.zeros(capacity)
  }

  deinit {
    words.deallocate()
    numbers.deallocate()
  }

  private static func zeros<Word: FixedWidthInteger>(_ count: Int) -> UnsafeMutablePointer<Word> {
    let memory = UnsafeMutablePointer<Word>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    return memory
  }

  /// The word's number, and whether it is new.
  @inline(__always)
  func number(of word: UInt64, next: UInt32) -> (number: UInt32, isNew: Bool) {
    let words = words
    let numbers = numbers
    let last = capacity &- 1
    var place = Self.hash(word) & last
    while numbers[place] != 0 {
      if words[place] == word { return (numbers[place] &- 1, false) }
      place = (place &+ 1) & last
    }
    words[place] = word
    numbers[place] = next &+ 1
    count &+= 1
    if count &* 2 > capacity { grow() }
    return (next, true)
  }

  private func grow() {
    let old = (words: words, numbers: numbers, capacity: capacity)
    capacity *= 4
    words = Self.zeros(capacity)
    numbers = Self.zeros(capacity)
    for from in 0..<old.capacity where old.numbers[from] != 0 {
      var place = Self.hash(old.words[from]) & (capacity &- 1)
      while numbers[place] != 0 { place = (place &+ 1) & (capacity &- 1) }
      words[place] = old.words[from]
      numbers[place] = old.numbers[from]
    }
    old.words.deallocate()
    old.numbers.deallocate()
  }

  @inline(__always)
  private static func hash(_ word: UInt64) -> Int {
    let mixed = (word ^ word &>> 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed ^ mixed &>> 29) &>> 3)
  }
}
