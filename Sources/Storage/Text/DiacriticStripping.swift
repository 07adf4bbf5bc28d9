/// Canonical decomposition without nonspacing marks, for a scalar. This is the definition; strings are folded by a
/// `FoldingTable` made from it.
enum DiacriticStripping {
  /// The remaining scalars of `scalar`: itself, its base, none for a mark, several for a syllable.
  static func bases(of scalar: UInt32) -> [UInt32] {
    if HangulSyllables.all ~= scalar {
      let (leading, vowel, trailing) = HangulSyllables.parts(of: scalar)
      return trailing == 0 ? [leading, vowel] : [leading, vowel, trailing]
    }
    if let base = single(scalar) { return [base] }
    if let bases = CanonicalBases.others[scalar] { return bases }
    return NonspacingMarks.contains(scalar) ? [] : [scalar]
  }

  private static func single(_ scalar: UInt32) -> UInt32? {
    let pairs = CanonicalBases.singles
    var low = 0
    var high = pairs.count / 2
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle * 2] < scalar { low = middle + 1 } else { high = middle }
    }
    return low < pairs.count / 2 && pairs[low * 2] == scalar ? pairs[low * 2 + 1] : nil
  }

  /// Every scalar that changes, except Hangul syllables.
  static var changing: [UInt32] {
    stride(from: 0, to: CanonicalBases.singles.count, by: 2).map { CanonicalBases.singles[$0] }
      + CanonicalBases.others.keys + NonspacingMarks.all
  }
}
