/// Hangul syllables, which are decomposed by arithmetic.
enum HangulSyllables {
  /// Every syllable.
  static let all: ClosedRange<UInt32> = 0xAC00...0xD7A3

  /// The leading, vowel and trailing parts of a syllable; 0 for a missing trailing part.
  @inline(__always)
  static func parts(of syllable: UInt32) -> (UInt32, UInt32, UInt32) {
    let index = syllable &- 0xAC00
    let trailing = index % 28
    return (0x1100 &+ index / 588, 0x1161 &+ index % 588 / 28, trailing == 0 ? 0 : 0x11A7 &+ trailing)
  }
}
