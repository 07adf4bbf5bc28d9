/// Unicode's full case folding, a scalar at a time, by tables of our own: the same on every platform.
enum CaseFolding {
  /// What `scalar` folds to when that is one scalar; nil when it is several.
  @inline(__always)
  static func single(_ scalar: UInt32) -> UInt32? {
    if scalar < common.count {
      let folded = common[Int(scalar)]
      return folded == several ? nil : folded
    }
    // Between Coptic and Cyrillic Extended-B nothing has case: Chinese and Japanese are here.
    if 0x2D30..<0xA640 ~= scalar { return scalar }
    return CaseMappings.several[scalar] == nil ? simple(scalar) : nil
  }

  /// What `scalar` folds to: one to three scalars.
  static func fold(_ scalar: UInt32) -> [UInt32] { CaseMappings.several[scalar] ?? [simple(scalar)] }

  /// What a scalar that does not fold to several folds to.
  private static func simple(_ scalar: UInt32) -> UInt32 {
    let runs = CaseMappings.runs
    let wanted = Int32(truncatingIfNeeded: scalar)
    var low = 0
    var high = runs.count / 4
    while low < high {
      let middle = (low + high) / 2
      if runs[middle * 4 + 1] < wanted { low = middle + 1 } else { high = middle }
    }
    guard low < runs.count / 4, runs[low * 4] <= wanted, (wanted - runs[low * 4]) % runs[low * 4 + 2] == 0 else {
      return scalar
    }
    return UInt32(truncatingIfNeeded: wanted + runs[low * 4 + 3])
  }

  /// Marks a scalar of `common` that folds to more than one.
  private static let several: UInt32 = .max

  /// Foldings of Latin, Greek, Cyrillic and Armenian, made once.
  private static let common: [UInt32] = (0..<0x590).map { (scalar: UInt32) in
    let folded = fold(scalar)
    return folded.count == 1 ? folded[0] : several
  }
}
