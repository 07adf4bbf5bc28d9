/// Canonical decomposition with nonspacing marks left out, a scalar at a time.
enum DiacriticStripping {
  /// Calls `body` with each scalar that is left of `scalar`.
  @inline(__always)
  static func forEachBase(of scalar: UInt32, _ body: (UInt32) -> Void) {
    // Nothing below U+00C0 has a canonical decomposition or is a nonspacing mark.
    // Chinese characters as they are mostly written have none either.
    if scalar < 0xC0 || 0x3100..<0xA66F ~= scalar {
      body(scalar)
    } else if scalar < common.count, common[Int(scalar)] != several {
      if common[Int(scalar)] != 0 { body(common[Int(scalar)]) }
    } else {
      for base in bases(of: scalar) { body(base) }
    }
  }

  /// The scalars left of `scalar`: itself, its base, none for a mark, several for a syllable.
  static func bases(of scalar: UInt32) -> [UInt32] {
    if 0xAC00...0xD7A3 ~= scalar { return jamo(of: scalar) }
    if let base = single(scalar) { return [base] }
    if let bases = CanonicalBases.others[scalar] { return bases }
    return NonspacingMarks.contains(scalar) ? [] : [scalar]
  }

  /// The leading, vowel and trailing parts of a Hangul syllable.
  private static func jamo(of syllable: UInt32) -> [UInt32] {
    let index = syllable - 0xAC00
    let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28]
    return index % 28 == 0 ? parts : parts + [0x11A7 + index % 28]
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

  /// Marks a scalar of `common` of which several are left.
  private static let several: UInt32 = .max

  /// What is left of Latin, Greek, Cyrillic and Armenian scalars, made once; 0 when nothing is.
  private static let common: [UInt32] = (0..<0x590).map { (scalar: UInt32) in
    let bases = bases(of: scalar)
    return bases.count > 1 ? several : bases.first ?? 0
  }
}
