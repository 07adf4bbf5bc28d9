import CKernels
import Storage
import Testing

@Suite struct KernelTests {
  private static let comparisons: [os_comparison] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private func holds<T: Comparable>(_ a: T, _ comparison: os_comparison, _ b: T) -> Bool {
    switch comparison {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    default: a >= b
    }
  }

  private func mask(_ body: (UnsafeMutablePointer<UInt64>) -> Void) -> Mask {
    var words: [UInt64] = [.max, .max, .max, .max]
    words.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { body(base) } }
    return Mask(words[0], words[1], words[2], words[3])
  }

  private func expect(_ found: Mask, _ holds: (Int) -> Bool) {
    var expected = Mask.none
    for slot in 0..<256 where holds(slot) { expected[slot] = true }
    #expect(found == expected)
  }

  private func check<T: Comparable>(
    _ values: [T], _ constants: [T],
    compare: (UnsafePointer<T>, Int, T, os_comparison, UnsafeMutablePointer<UInt64>) -> Void,
    between: (UnsafePointer<T>, Int, T, T, UnsafeMutablePointer<UInt64>) -> Void
  ) {
    for count in [0, 1, 7, 8, 63, 64, 65, 100, 128, 200, 255, 256] {
      // An array of its own length, so that a sanitizer sees a read beyond.
      Array(values.prefix(count) + (count == 0 ? values.prefix(1) : [])).withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        for constant in constants {
          for comparison in Self.comparisons {
            let found = mask { compare(base, count, constant, comparison, $0) }
            expect(found) { $0 < count && holds(values[$0], comparison, constant) }
          }
          for other in constants {
            let found = mask { between(base, count, constant, other, $0) }
            expect(found) { $0 < count && values[$0] >= constant && values[$0] <= other }
          }
        }
      }
    }
  }

  @Test func integers() {
    var random = SeededGenerator(seed: 3)
    let bytes = (0..<256).map { _ in UInt8.random(in: 0...255, using: &random) & 0xC7 }
    check(bytes, [0, bytes[9], 127, 128, 255], compare: os_compare_u8, between: os_between_u8)
    let halves = bytes.map { UInt16($0) << 8 }
    check(halves, [0, halves[9], 0x7FFF, 0x8000, .max], compare: os_compare_u16, between: os_between_u16)
    let words = bytes.map { UInt32($0) << 24 }
    check(words, [0, words[9], 0x7FFF_FFFF, 0x8000_0000, .max], compare: os_compare_u32, between: os_between_u32)
    let numbers = bytes.map { Int64(truncatingIfNeeded: UInt64($0) << 56) }
    check(numbers, [0, numbers[9], -1, .min, .max], compare: os_compare_i64, between: os_between_i64)
  }

  @Test func floatingPoint() {
    var random = SeededGenerator(seed: 4)
    let special: [Double] = [.nan, -.nan, .infinity, -.infinity, 0, -0.0, 1, .leastNonzeroMagnitude]
    let doubles = (0..<256).map { _ in special.randomElement(using: &random) ?? 0 }
    check(doubles, special, compare: os_compare_f64, between: os_between_f64)
    check(doubles.map { Float($0) }, special.map { Float($0) }, compare: os_compare_f32, between: os_between_f32)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 50, 256]) func lookingUp(_ sought: Int) {
    var random = SeededGenerator(seed: 5)
    var table = [UInt8](repeating: 0, count: 256)
    for code in (0..<256).shuffled(using: &random).prefix(sought) { table[code] = UInt8(1 + code % 255) }
    for count in [0, 1, 64, 77, 256] {
      let codes = (0..<max(count, 1)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let found = mask { os_lookup_u8(codes, count, table, $0) }
      expect(found) { $0 < count && table[Int(codes[$0])] != 0 }
    }
  }

  @Test(arguments: [1, 7, 8, 9, 16]) func lookingUpPairs(_ codes: Int) {
    var random = SeededGenerator(seed: 6)
    var pairs = code_pairs()
    var answers = [[Bool]](repeating: [Bool](repeating: false, count: 16), count: 16)
    for left in 0..<codes {
      for right in 0..<codes where Bool.random(using: &random) {
        answers[left][right] = true
        code_pairs_add(&pairs, UInt8(left), UInt8(right))
      }
    }
    for count in [0, 1, 15, 16, 64, 77, 255, 256] {
      let sides = (0..<2).map { _ in (0..<max(count, 1)).map { _ in UInt8.random(in: 0..<UInt8(codes), using: &random) }
      }
      let found = mask { code_pairs_look_up(&pairs, sides[0], sides[1], count, $0) }
      expect(found) { $0 < count && answers[Int(sides[0][$0])][Int(sides[1][$0])] }
    }
  }

  @Test func joinedTexts() {
    func count(_ bytes: [UInt8]) -> Int? {
      var texts = 0
      return os_is_joined_utf8(bytes, bytes.count, &texts) ? texts : nil
    }
    #expect(count(Array("abcdefgh".utf8) + [0xFF] + Array("é長🌍".utf8) + [0xFF]) == 2)
    #expect(count([]) == 0)
    for bad: [UInt8] in [
      [0x80], [0xC3], [0xC3, 0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xF0, 0x9F, 0x8C],
    ] {
      #expect(count(bad) == nil)
      #expect(count(Array("12345678".utf8) + bad) == nil)
    }
    #expect(
      os_is_ascii([0x61, 0xFF], 2, true) && !os_is_ascii([0x61, 0xFF], 2, false) && !os_is_ascii([0xC3], 1, true))
  }

  /// Joined texts with what begins and ends with needles, against the plain meaning.
  @Test(arguments: 0..<12) func needlesAtTheEndsOfTexts(_ run: Int) {
    var random = SeededGenerator(seed: UInt64(run) + 60)
    let letters: [UInt8] = Array("abAB zk@[`{".utf8) + (run % 2 == 0 ? [0xC3, 0xA9] : [])
    func text(_ most: Int) -> [UInt8] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
    }
    func lowered(_ text: [UInt8]) -> [UInt8] { text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 } }
    for count in [1, 2, 63, 64, 65, 256] {
      let texts = (0..<count).map { _ in text(run % 3 == 0 ? 3 : 24) }
      var offsets: [UInt32] = [0]
      for text in texts { offsets.append((offsets.last ?? 0) + UInt32(text.count) + 1) }
      let bytes: [UInt8] = texts.flatMap { $0 + [0xFF] }
      for _ in 0..<30 {
        let from = texts.randomElement(using: &random) ?? []
        let needle =
          [text(2), from, Array(from.prefix(4)), Array(from.suffix(9)), Array(from.suffix(2)), text(12)]
          .randomElement(using: &random) ?? []
        for ignoring in [false, true] {
          let sought = ignoring ? lowered(needle) : needle
          for place in [text_place.whole, .start, .end] {
            let found = mask { text_fits(bytes, offsets, count, sought, sought.count, place, ignoring, $0) }
            expect(found) { slot in
              guard slot < count else { return false }
              let text = ignoring ? lowered(texts[slot]) : texts[slot]
              switch place {
              case .whole: return text == sought
              case .start: return text.starts(with: sought)
              default: return text.suffix(sought.count).elementsEqual(sought)
              }
            }
          }
        }
      }
    }
  }

  /// Searches give the first place, whichever bytes of the needle they go by.
  @Test(arguments: 0..<12) func searches(_ run: Int) {
    var random = SeededGenerator(seed: UInt64(run) + 160)
    let letters: [UInt8] = Array("aaaabkK é ,9".utf8)
    func text(_ count: Int) -> [UInt8] { (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 } }
    func lowered(_ text: [UInt8]) -> [UInt8] { text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 } }
    func place(_ needle: [UInt8], _ text: [UInt8]) -> Int {
      guard needle.count <= text.count else { return -1 }
      return (0...text.count - needle.count).first { text[$0..<$0 + needle.count].elementsEqual(needle) } ?? -1
    }
    for _ in 0..<900 {
      let haystack = text(Int.random(in: 0...(Bool.random(using: &random) ? 90 : 400), using: &random))
      let start = Int.random(in: 0...haystack.count, using: &random)
      let needle =
        Bool.random(using: &random)
        ? Array(haystack[start...].prefix(Int.random(in: 0...20, using: &random)))
        : text(Int.random(in: 0...4, using: &random))
      #expect(text_find(haystack, haystack.count, needle, needle.count) == place(needle, haystack))
      let low = lowered(needle)
      #expect(
        text_find_ignoring_case(haystack, haystack.count, low, low.count) == place(low, lowered(haystack)))
    }
    // Longer than what is looked at for rare bytes.
    let long = text(200)
    let haystack = text(50) + long + text(9)
    #expect(text_find(haystack, haystack.count, long, long.count) == place(long, haystack))
  }
}
